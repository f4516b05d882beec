"""Live pictures: plain web modules, and the Python that makes their data and their scripts.

    web/                the modules: the film of a training, the tokens of a text, the editor
    script              one script of a view's modules, for a component, a notebook or an HTML file on a disk
    film_data           a training as JSON; with `film_sentences` and `word_window`, and for the rivals of BPE
                        `wordpiece_film` and `unigram_film`
    film_view           the data of a film for a request
    text_data           the tokens of a text as JSON; with `text_token` and `token_facts`, about one token
    view, page          the elements and script of each view; and a view as one HTML file that plays from disk
    gallery             ten such files, with an index page
    request             what a view asks its source for; `web/channel.js` is the other end
    wire, cache         the form in which data travels, and the values that are computed once

No view needs a server, and no data needs Streamlit, pandas or Altair. No algorithm imports this chapter.
"""
