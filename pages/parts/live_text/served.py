"""Files that reach a visitor once: the server keeps them under an address, the browser caches them, gzipped."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from streamlit import runtime


def address(content: bytes, kind: str, name: str) -> str:
    """The address of some content, the same one for the same content. `name`: another one for each on a page.

    The server forgets it with the visitor.
    """
    if not runtime.exists():
        return ""
    return runtime.get_instance().media_file_mgr.add(content, kind, name)


def script_address(content: bytes, name: str) -> str:
    """The address of a script that is the same for all visitors: made once, and kept as long as the server runs."""
    return _lasting(content, name) if runtime.exists() else ""


@lru_cache(maxsize=16)
def _lasting(content: bytes, name: str) -> str:
    with ThreadPoolExecutor(1) as outside:  # of all sessions: with none of them it is forgotten
        return outside.submit(address, content, "text/javascript", name).result()
