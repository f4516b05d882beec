"""The pictures: what is looked at, moving or still. Each picture is a folder: its data, its web modules, its style.

    film/       a training, step by step
    tokens/     the tokens of a text, which grow with the vocabulary; the tree of merges that made a token
    prompt/     the end of a prompt: the tokens up to it, and those of the whole text
    rows/       one text under several tokenizers, a row each
    editor/     a text area that sends its text while one types

    paper/      still pictures: SVG, PNG, LaTeX, HTML, and the terminal
    saved/      a picture as one HTML file that plays from disk; the gallery of such files; what a notebook shows
    shared/     what pictures are made of: how a token is written and coloured, the layout, the step bar, the channel
                to whoever answers a picture, and the maker of one script

No picture imports another. None needs a server, Streamlit, pandas or Altair. No algorithm imports this chapter.
"""
