"""The choice of what a training starts from: the alphabet, a vocabulary that ships, or an opened tokenizer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from bpe_core.settings import GIVEN, SETTINGS
from pages.parts.state import state
from pages.parts.state.page_states import PageState, WithOpening
from pages.parts.trainings import chosen_start
from pages.parts.ui.controls import pick
from pages.parts.vocabularies import opened_vocabularies
from pages.parts.vocabularies.opening_box import Shown, opening_box
from pages.parts.vocabularies.tokenizer_keys import OPENED

ANOTHER = {OPENED: "Another: open a tokenizer …"}  # the choice that opens the box below the menu
ELSEWHERE = "A file or a model on the Hub is offered here once it is open on the Train page or in the Playground."


def start_menu(
    page: type[PageState], name: str, on_change: Callable[[], None] | None = None, opened: Shown[Any] | None = None
) -> None:
    """Draw the choice of a start. `name`: the state field that holds the start.

    `opened`: a function that takes the state and the key of a tokenizer that was opened here. It returns the state with
    that tokenizer as the start (see `opening_box`). None on a page that opens no tokenizer.
    """
    kind: Any = SETTINGS["start"].kind
    now = state.read(page)
    shown = getattr(now, name)
    titles = {key: option.title for key, option in kind.options.items() if key != GIVEN} | opened_vocabularies.titles()
    pick(
        page,
        name,
        titles | (ANOTHER if opened else {}),
        SETTINGS["start"].title,
        help=SETTINGS["start"].about,
        on_change=partial(_chosen, page, name, shown, on_change),
    )
    st.caption(f"Training starts from {chosen_start.title(shown)}.{'' if opened else f' {ELSEWHERE}'}")
    if opened and isinstance(now, WithOpening) and now.opening:
        opening_box(type(now), opened)


def _chosen(page: type[PageState], name: str, shown: str, on_change: Callable[[], None] | None) -> None:
    """If the visitor chose to open another tokenizer, open the box and keep the start. Otherwise call `on_change`.

    `shown`: the key of the start before the choice.
    """
    if getattr(state.read(page), name) in ANOTHER:
        state.put(page, **{name: shown}, opening=True, unopened="")
    elif on_change:
        on_change()
