"""The tokens of a text, and a vocabulary that grows under the finger; see `text_data` for its data."""

from __future__ import annotations

from typing import Any

import streamlit as st

from bpe_core.display.style import TOKEN_STYLE, shade_rules
from bpe_core.live.script import script, source
from pages.parts.live_text.served import LOADER, script_address

SCRIPT = script("token_view.js")
_SENT = ("step", "selected", "options")

_mount = st.components.v2.component(
    "token_view",
    html=source("token_view.html").replace("PANEL", source("panel.html")),
    css=TOKEN_STYLE + shade_rules("fill") + source("controls.css", "panel.css", "token_view.css"),
    js=LOADER,
)


def token_view(key: str, payload: dict[str, Any]) -> None:
    """Show the view. What is done in it arrives in the session under `key`: step, selected, options."""
    _mount(
        key=key,
        data=payload | {"script": script_address(SCRIPT.encode(), "token view")},
        **{f"on_{name}_change": _nothing for name in _SENT},
    )


def _nothing() -> None:
    """Streamlit keeps only the states that someone listens to."""
