"""Train: step through the merges of a training run and understand each one."""

import streamlit as st

from pages.parts.session import branches, inputs, runs, state, your_text
from pages.parts.train import train_choices, train_views
from pages.parts.views import charts, sentences, tables, token_chips
from pages.parts.widgets import downloads, frame, settings_row, step_bar, text_box, training_status

PAGE = "train"

frame.page("pages/train.py")
text_box.text_box(PAGE)
settings_row.settings_row(PAGE)


def draw() -> None:
    """Everything that follows the step."""
    state.keep(PAGE)
    step = step_bar.step_bar(PAGE, run.steps)
    if run.steps:
        downloads.chart(charts.timeline(tables.timeline(run), step), "timeline", "the count of every merge", jump)
    guessing = train_choices.predict(PAGE, run, step)
    st.html(sentences.step(run, step, glyph, tell_next=not guessing))
    train_choices.branch(PAGE, run, step, glyph)
    corpus, pairs = st.columns(2, gap="large")
    with pairs:
        st.markdown("##### Pair counts")
        pair = train_choices.guess(PAGE, run, step, glyph) if guessing else pair_chart(step)
    with corpus:
        st.markdown("##### Corpus")
        find, sort = train_choices.corpus_window(PAGE)
        shown = tables.words(run, step, find, sort, pair)
        made = run.merges[step - 1].token if step else None
        st.html(token_chips.words(shown.rows, shown.changed, glyph, made, pair))
        st.html(token_chips.note(sentences.corpus_window(run, step, matching=shown.total)))
        if not guessing:
            train_choices.word_pairs(PAGE, run, step, shown.rows, glyph)
    if not guessing:  # the panels would tell
        train_views.draw(run, step, glyph)


def jump() -> None:
    """Go to the step that was clicked in the timeline."""
    if chosen := state.recall("timeline")["selection"].get("jump"):
        state.put(PAGE, "step", int(chosen[0]["step"]))
        state.play(PAGE, None)


def pair_chart(step: int) -> tuple[bytes, bytes] | None:
    """The most frequent pairs; returns the one that was clicked."""
    counts = tables.pair_counts(run, step, glyph)
    if not len(counts):
        st.html(token_chips.note("No pair is left."))
        return None
    selected = downloads.chart(charts.pair_frequency(counts, choose=True), "pairs", "the most frequent pairs", "rerun")
    st.html(token_chips.note(sentences.pair_window(run, step)))
    chosen = selected.get("pair")
    if not chosen:
        return None
    pair = branches.pair_of(chosen[0]["hex"])
    st.html(sentences.focus(run, step, *pair, glyph))
    return pair


with training_status.explained(PAGE):
    text, glyph = your_text.corpus(PAGE), state.get(PAGE, "glyph")
    run = training_status.trained(PAGE, lambda values: runs.run_of(text, inputs.settings(PAGE, values=values)))
    inputs.keep_trained(text, run)
    state.start_over(PAGE, inputs.film_of(text, run))
    state.fit_step(PAGE, run.steps)
    st.html(sentences.outcome(run, text.name))
    step_bar.stage(PAGE, draw)
