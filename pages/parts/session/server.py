"""The server: what is set up before the first visitor comes, and what it answers besides the pages."""

from __future__ import annotations

import sys

from starlette.routing import Route

import pages.parts.together  # noqa: F401
from pages.parts.film import film, vega
from pages.parts.live_text import editor, served, token_views
from pages.parts.session import budget, open_files, server_log

SWITCH_INTERVAL = 0.0005  # of a second
SCRIPTS = (vega.VEGA, film.SCRIPT, editor.SCRIPT, *token_views.SCRIPTS)


def start() -> None:
    """Set up this process. Where a limit in the environment cannot be used, end it with a sentence that says so.

    By default Python lets a thread compute for 5 ms while others wait, which visitors would wait for several times in
    each step. `SWITCH_INTERVAL` is shorter.
    """
    budget.check()
    sys.setswitchinterval(SWITCH_INTERVAL)
    server_log.shorten()
    open_files.raise_limit()


def routes() -> list[Route]:
    """Return what the server answers besides the pages."""
    return [served.route(SCRIPTS)]
