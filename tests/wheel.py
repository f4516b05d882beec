"""The project as a wheel, and programs that run outside the checkout."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.children import ran

ROOT = Path(__file__).parents[1]
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


def built(folder: Path) -> Path:
    """The wheel of this checkout, built into a folder."""
    ran([*PIP, "wheel", "--no-deps", "--no-build-isolation", f"-w{folder}", str(ROOT)], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def said(command: list, folder: Path) -> str:
    """What a program prints in a folder, without this environment's variables."""
    done = ran([*map(str, command)], cwd=folder, env={}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
