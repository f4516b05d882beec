"""Live pictures: plain web modules, and the Python that makes their data and their scripts.

    web/                the modules: the film of a training, the tokens of a text, the editor
    script              one script of a view's modules, for a component, a notebook or an HTML file on a disk
    film_data           a training as JSON; with `film_sentences` and `word_window`, and for the rivals of BPE
                        `wordpiece_film` and `unigram_film`
    film_view           what a film shows, from what was chosen in it
    text_data           the tokens of a text as JSON; with `text_token` and `token_facts`, about one token
    view, page          what shows each view; and a view as one HTML file that plays from a disk
    request             what a view wants of whoever answers it; `web/channel.js` is the view's end of it
    wire, cache         how data travels, and what is computed once

No view needs a server, and no data needs Streamlit, pandas or Altair. No algorithm imports this chapter.
"""
