"""The command `mergescope`: alone, or as `mergescope serve`, it opens the app; else it is `python -m bpe_core`."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
from argparse import ArgumentParser
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from runpy import run_module
from types import FrameType
from typing import NoReturn

import bpe_core
from bpe_core.cli import run
from bpe_core.cli.commands.serve import NAME, add_serve
from bpe_core.extras import missing

# The libraries of the extra `app` that the app's pages import when they open.
_LIBRARIES = ("streamlit", "pandas", "altair", "vl_convert")


def app_folder() -> Path:
    """Return the folder of the app: `bpe_core/app` once installed, in a checkout the folder that contains the engine.

    >>> (app_folder() / "app.py").is_file()
    True
    """
    engine = Path(bpe_core.__file__).parent
    return next(folder for folder in (engine / "app", engine.parent) if (folder / "app.py").is_file())


def open_app(options: list[str]) -> None:
    """Become Streamlit's server of the app; `options`: Streamlit's own, such as `--server.port=80`."""
    library = next((name for name in _LIBRARIES if find_spec(name) is None), None)
    if library:
        sys.exit(f"mergescope: {missing('app', 'the app', library)}")
    folder = app_folder()
    os.chdir(folder)  # Streamlit reads its settings from here
    sys.path.insert(0, str(folder))
    import_module("pages.parts.server.limits").check()  # app.py checks again, after Streamlit has said that it runs
    # When Streamlit's server ends, it calls the handler that a signal had before. With Python's own handler, Ctrl-C
    # would be an error.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    sys.argv = ["streamlit", "run", "app.py", *options]
    try:
        run_module("streamlit", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code == 1:
            _print_taken_port()
        raise


def _print_taken_port() -> None:
    """Say how to choose another port if a program answers at Streamlit's port already."""
    config = import_module("streamlit.config")
    port, address = config.get_option("server.port"), config.get_option("server.address")
    with suppress(OSError), socket.create_connection((address or "localhost", port), timeout=1):
        other = 8600 if port != 8600 else 8601
        choices = f"mergescope serve --port {other}, or STREAMLIT_SERVER_PORT={other} make run"
        print(f"Port {port} is taken. To use another one: {choices}", file=sys.stderr)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    print("  Stopped.")
    sys.exit(0)


def _serve(arguments: list[str]) -> None:
    """Open the app with the options of `mergescope serve`. All other arguments are Streamlit's own options."""
    parser = ArgumentParser("mergescope serve", description="Open the app in a browser.", allow_abbrev=False)
    add_serve(parser)
    given, others = parser.parse_known_args(arguments)
    options = {"port": given.port, "address": given.host, "headless": str(not given.open).lower()}
    open_app([*(f"--server.{name}={value}" for name, value in options.items() if value), *others])


def main() -> None:
    """Open the app if there are no arguments but Streamlit's own options; else run a command."""
    arguments = sys.argv[1:]
    if arguments[:1] == [NAME]:
        _serve(arguments[1:])
    elif all(re.match(r"--[a-z]+\.", argument) for argument in arguments):
        open_app(arguments)
    else:
        sys.exit(run("mergescope"))
