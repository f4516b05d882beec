"""The Share button, which copies the page's link and says what the link cannot carry."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.session import state

SHARE = "the Share button"  # the key of its fragment
_FOLDER = Path(__file__).parent
_mount = st.components.v2.component(
    "share",
    html='<button type="button">Share</button>'
    '<div class="said"><input aria-label="Link" readonly hidden><span role="status"></span></div>',
    css=(_FOLDER / "share.css").read_text(encoding="utf-8"),
    js=(_FOLDER / "share.js").read_text(encoding="utf-8"),
)


@st.fragment(key=SHARE)
def share(page: str) -> None:
    """Draw the button. It copies the page's address of the moment when it is pressed."""
    _mount(key=f"{page}.share", data={"left_out": state.left_out(page)}, width="content", height="content")
