"""The Share button, which copies the page's link and says what the link cannot carry."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.session import links, state
from pages.parts.session.page_states import PageState

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
def share(page: type[PageState]) -> None:
    """Draw the button. It copies the page's address of the moment when it is pressed."""
    left_out = links.left_out(state.read(page))
    _mount(key=f"{page.PAGE}.share", data={"left_out": left_out}, width="content", height="content")
