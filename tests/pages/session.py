"""The session of a visitor in Streamlit's test driver. No other test knows how the app keeps it.

A value is named by its page and its field, as `train.step`, or `shared.text` where all pages share it. A component is
named by its key, as `shared.editor`.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.parts.vocabularies.page_vocabulary import PageVocabulary

EDITOR = "shared.editor"  # the box with your text


def key_of(test: AppTest, name: str) -> str:
    """Return the key that a value's widget has now. It changes whenever the page itself sets the value."""
    number = "generations" in test.session_state and test.session_state["generations"].get(name)
    return f"{name} {number}" if number else name


def value(test: AppTest, name: str) -> Any:
    """Return a value, in the form that its widget has."""
    return test.session_state[key_of(test, name)]


def has_value(test: AppTest, name: str) -> bool:
    return key_of(test, name) in test.session_state


def choose_values(test: AppTest, chosen: Mapping[str, Any]) -> None:
    """Set values, in the form that their widgets have, as a message of the browser does. Run nothing."""
    for name, each in chosen.items():
        test.session_state[name] = each


def choose_example(test: AppTest, example: str) -> None:
    """Set an example as the text of all pages. Run nothing."""
    choose_values(test, {"shared.corpus": example, "shared.text": None})


def send(test: AppTest, component: str, request: dict[str, Any]) -> None:
    """Set the request of a component, as a message of the browser does. Run nothing."""
    test.session_state[component] = {"request": request}


def last_message(test: AppTest, component: str) -> dict[str, Any]:
    """Return the last request of a component."""
    return test.session_state[component]["request"]


def text_in(test: AppTest, box: str = EDITOR) -> tuple[int, str]:
    """Return the version and the text of a box."""
    return test.session_state[f"{box} typed"]


def name_text(test: AppTest, name: str) -> None:
    """Set the name of the file that your text is from."""
    test.session_state["shared unlinked"] = {"text_name": name}


def has_opened(test: AppTest, opened: PageVocabulary) -> None:
    """Let a vocabulary be opened from a file."""
    test.session_state["opened tokenizers"] = {"file": opened, opened.name: opened}


def took(test: AppTest, page: str, seconds: float) -> None:
    """Let the last training of a page have taken so long."""
    test.session_state[f"{page}.training seconds"] = seconds


def drop(name: str) -> None:
    """In a script: drop a value, as Streamlit does with the value of a widget that a run does not draw."""
    del st.session_state[name]
