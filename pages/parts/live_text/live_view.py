"""The one Streamlit component that shows a live view: its data goes in, its messages come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import streamlit as st

from bpe_core.live.view import View
from pages.parts.live_text.served import LOADER, script_address


class LiveView:
    """A view as a component of the app.

    `messages`: the names under which the view sends what a reader did; the session has them under the component's key.
    `script`: returns a script that is served once, under an address; without it the view's own script travels with
    every answer.
    """

    def __init__(
        self, name: str, view: View, messages: Sequence[str] = (), script: Callable[[], str] | None = None
    ) -> None:
        """Register the component."""
        self.name, self.messages, self.script = name, messages, script
        code = LOADER if script else view.script()
        self._mount = st.components.v2.component(name, html=view.html, css=view.css or None, js=code)

    def show(
        self, key: str, data: Mapping[str, Any], on_message: Mapping[str, Callable[[], None]] | None = None
    ) -> None:
        """Show the view. `on_message`: for some messages, what is called before the run in which one has arrived."""
        address = {"script": script_address(self._served, self.name)} if self.script else {}
        # Streamlit keeps only the messages that someone listens to.
        listeners = dict.fromkeys(self.messages, _nothing) | dict(on_message or {})
        self._mount(key=key, data={**data, **address}, **{f"on_{name}_change": act for name, act in listeners.items()})

    @cached_property
    def _served(self) -> bytes:
        return self.script().encode() if self.script else b""


def _nothing() -> None:
    """Do nothing."""
