"""The command `mergescope`: alone it opens the app; with a command it is `python -m bpe_core`."""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from runpy import run_module
from types import FrameType
from typing import NoReturn

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
    """Become Streamlit's server of the app; `options`: Streamlit's own, such as `--server.port=80`."""
    folder = app_folder()
    os.chdir(folder)  # Streamlit reads its settings from here
    sys.path.insert(0, str(folder))
    import_module("pages.parts.session.budget").check()  # app.py does too, but after Streamlit has said that it runs
    # When it ends, Streamlit's server calls what handled a signal before it did: by default Ctrl-C would be an error.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    sys.argv = ["streamlit", "run", "app.py", *options]
    run_module("streamlit", run_name="__main__", alter_sys=True)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    print("  Stopped.")
    sys.exit(0)


def main() -> None:
    """Open the app if there are no arguments but Streamlit's own options; else run a command."""
    arguments = sys.argv[1:]
    if all(argument.startswith("--server.") or argument.startswith("--browser.") for argument in arguments):
        open_app(arguments)
    sys.exit(run())
