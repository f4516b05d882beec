"""The settings of the server's process."""

from __future__ import annotations

import sys

import streamlit as st

from pages.parts.session import open_files, server_log

SWITCH_INTERVAL = 0.0005  # of a second


@st.cache_resource(show_spinner=False)
def set_up() -> None:
    """Set up the process. Every page calls this function; the first call does the work.

    By default Python lets a thread compute for 5 ms while others wait, which visitors would wait for several times in
    each step. `SWITCH_INTERVAL` is shorter.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    server_log.shorten()
    open_files.raise_limit()  # for a server that `streamlit run app.py` has started: `mergescope` does it itself
