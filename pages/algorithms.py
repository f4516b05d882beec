"""Algorithms: BPE beside WordPiece, Unigram and the extremes, on one corpus and with one vocabulary budget."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from bpe_core.models.all_models import Models
from pages.parts.algorithms import algorithm_views
from pages.parts.session import inputs, links, runs, state, steps, your_text
from pages.parts.session.corpora import algorithms_start
from pages.parts.widgets import frame, settings_row, text_box, training_status

PAGE = "algorithms"

frame.page("pages/algorithms.py")
left, right = st.columns([4, 3], gap="medium")
with left:
    text_box.text_box(PAGE, height=66)
text = your_text.corpus(PAGE)
size, sentence, word = algorithms_start(state.get(PAGE, "corpus"), text.text)
size = min(size, links.MOST_ENTRIES)
state.fit_to_corpus(PAGE, {"vocab_size": size, "sentence": sentence, "word": word})
with right:
    settings_row.settings_row(PAGE, links.MOST_ENTRIES)


def train(values: Mapping[str, Any]) -> Models:
    """Return all models, trained on the text with the same vocabulary size, which includes the characters."""
    chosen = inputs.settings(PAGE, values=values | {"alphabet": "characters"})
    return runs.models_of(text, chosen)


with training_status.explained(PAGE):
    models = training_status.trained(PAGE, train, links.MOST_ENTRIES)
    steps.start_over(PAGE, inputs.film_of(text, models.bpe))
    algorithm_views.fit(PAGE, models)
    frame.remarks(PAGE)
    algorithm_views.draw(PAGE, models)
    state.publish(PAGE)
