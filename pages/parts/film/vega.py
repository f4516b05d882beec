"""Vega, which draws the charts in the browser."""

from __future__ import annotations

import subprocess
import sys
from functools import lru_cache
from threading import Lock

from pages.parts.live_text.served import script_address

_MAKE = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle().encode())"
_lock = Lock()


def vega() -> str:
    """Return the address of the script of Vega."""
    with _lock:  # two visitors at once do not make it twice
        return script_address(_script(), "vega")


@lru_cache(maxsize=1)
def _script() -> bytes:
    """Made once a server, in a process of its own: it takes a second and 130 MB, which the maker would keep."""
    return subprocess.run([sys.executable, "-c", _MAKE], check=True, stdout=subprocess.PIPE).stdout
