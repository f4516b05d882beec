"""The server: the setup of its process, and its middleware.

The setup comes before the first visitor. It does these things:

It raises the limit of open files. A visitor's open tab takes four open files: one for the connection, three for the
event loop that Streamlit makes for the session. Streamlit keeps the last 128 sessions that lost their tab, so that a
connection that broke finds its session again. Each kept session takes three open files. On many systems a process
begins with a soft limit of 1,024 open files, which the process itself can raise up to its hard limit.

It shortens the log. Streamlit's own code reads the messages of widgets. A forged message may have a value of another
type, broken JSON, or bytes that are no message. Then that code fails, which only the sender sees. But each forged
message would leave a traceback in the log.

It begins to make the scripts that take seconds: the first visitor would wait for them.

It loads the machine code of trainings, if numba is installed (`bpe_core.training.compiling`).

It keeps the garbage collector from what stays, 80 ms of work with the libraries of the pages, and from the moments in
which visitors wait (`garbage`).

It lets each answer arrive whole (`whole_answers`).

It draws what changed outside of the fragment that Streamlit runs (`other_fragments`).

It lets two threads of one visitor change and read the values of widgets (`steady_values`).

It lets short answers leave at once (`send_at_once`).

It limits how long the end takes. A server that is asked to end waits until every answer has been received and every
upload has arrived. If a visitor's browser neither receives nor sends, the server would wait for ever.
"""

from __future__ import annotations

import gc
import logging
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Iterable
from contextlib import suppress
from types import FrameType

from starlette.middleware import Middleware

import pages.parts.server.import_first  # noqa: F401
from bpe_core.training.compiling import LOOP
from pages.parts.server import limits, other_fragments, steady_values, whole_answers
from pages.parts.server.addresses import Addresses
from pages.parts.server.fair import Turns
from pages.parts.server.garbage import GARBAGE
from pages.parts.server.inside_streamlit import FragmentHandledException
from pages.parts.server.policy import Policy
from pages.parts.server.served import Script
from pages.parts.server.uploads import Uploads
from pages.parts.server.whole_answers import WholeAnswers

SWITCH_INTERVAL = 0.0005  # seconds
ENDING = 4.0  # the most seconds from the signal to end to the end; after 10 seconds Docker kills the process
MACOS_MOST = 10_240  # the hard limit of macOS is infinite, but macOS refuses a higher soft limit than this
# Streamlit's functions that read a browser's messages.
READERS = {"deserialize", "unpack_widget_state_value", "get_serialized", "_websocket_endpoint"}
LOGGERS = (
    "streamlit.error_util",
    "streamlit.components.v2.bidi_component.serialization",
    "streamlit.web.server.starlette.starlette_websocket",
)


def start(slow: Iterable[Script]) -> None:
    """Set up this process. If the app cannot run in it (`limits.check`), end the process with a sentence.

    `slow`: the scripts that take seconds to make.

    By default Python lets a thread compute for 5 ms while other threads wait. A visitor would wait for 5 ms several
    times at each step. `SWITCH_INTERVAL` is shorter.
    """
    limits.check()
    sys.setswitchinterval(SWITCH_INTERVAL)
    shorten_log()
    raise_open_files()
    send_at_once()
    limit_ending()
    for script in slow:
        script.begin()
    LOOP.begin()
    GARBAGE.begin()
    whole_answers.begin()
    steady_values.begin()
    other_fragments.begin()


def middleware(style: str) -> list[Middleware]:
    """Return the app's middleware, the outermost first. `style`: the style sheet of all pages."""
    return [
        Middleware(Policy),
        Middleware(Addresses, style=style),
        Middleware(Uploads),
        Middleware(Turns),
        Middleware(WholeAnswers),
    ]


def raise_open_files() -> None:
    """Raise this process's soft limit of open files to its hard limit, if the system has such limits.

    Processes that this process starts later inherit the limit. They do not inherit the open files.
    """
    with suppress(ImportError):  # Windows has neither the module `resource` nor this limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        for most in (hard, max(soft, MACOS_MOST)):
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
                break


def send_at_once() -> None:
    """Let the connections that this process's servers accept from now on send a short answer at once.

    An answer's head and its body are two packets. By default the system sends the second when the first is confirmed,
    and the other side may wait 40 ms with that. asyncio changes the default for sockets that name their protocol. The
    socket that Streamlit makes names none, and what it accepts inherits its options. It listens before this app is
    imported, and Streamlit gives no other way to it.
    """
    sockets = [each for each in gc.get_objects() if type(each) is socket.socket and each.fileno() >= 0]
    for each in sockets:
        if each.family in (socket.AF_INET, socket.AF_INET6) and each.getsockopt(
            socket.SOL_SOCKET, socket.SO_ACCEPTCONN
        ):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def limit_ending() -> None:
    """Let this process end at most `ENDING` seconds after the signal to end, if the system has alarms.

    Uvicorn sets handlers of the signals before it imports the app. Those handlers are still called. The alarm has no
    handler: when the alarm goes off, the system ends the process, whatever the process's threads do.
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
    """A log filter. An error in reading a browser's message is cut to one line: its type and the failed function."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten a record of an error in reading a browser's message. Return True: every record is logged."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, FragmentHandledException):  # an inner fragment raises this in place of the error itself
            error = error.__context__
        reader = reader_of(error) if error else ""
        if reader:
            record.msg, record.args = f"A message could not be read: {type(error).__name__} in {reader}.", ()
            record.exc_info = record.exc_text = None
        return True


def reader_of(error: BaseException) -> str:
    """Return the name of Streamlit's function that failed to read a browser's message; "" for any other error.

    >>> reader_of(KeyError("one of ours"))
    ''
    """
    frames = traceback.extract_tb(error.__traceback__)
    reading = [each.name for each in frames if "/streamlit/" in each.filename and each.name in READERS]
    return reading[-1] if reading else ""


def shorten_log() -> None:
    """Add the filter `OneLine` to those of Streamlit's loggers in this process that do not have it yet."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(each, OneLine) for each in logger.filters):
            logger.addFilter(OneLine())
