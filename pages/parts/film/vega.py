"""Vega, which draws the charts in the browser."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

from pages.parts.live_text.served import Script

_MAKE = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle().encode())"


def _script() -> bytes:
    """Made once a server, in a process of its own: it takes a second and 130 MB, which the maker would keep."""
    return subprocess.run([sys.executable, "-c", _MAKE], check=True, stdout=subprocess.PIPE).stdout


VEGA = Script("vega", _script, version("vl-convert-python"))
