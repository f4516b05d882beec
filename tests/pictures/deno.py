"""Deno, which checks and tests the web modules without a browser.

python -m tests.pictures.deno    # their types, style and format
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bpe_core.pictures.shared.view import FOLDER
from tests.children import ran

ROOT = Path(__file__).parents[2]
TESTS = Path(__file__).parent
CHECKS = (["check"], ["lint"], ["fmt", "--check"])
ENVIRONMENT = {"NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"}

# Of this environment: another version has other rules of style.
DENO = shutil.which("deno", path=str(Path(sys.executable).parent))
IS_REQUIRED = bool(os.environ.get("CI")) or os.environ.get("MERGESCOPE_BROWSER") == "required"
MISSING = "no deno for this machine: the web modules are not checked"
needs_deno = pytest.mark.skipif(DENO is None and not IS_REQUIRED, reason=MISSING)


def run(command: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command of deno with the web modules' settings; a test fails where there is no deno."""
    if DENO is None:
        pytest.fail(MISSING)
    called = [DENO, command, f"--config={FOLDER / 'deno.json'}", *arguments]
    return ran(called, cwd=ROOT, capture_output=True, text=True, env=os.environ | ENVIRONMENT)


def printed(command: str, *arguments: str | Path) -> str:
    """Run a command of deno, which has to succeed, and return what it prints."""
    done = run(command, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def main() -> int:
    """Check the web modules and their tests; return 1 where something is wrong."""
    if DENO is None:
        print(MISSING[0].upper() + MISSING[1:] + ".")
        return int(IS_REQUIRED)
    for command, *options in CHECKS:
        done = run(command, *options, FOLDER, TESTS)
        if done.returncode:
            print(done.stdout + done.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
