"""The choice of a page's tokenizer, and of others to compare with it. A box names the tokenizers that are shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Literal, TypeVar

import streamlit as st

from pages.parts.page import chosen_vocabulary
from pages.parts.page.opening_box import fetch_asked, opening_box
from pages.parts.page.tokenizer_choice import ANOTHER, offered
from pages.parts.state import state
from pages.parts.state.page_states import WithOthers, WithTokenizer, WithViewsOfTokenizer
from pages.parts.ui import elements
from pages.parts.ui.controls import PageView, menu, open_view, pick
from pages.parts.vocabularies import opened_vocabularies
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

S = TypeVar("S", bound=WithTokenizer)
Views = TypeVar("Views", bound=WithViewsOfTokenizer)
Others = TypeVar("Others", bound=WithOthers)


def opened_as_own(now: S, key: str) -> S:
    """Return the state with an opened tokenizer as the page's own."""
    return replace(now, opening=False, tokenizer=key)


def opened_beside(now: Others, key: str) -> Others:
    """Return the state with an opened tokenizer as one to compare with the page's own."""
    return replace(now, opening=False, against=tuple(dict.fromkeys([*now.against, key])))


def view_and_tokenizer(
    page: type[Views], views: Mapping[str, PageView], opened: Callable[[Views, str], Views] = opened_as_own
) -> tuple[PageView, PageVocabulary]:
    """Draw the page's tabs and, in the same row, the choice of its tokenizer; return the open view and the tokenizer.

    `opened`: see `tokenizer_row`.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="tabs"):
        view = open_view(page, views, whole=True)
        chosen = tokenizer_row(page, opened)
    return view, chosen


def tokenizer_row(page: type[S], opened: Callable[[S, str], S] = opened_as_own) -> PageVocabulary:
    """Draw the choice of the page's tokenizer, and the menu that opens one; return the tokenizer that the page shows.

    If the chosen tokenizer cannot be shown, draw why. `opened`: takes the page's state and the key of a tokenizer that
    was just opened, and returns the state that shows the tokenizer.
    """
    now = fetch_asked(state.read(page), opened)
    chosen, problem = chosen_vocabulary.vocabulary_or_stand_in(now.tokenizer)
    state.save(replace(now, tokenizer=chosen.name))  # the box names the tokenizer that is shown

    def then(later: S) -> S:
        """Leave the page's tokenizer, and open the menu, if the visitor wants to open another tokenizer."""
        return replace(later, tokenizer=chosen.name, opening=True) if later.tokenizer in ANOTHER else later

    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key="tokenizer", width="content"):
        titles = offered_or_opened([chosen.name]) | ANOTHER
        pick(page, "tokenizer", titles, label_visibility="collapsed", width=190, then=then)
        with menu("Open a tokenizer", **state.widget(page, "opening")):
            opening_box(page, opened)
    if problem:
        st.html(elements.problem(problem))
    return chosen


def others(page: type[WithOthers], label: Literal["visible", "collapsed"] = "collapsed") -> list[PageVocabulary]:
    """Draw the choice of tokenizers to compare with the page's; return the chosen tokenizers that can be loaded.

    `label`: whether its label is to be seen, as among other fields that have one.
    """
    now = state.read(page)
    found = {key: chosen_vocabulary.vocabulary_or_why(key) for key in now.against}
    named = offered_or_opened(now.against)
    now = state.save(
        replace(now, against=tuple(key for key in now.against if key in named))
    )  # the box names the tokenizers that are shown
    st.multiselect(
        "Compare with", list(named), format_func=lambda key: named[key], placeholder="Compare with",
        label_visibility=label, width="stretch", **state.widget(page, "against", whole=True),
    )  # fmt: skip
    for _, problem in found.values():
        if problem:
            st.html(elements.problem(problem))
    loaded = [found[key][0] for key in now.against]
    return [each for each in loaded if each is not None]


def offered_or_opened(chosen: Collection[str]) -> dict[str, str]:
    """Return the tokenizers to choose from: key → title. Each opened tokenizer has its own key."""
    known = offered(chosen)
    return known | opened_vocabularies.titles()
