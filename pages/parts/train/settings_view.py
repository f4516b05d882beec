"""The settings of the Train page: the row that other pages have too, the presets, a sentence about the settings."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from bpe_core import Run
from bpe_core.settings import suitable_marker
from pages.parts.page import your_text
from pages.parts.page.opening_box import fetch_asked
from pages.parts.page.settings_row import settings_row
from pages.parts.state import state
from pages.parts.state.train_state import Train, with_suitable_marker
from pages.parts.texts.corpora import Corpus
from pages.parts.texts.examples import EXAMPLES
from pages.parts.train import presets
from pages.parts.trainings import chosen_start
from pages.parts.ui import controls, elements

LONGER = "short-story"  # an example with words that no start has as one token
# The functions that return the state after the visitor has changed a setting, by the setting's name.
AFTER = {
    "pretokenizer": with_suitable_marker,
    "word_marker": lambda now: replace(now, marker_chosen=True),
    "start": presets.with_start,
}


def with_usable_start(now: Train) -> Train:
    """Fetch the model that the visitor asked for from the Hub; return the state with a vocabulary to start from."""
    return chosen_start.ensured(fetch_asked(now, presets.with_opened_start), "start")


def settings() -> None:
    """Draw the settings of the training, the presets, and a sentence about the settings."""
    now = state.read(Train)
    if now.marker_chosen is None:  # a link may have a marker that does not follow from its split
        now = state.save(replace(now, marker_chosen=now.word_marker != suitable_marker(now.pretokenizer)))
    chosen, about = presets.preset_of(now), presets.about(now)
    settings_row(Train, then=AFTER, opened=presets.with_opened_start, first=lambda: _preset_menu(chosen, about))
    if not chosen and about != presets.OWN_SETTINGS:  # a visitor would not expect it
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="train-presets"):
            st.html(elements.note(about), width="content")
            if presets.marks_twice(now):
                controls.button("Take the marker off", Train, presets.without_marker)


def nothing_to_join(text: Corpus, run: Run) -> None:
    """Draw a button for a text that has merges, if the training has none."""
    if run.steps or text.name == EXAMPLES[LONGER].title:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="train-nothing"):
        st.html(elements.note("This text has nothing to join under these settings."), width="content")
        controls.button(f"Take “{EXAMPLES[LONGER].title}”", Train, your_text.choose, LONGER)


def _preset_menu(chosen: str, about: str) -> None:
    """Draw the menu of presets. `chosen`: the key of the present preset, or "". `about`: what its help says."""
    label = f"Preset: {presets.PRESETS[chosen].title}" if chosen else "Presets"
    lines = {key: f"{'✓ ' * (key == chosen)}{row.title}: {row.line}" for key, row in presets.PRESETS.items()}
    controls.command_menu(
        label, "train.preset", lines, lambda key: state.change(Train, presets.with_preset, key), help=about
    )
