"""Files that reach a visitor once: the server keeps them under an address, the browser caches them, gzipped."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

from streamlit import runtime

_lock = Lock()


def address(content: bytes, kind: str, name: str) -> str:
    """The address of some content, the same one for the same content. `name`: another one for each on a page."""
    if not runtime.exists():
        return ""
    return runtime.get_instance().media_file_mgr.add(content, kind, name)


def vega() -> str:
    """The address of Vega, which draws the charts in the browser."""
    with _lock:  # two visitors at once do not make it twice
        return address(_vega(), "text/javascript", "vega")


@lru_cache(maxsize=1)
def _vega() -> bytes:
    import vl_convert  # takes a second to make the script, once a server

    return vl_convert.javascript_bundle().encode()
