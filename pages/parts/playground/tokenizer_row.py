"""The choice of the Playground's tokenizer, and of others to compare with it. A box names the tokenizers shown."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts.page import chosen_vocabulary
from pages.parts.page.opening_box import fetch_asked, opening_box
from pages.parts.page.tokenizer_choice import offered
from pages.parts.state import state
from pages.parts.state.playground_state import Playground
from pages.parts.state.tokenizer_keys import OPENED
from pages.parts.ui import elements
from pages.parts.ui.controls import menu, pick
from pages.parts.vocabularies import opened_vocabularies
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

ANOTHER = {OPENED: "Another: open a tokenizer …"}  # this choice opens the menu next to the box
SAME = "same"  # the key of the view that compares two tokenizers
SPECIALS = {True: "Recognise", False: "Treat as text"}


def tokenizer_row() -> tuple[PageVocabulary, str]:
    """Draw the choice of a tokenizer and of how to read special tokens.

    Return the tokenizer that the page shows and, if another tokenizer was chosen, the reason; else "".
    """
    now = fetch_asked(state.read(Playground), _showing)
    chosen, problem = chosen_vocabulary.vocabulary_or_stand_in(now.tokenizer)
    state.save(replace(now, tokenizer=chosen.name))  # the box names the tokenizer that is shown
    titles = _offered([chosen.name]) | ANOTHER
    # The whole page reruns, since the Share button says what a link to this tokenizer cannot carry.
    then = partial(_another, chosen.name)
    pick(Playground, "tokenizer", titles, label_visibility="collapsed", width=190, then=then, whole=True)
    with menu("Open a tokenizer", **state.widget(Playground, "opening")):
        opening_box(Playground, _showing)
    if now.view not in ("chat", SAME):  # in a chat special tokens are always recognised, as in models' libraries
        with menu("More"):
            pick(Playground, "specials", SPECIALS, width=200)
    return chosen, problem


def _showing(now: Playground, key: str) -> Playground:
    """Return the state with an opened tokenizer as the page's or, in the views that compare, as one to compare."""
    now = replace(now, opening=False)
    if now.view == "side-by-side":
        return replace(now, against=tuple(dict.fromkeys([*now.against, key])))
    if now.view == SAME:  # of two that are opened, the first is compared with the second
        return replace(
            now, other=key, tokenizer=now.other if now.other in opened_vocabularies.titles() else now.tokenizer
        )
    return replace(now, tokenizer=key)


def _another(shown: str, now: Playground) -> Playground:
    """Return the state after a choice in the box: with the menu open if the visitor wants to open another tokenizer.

    `shown`: the key of the tokenizer that the page shows.
    """
    return replace(now, tokenizer=shown, opening=True) if now.tokenizer in ANOTHER else replace(now, by_hand=True)


def others() -> list[PageVocabulary]:
    """Draw the choice of tokenizers to compare with the page's; return the chosen tokenizers that can be loaded."""
    now = state.read(Playground)
    found = {key: chosen_vocabulary.vocabulary_or_why(key) for key in now.against}
    named = _offered(now.against)
    now = state.save(
        replace(now, against=tuple(key for key in now.against if key in named))
    )  # the box names the tokenizers that are shown
    st.multiselect(
        "Compare with", list(named), format_func=lambda key: named[key], placeholder="Compare with",
        label_visibility="collapsed", width="stretch", **state.widget(Playground, "against", whole=True),
    )  # fmt: skip
    for _, problem in found.values():
        if problem:
            st.html(elements.problem(problem))
    loaded = [found[key][0] for key in now.against]
    return [each for each in loaded if each is not None]


def other() -> list[PageVocabulary]:
    """Draw the choice of the tokenizer that is compared with the page's; return it."""
    chosen, problem = chosen_vocabulary.vocabulary_or_stand_in(state.read(Playground).other)
    state.save(replace(state.read(Playground), other=chosen.name))  # the box names the tokenizer that is shown
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(elements.note("and"), width="content")
        titles = {chosen.name: chosen.title} | _offered([chosen.name])
        pick(Playground, "other", titles, label_visibility="collapsed", width=300, whole=True)
    if problem:
        st.html(elements.problem(problem))
    return [chosen]


def _offered(chosen: Collection[str]) -> dict[str, str]:
    """Return the tokenizers to choose from: key → title. Each opened tokenizer has its own key."""
    known = {key: title for key, title in offered(chosen).items() if key != OPENED}
    return known | opened_vocabularies.titles()
