"""The one Streamlit component that shows a live view: its data goes in, its requests come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from bpe_core.live.view import View
from pages.parts.live_text.served import Script

LOADER = Path(__file__).with_name("loader.js").read_text(encoding="utf-8")


class LiveView:
    """A view as a component of the app: Streamlit is its source.

    The session has the view's last request under the component's key (see `read_request`). A browser fetches the
    script once, by its address. `script`: makes the script, if `view.script` does not.
    """

    def __init__(self, name: str, view: View, script: Callable[[], str] | None = None) -> None:
        """Register the component."""
        make = script or view.script
        self.script = Script(name, lambda: make().encode())
        self._mount = st.components.v2.component(name, html=view.html, css=view.css or None, js=LOADER)

    def show(self, key: str, data: Mapping[str, Any], on_request: Callable[[], None] | None = None) -> None:
        """Show the view. `on_request`: called before the run in which a request has arrived."""
        # Streamlit keeps a request only if someone listens to it.
        self._mount(key=key, data={**data, "script": self.script.address}, on_request_change=on_request or _nothing)


def _nothing() -> None:
    """Do nothing."""
