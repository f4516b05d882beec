"""The command `mergescope`: alone it opens the app; with a command it is `python -m bpe_core`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import bpe_core
from bpe_core.cli import run


def app_folder() -> Path:
    """Return the folder of the app: the folder that contains the engine, or `mergescope` in it once installed.

    >>> (app_folder() / "app.py").is_file()
    True
    """
    parent = Path(bpe_core.__file__).parents[1]
    return next(folder for folder in (parent / "mergescope", parent) if (folder / "app.py").is_file())


def open_app(options: list[str]) -> None:
    """Replace this process by Streamlit with the app; `options`: Streamlit's own, such as `--server.port=80`."""
    folder = app_folder()
    os.chdir(folder)  # Streamlit reads its settings from here
    check = [sys.executable, "-m", "pages.parts.session.budget"]  # prints which limit in the environment is wrong
    if subprocess.run(check, stdout=subprocess.DEVNULL).returncode:
        sys.exit(1)
    # The server's limit of open files is raised before it starts: all visitors may come at its first moment.
    command = [sys.executable, "-m", "pages.parts.session.open_files", "streamlit", "run", "app.py", *options]
    os.execv(sys.executable, command)


def main() -> None:
    """Open the app if there are no arguments but Streamlit's own options; else run a command."""
    arguments = sys.argv[1:]
    if all(argument.startswith("--server.") or argument.startswith("--browser.") for argument in arguments):
        open_app(arguments)
    sys.exit(run())
