"""Algorithms: BPE beside WordPiece, Unigram and the extremes, on one corpus and with one vocabulary budget."""

from contextlib import suppress

import streamlit as st

from bpe_core import PatternError, Settings, SettingsError
from pages.parts import algorithm_views, controls, frame, links, outputs, sentences, state, step_bar, token_chips
from pages.parts.corpora import CorpusError, beginning, room

PAGE = "algorithms"

frame.page("pages/algorithms.py")
state.open_page(PAGE)
with st.sidebar:
    controls.corpus(PAGE)
    with suppress(CorpusError):  # said already
        corpus = state.corpus(PAGE)
        size, sentence, word = beginning(state.get(PAGE, "corpus"), corpus.text)
        size = min(size, links.MOST_ENTRIES)
        state.fit_to_corpus(PAGE, {"vocabulary": size, "sentence": sentence, "word": word})
    controls.pretokenizer(PAGE)
    controls.vocabulary(PAGE, links.MOST_ENTRIES)
    st.caption(
        "One budget for every model, its characters included; to WordPiece a character that starts a word is another "
        "than the same one within."
    )


try:
    text = state.corpus(PAGE)
    chosen = Settings(
        state.get(PAGE, "pretokenizer"),
        "characters",
        vocab_size=state.get(PAGE, "vocabulary"),
        pattern=state.get(PAGE, "pattern"),
    )
    models = state.models_of(text, chosen)
except CorpusError:
    frame.remarks(PAGE)
    state.publish(PAGE)  # the sidebar says what is missing
    st.html(token_chips.note("Choose a corpus in the sidebar to train on."))
except state.StillTraining as training:
    frame.remarks(PAGE)
    outputs.training(training.job)
except (SettingsError, PatternError) as error:
    frame.remarks(PAGE)
    state.publish(PAGE)
    st.error(sentences.problem(error))
    least = getattr(error, "least", None)
    if least and least <= links.MOST_ENTRIES:
        size = min(room(least, len(set(text.text.split()))), links.MOST_ENTRIES)
        st.button(f"Use {size:,} entries", on_click=state.put, args=(PAGE, "vocabulary", size))
else:
    algorithm_views.fit(models)
    step_bar.stage(PAGE, lambda: algorithm_views.draw(models))
