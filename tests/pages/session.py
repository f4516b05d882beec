"""The session of a visitor in Streamlit's test driver. No other test knows how the app keeps it.

A value is named by its page and its field, as `train.step`, or `shared.text` where all pages share it. A component is
named by its key, as `shared.editor`.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.parts.page.frame import PAGES
from pages.parts.page.your_text import FIRST_VERSION
from pages.parts.state.page_states import PageState
from pages.parts.state.state import Session
from pages.parts.state.tokens_state import Tokens
from pages.parts.state.values import changed, getters, rows
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

EDITOR = "shared.editor"  # the box with your text


def _session(test: AppTest) -> Session:
    if "session" not in test.session_state:
        test.session_state["session"] = Session()
    found: Session = test.session_state["session"]
    return found


def _named(name: str) -> tuple[type[PageState], str]:
    """Return a page that has a value, and the name of its field."""
    page_name, _, linked = name.partition(".")
    page = Tokens if page_name == "shared" else PAGES[page_name].state
    return page, next((field for field, row in rows(page).items() if row.name == linked), linked)


def key_of(test: AppTest, name: str) -> str:
    """Return the key that a value's widget has now. It changes whenever the page itself sets the value."""
    number = _session(test).generations.get(name)
    return f"{name} {number}" if number else name


def value(test: AppTest, name: str) -> Any:
    """Return a value, in the form that its widget has."""
    page, field = _named(name)
    found = getters(page)[field](_session(test).read(page))
    return rows(page)[field].to_widget(found) if field in rows(page) else found


def has_value(test: AppTest, name: str) -> bool:
    page, _ = _named(name)
    return page.PAGE in _session(test).states


def choose_values(test: AppTest, chosen: Mapping[str, Any]) -> None:
    """Set values, in the form that their widgets have, as a message of the browser does. Run nothing."""
    here = _session(test)
    for name, each in chosen.items():
        page, field = _named(name)
        if field not in rows(page):  # a component's messages
            test.session_state[name] = each
            continue
        here.store(changed(here.read(page), {field: rows(page)[field].from_browser(each)}), [field])


def typed_before(text: str, number: int = 7) -> dict[str, Any]:
    """Return the values of a session in which this text was typed, for `choose_values`."""
    return {EDITOR: {"request": {"number": number, "version": FIRST_VERSION + 1, "choice": {"text": text}}}}


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
    return _session(test).others["typed texts"][box]


def name_text(test: AppTest, name: str) -> None:
    """Set the name of the file that your text is from."""
    _session(test).share({"text_name": name})


def has_opened(test: AppTest, opened: PageVocabulary) -> None:
    """Let a vocabulary be opened from a file."""
    _session(test).others["opened tokenizers"] = {"file": opened, opened.name: opened}


def took(test: AppTest, page: str, seconds: float) -> None:
    """Let the last training of a page have taken so long."""
    _session(test).others["training seconds"] = {page: seconds}


def drop(name: str) -> None:
    """In a script: drop a value, as Streamlit does with the value of a widget that a run does not draw."""
    st.session_state.pop(name, None)
