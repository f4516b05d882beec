"""The server: its process is set up before the first visitor comes; it has routes and middleware besides the pages.

The limit of open files is raised. A visitor's open tab takes four open files: its connection, and the event loop that
Streamlit makes for the session. Streamlit keeps the last 128 sessions whose tab was closed, so that a reload finds its
session. Each of these takes three open files. On many systems a process may have 1,024 open files, its soft limit,
until it raises the soft limit itself, up to its hard limit.

The log is shortened. Streamlit's own code reads the messages of widgets. A forged message, with a value of another
type, broken JSON or bytes that are no message, fails in that code, and only its sender sees the failure. Each such
message would leave a traceback in the log.

The end has a limit. A server that is asked to end first waits until every answer has been received and every upload has
arrived. A visitor whose browser neither receives nor sends would hold the server for ever.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
import traceback
from contextlib import suppress
from types import FrameType

from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit.errors import FragmentHandledException

import pages.parts.server.import_first  # noqa: F401
from pages.parts.server import limits, served
from pages.parts.server.policy import Policy
from pages.parts.server.uploads import Uploads
from pages.parts.texts import editor
from pages.parts.ui import live_view

SWITCH_INTERVAL = 0.0005  # seconds
ENDING = 4.0  # seconds between the order to end and the end, at most; after 10, Docker kills
SCRIPTS = (editor.SCRIPT, *live_view.SCRIPTS)
MIDDLEWARE = (Middleware(Policy), Middleware(Uploads))
MACOS_MOST = 10_240  # the hard limit of macOS is infinite, but it refuses a higher soft limit than this
READERS = {"deserialize", "unpack_widget_state_value", "get_serialized", "_websocket_endpoint"}  # Streamlit's
LOGGERS = (
    "streamlit.error_util",
    "streamlit.components.v2.bidi_component.serialization",
    "streamlit.web.server.starlette.starlette_websocket",
)


def start() -> None:
    """Set up this process, or end it with a sentence if a limit in the environment cannot be used.

    By default Python lets a thread compute for 5 ms while others wait, and a visitor would wait that long several times
    at each step. `SWITCH_INTERVAL` is shorter.
    """
    limits.check()
    sys.setswitchinterval(SWITCH_INTERVAL)
    shorten_log()
    raise_open_files()
    limit_ending()


def routes() -> list[Route]:
    """Return the routes that the server has besides the pages."""
    return [served.route(SCRIPTS)]


def raise_open_files() -> None:
    """Raise this process's soft limit of open files to its hard limit, where the system has one.

    The processes that it starts later inherit the limit. They do not inherit its open files.
    """
    with suppress(ImportError):  # Windows has neither the module nor the limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        for most in (hard, max(soft, MACOS_MOST)):
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
                break


def limit_ending() -> None:
    """Let this process end at most `ENDING` seconds after the signal to end, if the system has alarms.

    Uvicorn has set its own handlers of the signals before it imports the app; they are called as before. The alarm has
    no handler: the system then ends the process, whatever its threads do.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def end(number: int, frame: FrameType | None, before: object = before) -> None:
            signal.setitimer(signal.ITIMER_REAL, ENDING)
            if callable(before):
                before(number, frame)

        signal.signal(number, end)


class OneLine(logging.Filter):
    """A log filter. It cuts an error of reading a message down to its type and the function that failed."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record if it is about an error of reading a message. Return True: every record is logged."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, FragmentHandledException):  # an inner fragment raises it for the error
            error = error.__context__
        reader = reader_of(error) if error else ""
        if reader:
            record.msg, record.args = f"A message could not be read: {type(error).__name__} in {reader}.", ()
            record.exc_info = record.exc_text = None
        return True


def reader_of(error: BaseException) -> str:
    """Return the name of Streamlit's function that failed to read a message; "" for any other error.

    >>> reader_of(KeyError("one of ours"))
    ''
    """
    frames = traceback.extract_tb(error.__traceback__)
    reading = [each.name for each in frames if "/streamlit/" in each.filename and each.name in READERS]
    return reading[-1] if reading else ""


def shorten_log() -> None:
    """Add the filter to Streamlit's loggers in this process, unless they have it."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(each, OneLine) for each in logger.filters):
            logger.addFilter(OneLine())
