"""Train: step through the merges of a training run."""

import streamlit as st

from bpe_core import PatternError, SettingsError
from pages.parts import charts, controls, frame, sentences, state, tables, token_chips
from pages.parts.corpora import CorpusError

PAGE = "train"

frame.page("pages/train.py")
state.open_page(PAGE)
with st.sidebar:
    controls.corpus(PAGE)
    controls.settings(PAGE)


def draw() -> None:
    """Everything that follows the step."""
    step = controls.step_bar(PAGE, run.steps)
    st.html(sentences.step(run, step, glyph))
    corpus, pairs = st.columns([1, 1], gap="large")
    with corpus:
        st.markdown("##### Corpus")
        shown, changed = tables.words(run, step)
        made = run.merges[step - 1].token if step else None
        st.html(token_chips.words(shown, changed, glyph, made))
        st.html(token_chips.note(sentences.corpus_window(run, step)))
    with pairs:
        st.markdown("##### Pair counts")
        counts = tables.pair_counts(run, step, glyph)
        if len(counts):
            st.altair_chart(charts.pair_frequency(counts), width="stretch", key="pairs")
        st.html(token_chips.note(sentences.pair_window(run, step)))
    st.markdown("##### Merge history")
    if step:
        st.dataframe(tables.merge_history(run, step, glyph), hide_index=True, height=300)
    st.html(token_chips.note(sentences.history_window(run, step)))


try:
    text, chosen = state.corpus(PAGE), state.settings(PAGE)
    run, glyph = state.run_of(text, chosen), chosen.marker_glyph
except CorpusError:
    frame.remarks(PAGE)
    state.publish(PAGE)  # the sidebar says what is missing
    st.html(token_chips.note("Choose a corpus in the sidebar to train on."))
except (SettingsError, PatternError) as error:
    frame.remarks(PAGE)
    state.publish(PAGE)
    st.error(sentences.problem(error))
else:
    state.fit_step(PAGE, run.steps)
    st.html(sentences.outcome(run, text))
    controls.stage(PAGE, draw)
