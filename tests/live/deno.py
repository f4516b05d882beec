"""Deno, which checks and runs web modules without a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DENO = shutil.which("deno", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
needs_deno = pytest.mark.skipif(DENO is None, reason="deno is not installed: tests/web-requirements.txt")


def run(*arguments: str | Path) -> str:
    """Run deno with these arguments, and return what it prints."""
    assert DENO is not None
    done = subprocess.run([DENO, *arguments], capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})
    assert done.returncode == 0, done.stderr
    return done.stdout
