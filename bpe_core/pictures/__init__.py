"""The pictures, moving or still. Each picture is a folder with its data, its web modules and its style.

    film/       a training, step by step
    tokens/     the tokens of a text, which grow with the vocabulary; the tree of merges that made a token
    prompt/     the end of a prompt: the tokens up to the end, and the tokens of the whole text
    rows/       one text under several tokenizers, a row for each tokenizer
    editor/     a text area that tells the pictures its text while a person types

    paper/      still pictures: SVG, PNG, LaTeX, HTML, and the terminal
    saved/      a picture as one HTML file that plays from disk; the gallery of such files; what a notebook shows
    site/       the page that encodes and trains in the reader's tab
    shared/     the parts of pictures: how a token is written and coloured, the layout, the step bar, the channel
                between a picture and its source, and the function that joins web modules into one script
    resources.py   what a picture can ask of a tokenizer or a film, by name

No picture imports another picture, but for `saved/` and `site/`, which are made of them. No picture needs a server,
Streamlit, pandas or Altair. No algorithm imports this folder.
"""
