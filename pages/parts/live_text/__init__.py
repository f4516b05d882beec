"""The live view of a text: an editor, its tokens, and a vocabulary that grows under the finger.

The only browser component. It asks the server once a text; `payload` says what the answer is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.views.theme import TOKEN_STYLE

_FOLDER = Path(__file__).parent
SCRIPTS = ("text.js", "cut.js", "panes.js", "token_view.js")


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def script() -> str:
    """The component's JavaScript as one module; `token_view.js` has its exports."""
    return "\n".join(map(_read, SCRIPTS))


_mount = st.components.v2.component(
    "token_view",
    html=_read("token_view.html"),
    css=TOKEN_STYLE + _read("token_view.css"),
    js=script(),
)


def token_view(key: str, payload: dict[str, Any]) -> None:
    """Show the view. What is done in it arrives in the session under `key`: request, step, selected, options."""
    unchanged = dict.fromkeys(("request", "step", "selected", "options"))
    listen = {f"on_{name}_change": _nothing for name in unchanged}
    _mount(key=key, data=payload, **listen)


def _nothing() -> None:
    """Streamlit keeps only the states that someone listens to."""
