"""The biography of one token on its own: its tree of merges, and what is told of it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from bpe_core.display.colours import HUES
from bpe_core.display.style import TOKEN_STYLE, shade_rules
from bpe_core.display.token_text import MARKS
from bpe_core.live.script import script, source

_mount = st.components.v2.component(
    "token_life",
    html=source("panel.html") + '<p id="said" role="status"></p>',
    css=TOKEN_STYLE + shade_rules("fill") + source("controls.css", "panel.css"),
    js=script("life.js"),
)


def token_life(key: str, told: dict[str, Any], glyph: str) -> None:
    """Show a biography: `id`, `born`, `tree` (token in hex, step, halves), whether it is `whole`, and `facts`."""
    _mount(key=key, data={**told, "glyph": glyph, "marks": MARKS, "hues": HUES})
