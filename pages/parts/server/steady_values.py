"""The values of a visitor's widgets can be counted through, even while another thread adds one.

A newer message ends the answer to the one before, and has a thread of its own. Until its next call of Streamlit the
older thread goes on (see `state`), and may add the value of a widget meanwhile. The two threads have no lock in common.
Python lets nothing be added to a dictionary that is counted through: the newer thread would fail before it calls the
visitor's callback, and the page would end with an exception. So it counts through a copy, or counts again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from pages.parts.server.inside_streamlit import SessionState, WStates

ATTEMPTS = 100
_counted = SessionState._keys  # Streamlit's own


def begin() -> None:
    """Let Streamlit count through the values of widgets from now on, whatever another thread adds."""
    WStates.__iter__ = _names  # type: ignore[method-assign]
    SessionState._keys = _keys  # type: ignore[assignment, method-assign]


def _names(values: WStates) -> Iterator[str]:
    return iter([*values.states])  # Python makes this copy without a turn of another thread


def _keys(state: SessionState) -> set[str]:
    for _ in range(ATTEMPTS):
        with suppress(RuntimeError):
            return _counted(state)
    return _counted(state)
