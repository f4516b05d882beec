"""The Share button: copies the page's link, and says what the link cannot carry."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.session import state

SHARE = "the Share button"  # the key of its fragment
# What may be too long, as one says it.
TEXTS = {
    "text": "text",
    "held_text": "held-out text",
    "second": "second text",
    "training": "text that the vocabulary was trained on",
}
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
    """The button; the link is the page's address as it stands when it is pressed."""
    names = " and the ".join(TEXTS.get(name, name) for name in state.left_out(page))
    left_out = f"Too long for a link. Send the {names} separately." if names else ""
    _mount(key=f"{page}.share", data={"left_out": left_out}, width="content", height="content")
