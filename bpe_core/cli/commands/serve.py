"""`serve`: what the command that opens the app takes. `mergescope` runs it, without this program's other commands."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

from bpe_core.kinds import whole_number

NAME, ABOUT = "serve", "the app in a browser"


def add_serve(parser: ArgumentParser) -> None:
    """Add the options of `serve`. All other arguments are Streamlit's own options."""
    parser.add_argument("--port", type=_port, help="default 8501")
    parser.add_argument("--host", metavar="ADDRESS", help="where it listens; default: localhost")
    parser.add_argument("--open", action="store_true", help="open a browser too")


def _port(text: str) -> int:
    number = whole_number(text)
    if number is None or not 1 <= number < 1 << 16:
        raise ArgumentTypeError(f"{text[:20]} is no port: choose a number from 1 to 65535")
    return number
