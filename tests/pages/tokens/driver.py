"""Pages about a tokenizer run by Streamlit's own test driver: visited with a link and a session, and read."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from streamlit.testing.v1 import AppTest

from pages.parts.page.your_text import FIRST_VERSION
from pages.parts.server.addresses import moved
from tests.pages.driver import APP, components
from tests.pages.session import EDITOR, choose_values


def visit(query: dict[str, str] | None = None, state: dict | None = None, page: str = "") -> AppTest:
    """Open a page by a link. `page`: the page's address; "" for Tokens."""
    at = AppTest.from_file(str(APP), default_timeout=300)
    if page:
        at.switch_page(f"pages/{page}.py")
    for name, value in (query or {}).items():
        at.query_params[name] = value
    choose_values(at, state or {})
    at.run()
    assert not at.exception
    return at


def visit_former(query: dict[str, str] | None = None, state: dict | None = None) -> AppTest:
    """Open a link of version 2's Playground, where the server sends a browser."""
    page, _, found = (moved("playground", urlencode(query or {})) or "").partition("?")
    return visit(dict(parse_qsl(found, keep_blank_values=True)), state, page)


def sent(at: AppTest) -> dict:
    """What the last component on the page is told: the tokens, the rows, or the life of a token."""
    return components(at)[-1]


def in_editor(at: AppTest) -> dict:
    return components(at)[1]


def said(at: AppTest) -> str:
    return " ".join(element.proto.body for element in at.get("html"))


def typed(text: str, number: int = 7) -> dict:
    """The session where this text was typed."""
    return {EDITOR: {"request": {"number": number, "version": FIRST_VERSION + 1, "choice": {"text": text}}}}


def link_of(at: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in at.query_params.items()}
