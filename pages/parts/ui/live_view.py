"""The Streamlit component that shows a live view, and functions that show the views of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from bpe_core.pictures.prompt.prompt_data import PROMPT_END
from bpe_core.pictures.rows.rows_data import TOKEN_ROWS
from bpe_core.pictures.shared.colours import HUES
from bpe_core.pictures.shared.token_text import MARKS
from bpe_core.pictures.shared.view import View
from bpe_core.pictures.tokens.tokens_data import TOKEN_BIOGRAPHY, TOKENS
from pages.parts.server import resource_route
from pages.parts.server.resource_route import Given
from pages.parts.server.served import Script
from pages.parts.state import state

LOADER = Path(__file__).with_name("loader.js").read_text(encoding="utf-8")


class LiveView:
    """A Streamlit component that shows a live view. Streamlit carries data to the view, and requests from the view.

    The session has the last request of a view under the component's key (see `read_request`). The view's script does
    not travel with the data: a browser fetches the script once, from the script's address.
    """

    def __init__(self, name: str, view: View, script: Callable[[], str] | None = None) -> None:
        """Register the component.

        `script`: a function that returns the view's script; None to use `view.script`.
        """
        make = script or view.script
        self.script = Script(name, lambda: make().encode())
        self._mount = st.components.v2.component(name, html=view.html, css=view.css or None, js=LOADER)

    def show(self, key: str, data: Mapping[str, Any], on_request: Callable[[], None] | None = None) -> None:
        """Show the view. `on_request`: called when a request has arrived, before the run that answers the request."""
        sent = {"script": self.script.address, "data": data}  # Streamlit asks of each: is it like a dataframe?
        # Streamlit drops a request for which there is no callback.
        self._mount(key=key, data=sent, on_request_change=on_request or _nothing)


def _nothing() -> None:
    """Do nothing with a request: Streamlit drops a request for which there is no callback."""


_TOKENS = LiveView("token_view", TOKENS)
_ROWS = LiveView("token_rows", TOKEN_ROWS)
_BIOGRAPHY = LiveView("token_biography", TOKEN_BIOGRAPHY)
_PROMPT_END = LiveView("prompt_end", PROMPT_END)
SCRIPTS = tuple(view.script for view in (_TOKENS, _ROWS, _BIOGRAPHY, _PROMPT_END))


def asks(picture: str, thing: object, of: tuple[object, ...], is_ours: bool) -> dict[str, Any]:
    """Return whom a picture asks about a thing (see `server.resource_route`).

    The session has the thing until another page is open. `picture`: its name; it asks about one thing at a time. `of`:
    differs for another thing. `is_ours`: see `Given`.
    """
    name = f"given to {picture}"

    def given() -> Given:
        _, before = state.session().results.get(name, (None, None))
        return Given(thing, is_ours, before if isinstance(before, Given) else None)

    return {"address": resource_route.address(), "handle": state.latest(name, of, given).handle}


def token_view(key: str, data: Mapping[str, Any]) -> None:
    """Show the tokens of a text, which grow as the visitor steps through the merges. `data`: see `text_data`."""
    _TOKENS.show(key, data)


def token_rows(
    key: str,
    rows: Sequence[Mapping[str, Any]],
    table: Sequence[Mapping[str, Any]],
    finding: str = "",
    text: str = "",
    asks: Mapping[str, Any] | None = None,
) -> None:
    """Show one text under several tokenizers, with a row for each tokenizer. Mark tokens that the first row lacks.

    `rows`: see `TextRow` in `bpe_core/pictures/shared/types.js`. `table`: the rows of the CSV file that the view
    offers. Each row is a mapping: name of a column → value. `finding`: a sentence above the rows. `text`: the text of
    the rows. `asks`: whom the view asks for the rows of what is typed; None if it does not follow the typing.
    """
    columns = list(table[0]) if table else []
    told = {"rows": rows, "finding": finding, "table": table, "columns": columns, "given": text}
    data = {**told, "marks": MARKS, "hues": HUES}
    _ROWS.show(key, data | ({"asks": asks} if asks else {}))


def token_biography(key: str, life: Mapping[str, Any], glyph: str) -> None:
    """Show the life of a token.

    `life`: a mapping with five keys. `id`: the token's id. `born`: how the token came about. `tree`: the tree of the
    token's merges (token in hex, step, halves). `whole`: whether that tree is complete. `facts`: facts about the token.
    """
    _BIOGRAPHY.show(key, {**life, "glyph": glyph, "marks": MARKS, "hues": HUES})


def prompt_end_view(key: str, data: Mapping[str, Any]) -> None:
    """Show a prompt whose end the visitor can move. `data`: see `prompt_data`."""
    _PROMPT_END.show(key, data)
