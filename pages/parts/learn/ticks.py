"""The ticks of finished lessons, which the visitor's browser keeps: there are no accounts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import streamlit as st

from pages.parts.learn.mixed_questions import NAMES
from pages.parts.state import state
from pages.parts.state.learn_state import Learn

KEY = "learn.ticks"  # the component's key, under which the session has the browser's ticks
_ticks = st.components.v2.component(
    "ticks", html="<span></span>", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)


def keep(now: Learn) -> None:
    """Send the ticks to the browser, and take over the ticks that the browser has from earlier visits."""
    _ticks(key=KEY, data={"done": now.done, "names": list(NAMES)}, height="content", on_done_change=_take)


def _take() -> None:
    messages = state.sent(KEY)
    state.change(Learn, with_ticks, messages.get("done") if isinstance(messages, Mapping) else None)


def with_ticks(now: Learn, found: object) -> Learn:
    """Add the ticks that a browser sent; return the state. `found`: any value, since a message may be forged.

    >>> with_ticks(Learn(done=("ties",)), ["pairs", "ties", 7, "<b>"]).done
    ('ties', 'pairs')
    """
    names = found if isinstance(found, list) else []
    return replace(now, done=tuple(dict.fromkeys([*now.done, *(name for name in names if name in NAMES)])))
