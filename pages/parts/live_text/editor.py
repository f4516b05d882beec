"""A text area that reacts while one types. Values in, the latest text out; where it is kept is the caller's affair.

The browser sends the text at once, at most one request at a time; what was typed meanwhile follows with the answer
(see `bpe_core/live/web/channel.js`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from bpe_core.live.request import read_request
from bpe_core.live.view import EDITOR
from pages.parts.live_text.live_view import LiveView

KEPT = "mergescope.text"  # the key of the tab's copy in its `sessionStorage`; in editor.js as well
_EDITOR = LiveView("editor", EDITOR)
SCRIPT = _EDITOR.script


def editor(
    key: str,
    sent: Mapping[str, Any],
    text: str,
    version: int,
    label: str,
    placeholder: str = "",
    height: int = 116,
    pause: int = 0,
    on_typed: Callable[[], None] = lambda: None,
    in_tab: str = "",
) -> str:
    """Show the text area; return the text that it has now.

    `sent`: what it has sent so far, the session's value under `key`. `text`: what it holds until something is typed,
    kept up to date by the caller. `version`: another number for every text that was not typed here. `height`: pixels.
    `pause`: milliseconds without a key until a text is sent, for what is too slow to follow every key. `on_typed` is
    called before the run in which something typed has arrived. `in_tab`: what the browser's tab does with its copy of
    the text, which outlives a reload: "keep", "forget" or "give back"; "" for an area that has none.
    """
    now = latest(sent, text, version)
    facts = {"text": now, "version": version, "answered": read_request(sent).number}
    looks = {"label": label, "placeholder": placeholder, "height": height, "pause": pause, "in_tab": in_tab}
    _EDITOR.show(key, facts | looks, on_typed)
    return now


def forget() -> None:
    """Let the browser's tab forget the text it keeps, where no text area is shown."""
    st.html(f"<script>sessionStorage.removeItem('{KEPT}')</script>", unsafe_allow_javascript=True)


def latest(sent: Mapping[str, Any], text: str, version: int) -> str:
    """Return what was typed since this version of the text was set; the text itself if nothing was.

    >>> sent = {"request": {"number": 7, "version": 2, "choice": {"text": "typed"}}}
    >>> latest(sent, "set", 2), latest(sent, "set", 3)
    ('typed', 'set')
    """
    return str(read_request(sent).chosen(version).get("text", text))
