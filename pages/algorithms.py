"""Algorithms: BPE beside WordPiece, Unigram and the extremes, on one corpus and with one vocabulary budget."""

from contextlib import suppress

import streamlit as st

from bpe_core import Settings
from pages.parts.algorithms import algorithm_views
from pages.parts.session import inputs, links, runs, state
from pages.parts.session.corpora import CorpusError, beginning
from pages.parts.widgets import controls, frame, step_bar, training_status

PAGE = "algorithms"

frame.page("pages/algorithms.py")
state.open_page(PAGE)
with st.sidebar:
    controls.corpus(PAGE)
    with suppress(CorpusError):  # said already
        corpus = inputs.corpus(PAGE)
        size, sentence, word = beginning(state.get(PAGE, "corpus"), corpus.text)
        size = min(size, links.MOST_ENTRIES)
        state.fit_to_corpus(PAGE, {"vocabulary": size, "sentence": sentence, "word": word})
    controls.pretokenizer(PAGE)
    controls.vocabulary(PAGE, links.MOST_ENTRIES)
    st.caption(
        "One budget for every model, its characters included; to WordPiece a character that starts a word is another "
        "than the same one within."
    )


with training_status.explained(PAGE, links.MOST_ENTRIES):
    text = inputs.corpus(PAGE)
    chosen = Settings(
        state.get(PAGE, "pretokenizer"),
        "characters",
        vocab_size=state.get(PAGE, "vocabulary"),
        pattern=state.get(PAGE, "pattern"),
    )
    models = runs.models_of(text, chosen)
    algorithm_views.fit(models)
    step_bar.stage(PAGE, lambda: algorithm_views.draw(models))
