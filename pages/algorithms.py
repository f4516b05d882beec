"""Algorithms: BPE beside WordPiece, Unigram and the extremes, all trained on one corpus to one vocabulary size."""

import streamlit as st

from pages.parts.algorithms import algorithm_views
from pages.parts.page import frame, last_training, settings_row, text_box, training_status, your_text
from pages.parts.state import address_bar, state
from pages.parts.state.algorithms_state import MOST_ENTRIES, Algorithms
from pages.parts.texts.corpora import algorithms_start
from pages.parts.trainings import runs
from pages.parts.ui import film


def algorithms_page() -> None:
    """Draw the page: the text, the settings for all models, and the open view."""
    now = frame.draw_head(Algorithms)
    left, right = st.columns([4, 3], gap="medium")
    with left:
        text_box.text_box(Algorithms)
    text = your_text.corpus(now)
    size, sentence, word = algorithms_start(now.corpus, text.text)
    now = state.fit_to_corpus(now, {"vocab_size": min(size, MOST_ENTRIES), "sentence": sentence, "word": word})
    with right:
        settings_row.settings_row(Algorithms, MOST_ENTRIES)
    with training_status.progress_shown(Algorithms):
        models = training_status.trained_or_last(
            now, lambda chosen: runs.models_of(text, chosen.settings()), MOST_ENTRIES
        )
        now = film.start_over(now, last_training.key_of(text, models.bpe))
        now = algorithm_views.fit(now, models)
        frame.remarks(now)
        algorithm_views.draw(models)
        address_bar.publish(Algorithms)


algorithms_page()
