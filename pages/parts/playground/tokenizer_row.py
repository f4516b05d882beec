"""The choice of the Playground's tokenizer, and of others to compare with it. Each box names what the page shows."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import streamlit as st

from pages.parts.playground.open_menu import fetch_asked, opening
from pages.parts.session import inputs, state
from pages.parts.session.tokenizer_keys import OPENED
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import elements
from pages.parts.widgets.controls import pick
from pages.parts.widgets.tokenizer_choice import offered

ANOTHER = {OPENED: "Another: open a tokenizer …"}  # opens the menu next to the box
SPECIALS = {"yes": "Recognise", "no": "Treat as text"}


def tokenizer_row(page: str) -> Vocabulary:
    """Draw the choice of a tokenizer and of how to read special tokens; return the tokenizer, or another instead."""
    fetch_asked(page)
    chosen, problem = inputs.vocabulary_or_stand_in(state.get(page, "tokenizer"))
    if state.get(page, "tokenizer") != chosen.name:
        state.put(page, "tokenizer", chosen.name)  # the box names what is shown
    on_change = partial(_chosen, page, chosen.name)
    pick(page, "tokenizer", "Tokenizer", _offered([chosen.name]) | ANOTHER, width=230, on_change=on_change)
    pick(page, "specials", "Special tokens", SPECIALS, width=150)
    opening(page)
    if problem:
        st.html(elements.problem(problem))
    return chosen


def _chosen(page: str, shown: str) -> None:
    """If the visitor wants to open another tokenizer, show the menu for that; else rerun the whole page.

    The rerun is for Share, which says what a link to this tokenizer cannot carry.
    """
    if state.get(page, "tokenizer") in ANOTHER:
        state.put(page, "tokenizer", shown)
        state.remember(f"{page}.opening", True)
    else:
        st.rerun()


def others(page: str) -> list[Vocabulary]:
    """Draw the choice of any number of other tokenizers; return those that can be loaded."""
    chosen = state.get(page, "against")
    found = {key: inputs.vocabulary_or_why(key) for key in chosen}
    named = _offered(chosen)
    shown = [key for key in chosen if key in named]
    if shown != chosen:
        state.put(page, "against", shown)  # the box names what is shown
    st.multiselect(
        "Compare with", list(named), format_func=named.get, key=state.key(page, "against"),
        placeholder="Choose any number of others", on_change=st.rerun,
    )  # fmt: skip
    for _, problem in found.values():
        if problem:
            st.html(elements.problem(problem))
    return [found[key][0] for key in shown if found[key][0] is not None]


def _offered(chosen: Collection[str]) -> dict[str, str]:
    """Return the titles of the tokenizers to choose from, by key, with each opened tokenizer under its own key."""
    opened = inputs.opened()
    known = {key: title for key, title in offered(chosen).items() if key != OPENED}
    return known | {key: vocabulary.title for key, vocabulary in opened.items() if key != OPENED}
