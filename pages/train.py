"""Train: step through the merges of a training run and understand each one."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from bpe_core import Run
from bpe_core.display.token_text import glyph_of
from bpe_core.live import word_window
from bpe_core.live.film_data import RunSide
from bpe_core.live.film_view import Position, Stage
from pages.parts.session import inputs, links, runs, state, steps, your_text
from pages.parts.train import train_views
from pages.parts.views import elements, sentences
from pages.parts.widgets import controls, frame, settings_row, text_box, training_status
from pages.parts.widgets.film_player import Player

PAGE = "train"

frame.page("pages/train.py")
left, right = st.columns([4, 3], gap="medium")
with left:
    text_box.text_box(PAGE, height=66)
with right:
    settings_row.settings_row(PAGE)


def stages(now: Position) -> list[Stage]:
    """Return what the film shows: the run, with the words that match the search."""
    window = word_window.words(run, now.find, now.sort)
    note = f"{window.note}{sentences.marker(run.settings.word_marker, glyph)}"
    return [Stage(side, window.rows, note, sort=window.sort)]


def branch(_side: int, step: int, left: int, right: int) -> None:
    """Merge another pair at this step, and forget the pairs that were chosen for later steps of the former run."""
    earlier = {at: pair for at, pair in run.settings.forced.items() if at < step}
    state.put(PAGE, "forced", links.in_page("forced", earlier | {step: (run.tokens[left], run.tokens[right])}))
    steps.go(PAGE, step)


def views() -> None:
    """Draw the outcome of the training, and the open view at the film's step."""
    if run.settings.forced:
        way_back()
    st.html(sentences.outcome(run, text.title))
    train_views.draw(PAGE, run, min(state.get(PAGE, "step"), run.steps), glyph)


def way_back() -> None:
    """Draw the steps whose pairs the visitor chose, and a button that gives these choices up."""
    chosen = ", ".join(f"{at:,}" for at in sorted(run.settings.forced))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(elements.note(f"You chose the pair at step {chosen}."), width="content")
        controls.button("Back to the rule's choice", state.put, PAGE, "forced", "")


def train(values: Mapping[str, Any]) -> Run:
    """Return the run of the page's values."""
    return runs.run_of(text, inputs.settings(PAGE, values=values))


above, film = st.container(), st.container()
with above, training_status.explained(PAGE):
    text = your_text.corpus(PAGE)
    run = training_status.trained(PAGE, train)
    inputs.remember_trained(text, run)
    steps.start_over(PAGE, inputs.film_of(text, run))
    glyph = glyph_of(run.settings.word_marker, state.get(PAGE, "glyph"))
    side = RunSide(run, glyph)
    steps.fit(PAGE, run.steps)
    frame.remarks(PAGE)
    with film:
        Player(PAGE, [side], stages, sorts=word_window.SORTS, branch=branch).play(below=views)
