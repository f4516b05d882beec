"""Files that reach a visitor once: the server keeps them under an address, the browser caches them, gzipped."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

from streamlit import runtime

LOADER = Path(__file__).with_name("loader.js").read_text(encoding="utf-8")  # the inline script of such a component
OUTSIDE = "outside of all sessions"  # the name of a thread that is: Streamlit's warning of it would be in the log
logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").addFilter(
    lambda record: not record.threadName.startswith(OUTSIDE)
)


def address(content: bytes, kind: str, name: str) -> str:
    """Return an address for some content, the same one for the same content. `name` is unique on a page.

    The server forgets it with the visitor.
    """
    if not runtime.exists():
        return ""
    return runtime.get_instance().media_file_mgr.add(content, kind, name)


def script_address(content: bytes, name: str) -> str:
    """Return the address of a script that is the same for all visitors; it lasts as long as the server runs."""
    return _lasting(content, name) if runtime.exists() else ""


@lru_cache(maxsize=16)
def _lasting(content: bytes, name: str) -> str:
    with ThreadPoolExecutor(1, OUTSIDE) as outside:  # with no session it is forgotten
        return outside.submit(address, content, "text/javascript", name).result()
