"""The focus, and with it what is in sight, goes to what a button has opened: the button itself is gone then."""

from __future__ import annotations

import streamlit as st

from pages.parts.session import state


def move_to(page: str, element: str) -> None:
    """Move the focus to the element of this id, once the page is drawn again."""
    state.remember(f"{page}.focus", (element, state.recall(f"{page}.moves", 0)))
    state.remember(f"{page}.moves", state.recall(f"{page}.moves", 0) + 1)


def draw(page: str) -> None:
    """Do so; each time by a script of its own, since the browser runs none twice. At the end of the page."""
    element, move = state.recall(f"{page}.focus", ("", 0))
    script = f"document.getElementById({element!r})?.focus() // {move}" if element else ""
    st.html(f"<span></span><script>{script}</script>", width=1, unsafe_allow_javascript=True)
    state.remember(f"{page}.focus", None)
