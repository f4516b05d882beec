"""The choice of what a training starts from: the alphabet, a vocabulary that ships, or an opened tokenizer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

import streamlit as st

from bpe_core.kinds import OneOf
from bpe_core.settings import GIVEN, SETTINGS
from pages.parts.page.opening_box import opening_box
from pages.parts.page.tokenizer_choice import assumptions_shown
from pages.parts.state import state
from pages.parts.state.page_states import PageState, WithOpening
from pages.parts.state.tokenizer_keys import OPENED
from pages.parts.state.values import changed
from pages.parts.trainings import chosen_start
from pages.parts.ui.controls import pick
from pages.parts.ui.sentences import plain
from pages.parts.vocabularies import opened_vocabularies

S = TypeVar("S", bound=PageState)
ANOTHER = {OPENED: "Another: open a tokenizer …"}  # the choice that opens the box below the menu
ELSEWHERE = "A file or a model on the Hub is offered here once it is open on the Train page or in the Playground."


def start_menu(
    page: type[S],
    name: str,
    shown: str,
    then: Callable[[S], S] | None = None,
    opened: Callable[[S, str], S] | None = None,
) -> None:
    """Draw the choice of a start. `name`: the name of the value. `shown`: the value. `then`: see `state.widget`.

    `opened`: a function that takes the state and the key of a tokenizer that was opened here. It returns the state with
    that tokenizer as the start (see `opening_box`). None on a page that opens no tokenizer.
    """
    kind = SETTINGS["start"].kind
    assert isinstance(kind, OneOf)
    now = state.read(page)
    titles = {key: option.title for key, option in kind.options.items() if key != GIVEN} | opened_vocabularies.titles()
    pick(
        page,
        name,
        titles | (ANOTHER if opened else {}),
        SETTINGS["start"].title,
        help=SETTINGS["start"].about,
        then=partial(_after, name, shown, then) if opened else then,
    )
    st.caption(f"Training starts from {plain(chosen_start.title(shown))}.{'' if opened else f' {ELSEWHERE}'}")
    if found := opened_vocabularies.opened().get(shown):
        assumptions_shown(found)
    if opened and isinstance(now, WithOpening) and now.opening:
        opening_box(type(now), cast(Any, opened))


def _after(name: str, shown: str, then: Callable[[S], S] | None, now: S) -> S:
    """Return the state after a choice: with the box open and the start kept if another tokenizer is to be opened.

    `shown`: the key of the start before the choice.
    """
    if getattr(now, name) in ANOTHER:
        return changed(now, {name: shown, "opening": True, "unopened": ""})
    return then(now) if then else now
