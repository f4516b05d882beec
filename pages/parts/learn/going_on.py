"""The way from a lesson to another page, whose values the lesson sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from bpe_core import Settings
from pages.parts.learn.lessons import GoOn
from pages.parts.learn.texts import GPT2_KEY
from pages.parts.session import inputs, state
from pages.parts.session.corpora import example
from pages.parts.session.examples import EXAMPLES
from pages.parts.session.links import OWN, PARAMS, SIDES, of_side

PAGES = {  # of each page: its file, and the label of the button
    "train": ("pages/train.py", "Go on: train it step by step"),
    "compare": ("pages/compare.py", "Go on: compare both splits"),
    "playground": ("pages/playground.py", "Go on: try it in the Playground"),
    "algorithms": ("pages/algorithms.py", "Go on: step through all three"),
}


def values(going: GoOn) -> dict[str, Any]:
    """Return the values, by name, of the page that `going` leads to."""
    model = {"tokenizer": GPT2_KEY} if going.page == "playground" else {}  # the tokenizer of the lessons
    return dict(_text(going)) | dict(_settings(going)) | model | dict(going.values)


def _text(going: GoOn) -> Iterator[tuple[str, str]]:
    known = next((key for key in EXAMPLES if example(key).text == going.text), OWN)
    yield "corpus", known
    if known == OWN:
        yield "text", going.text


def _settings(going: GoOn) -> Iterator[tuple[str, Any]]:
    sides: dict[str, Settings | None] = {"": going.settings}
    if going.right is not None:
        sides = dict(zip(SIDES, (going.settings, going.right), strict=True))
    for side, settings in sides.items():
        for name, value in inputs.values_of(settings).items() if settings is not None else ():
            held = next((known for known in (of_side(side, name), name) if known in PARAMS[going.page]), None)
            if held:
                yield held, value


def query(going: GoOn) -> dict[str, str]:
    """Return the values as a link has them."""
    return state.written(going.page, values(going))


def button(going: GoOn) -> None:
    """Draw a button that opens the page; if the app is embedded in another page, a link that opens the app."""
    path, label = PAGES[going.page]
    if st.context.is_embedded:
        st.link_button(label, f"{going.page}?{urlencode(query(going))}")
    elif st.button(label):
        state.show(going.page, values(going))
        st.switch_page(path)
