"""What holds for the whole process of the server."""

from __future__ import annotations

import sys

import streamlit as st

from pages.parts.session import open_files, server_log

SWITCH_INTERVAL = 0.0005  # of a second


@st.cache_resource(show_spinner=False)
def set_up() -> None:
    """Set up the process; every page calls this, and the first one does it.

    Python lets a thread that computes go on for 5 ms while others wait, several times in each step of every visitor:
    `SWITCH_INTERVAL` is shorter.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    server_log.shorten()
    open_files.raise_limit()  # for a server that `streamlit run app.py` has started, not the command
