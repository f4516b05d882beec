"""Vega, which draws the charts in the browser."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

from pages.parts.live_text.served import script_address

_lock = Lock()


def vega() -> str:
    """The address of its script."""
    with _lock:  # two visitors at once do not make it twice
        return script_address(_script(), "vega")


@lru_cache(maxsize=1)
def _script() -> bytes:
    import vl_convert  # takes a second to make the script, once a server

    return vl_convert.javascript_bundle().encode()
