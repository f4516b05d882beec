"""The focus after a click on a button that disappears: it goes to what the button opened, which scrolls into view."""

from __future__ import annotations

import streamlit as st

from pages.parts.session import state


def move_to(page: str, element: str) -> None:
    """Move the focus to the element with this id when the page is drawn again."""
    state.remember(f"{page}.focus", (element, state.recall(f"{page}.moves", 0)))
    state.remember(f"{page}.moves", state.recall(f"{page}.moves", 0) + 1)


def draw(page: str) -> None:
    """Draw the script that moves the focus, with a number, since a browser runs no script twice.

    Call this at the end of the page.
    """
    element, move = state.recall(f"{page}.focus", ("", 0))
    script = f"document.getElementById({element!r})?.focus() // {move}" if element else ""
    st.html(f"<span></span><script>{script}</script>", width=1, unsafe_allow_javascript=True)
    state.remember(f"{page}.focus", None)
