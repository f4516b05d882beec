"""Which tokenizers the Playground shows: the chosen one, and others beside it. A box always names what is shown."""

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

ANOTHER = {OPENED: "Another: open a tokenizer …"}  # leads to the menu beside the box
SPECIALS = {"yes": "Recognise", "no": "Treat as text"}


def tokenizer_row(page: str) -> Vocabulary:
    """Choose the tokenizer and what is done with special tokens; returns it, or what stands in for it."""
    fetch_asked(page)
    chosen, said = inputs.vocabulary_or_stand_in(state.get(page, "tokenizer"))
    if state.get(page, "tokenizer") != chosen.name:
        state.put(page, "tokenizer", chosen.name)  # the box names what is shown
    on_change = partial(_chosen, page, chosen.name)
    pick(page, "tokenizer", "Tokenizer", _offered([chosen.name]) | ANOTHER, width=230, on_change=on_change)
    pick(page, "specials", "Special tokens", SPECIALS, width=150)
    opening(page)
    if said:
        st.html(elements.problem(said))
    return chosen


def _chosen(page: str, shown: str) -> None:
    """Where another tokenizer than those in the box is wanted, open the menu that has it; what is shown stays.

    Else the whole page is drawn: Share says what a link to this tokenizer cannot carry.
    """
    if state.get(page, "tokenizer") in ANOTHER:
        state.put(page, "tokenizer", shown)
        state.remember(f"{page}.opening", True)
    else:
        st.rerun()


def beside(page: str) -> list[Vocabulary]:
    """Choose any number of other tokenizers; returns those that can be had."""
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
    for _, said in found.values():
        if said:
            st.html(elements.problem(said))
    return [found[key][0] for key in shown if found[key][0] is not None]


def _offered(chosen: Collection[str]) -> dict[str, str]:
    """The tokenizers to choose from, those that were opened under their own names."""
    opened = inputs.opened()
    known = {key: title for key, title in offered(chosen).items() if key != OPENED}
    return known | {key: vocabulary.title for key, vocabulary in opened.items() if key != OPENED}
