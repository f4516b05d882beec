"""The choice of what a training starts from: the alphabet, a vocabulary that ships, or an opened tokenizer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from bpe_core.settings import GIVEN, SETTINGS
from pages.parts.session import opened_vocabularies, starts, state
from pages.parts.session.page_states import PageState, WithOpening
from pages.parts.session.tokenizer_keys import OPENED
from pages.parts.widgets.controls import pick
from pages.parts.widgets.opening_box import Shown, opening_box

ANOTHER = {OPENED: "Another: open a tokenizer …"}  # draws the box below the menu
ELSEWHERE = "A file or a model on the Hub is offered here once it is open on the Train page or in the Playground."


def start_choice(
    page: type[PageState], name: str, on_change: Callable[[], None] | None = None, opened: Shown[Any] | None = None
) -> None:
    """Draw the choice of a start. `name`: the page's value.

    `opened`: takes the state and the key of a tokenizer that was opened here, as for `opening_box`; None if the page
    opens none.
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
    st.caption(f"Training starts from {starts.title(shown)}.{'' if opened else f' {ELSEWHERE}'}")
    if opened and isinstance(now, WithOpening) and now.opening:
        opening_box(type(now), opened)


def _chosen(page: type[PageState], name: str, shown: str, on_change: Callable[[], None] | None) -> None:
    """If the visitor wants to open another tokenizer, draw the box; else do what follows from the choice.

    `shown`: the key of the start that the page has.
    """
    if getattr(state.read(page), name) in ANOTHER:
        state.put(page, **{name: shown}, opening=True, unopened="")
    elif on_change:
        on_change()
