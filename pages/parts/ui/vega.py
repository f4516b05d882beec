"""The script of Vega, which draws the charts of a film.

A child process makes the script of the package vl-convert. That takes one to five seconds, and 130 MB of memory that
the server's own process would never free. So the script is kept in the user's cache folder, and made once for each
machine and version. Where no such folder can be written, each server makes it anew.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile

VERSION = version("vl-convert-python")
_WRITE = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle().encode())"


def script() -> bytes:
    """Return the script: from the cache folder, or made now and written there."""
    with suppress(OSError, RuntimeError):  # no such file, or a user without a home
        return _file().read_bytes()
    made = subprocess.run([sys.executable, "-c", _WRITE], check=True, stdout=subprocess.PIPE).stdout
    with suppress(OSError, RuntimeError):
        _write(_file(), made)
    return made


def _file() -> Path:
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    folder = given if given.is_absolute() else Path.home() / ".cache"
    return folder / "mergescope" / f"vega-{VERSION}.js"


def _write(file: Path, content: bytes) -> None:
    """Write a file whole or not at all: another server may read or write it at the same time."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # `bpe_core` keeps machine code there
    with NamedTemporaryFile(dir=file.parent, delete=False) as part:
        try:
            part.write(content)
            part.flush()
            os.fsync(part.fileno())
            Path(part.name).replace(file)
        except OSError:
            Path(part.name).unlink()
            raise
