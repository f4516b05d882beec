"""Each answer arrives whole, even if the visitor's next message comes at its very end.

The thread of an answer hands what it draws to the server's event loop, and ends. If the loop is busy, a message may
come after the end, and before the loop has sent all of the answer. If the message is for a fragment, Streamlit starts
another thread for it, and drops all that the first thread drew and the loop has not sent: a part of the page never
follows the visitor's choice. So a thread waits for the loop before it ends, and answers a message that comes meanwhile:

    the thread    draws draws draws ╴ waits ╶╶╶╶╶╶ ends
    the loop             ╴╴╴ sends sends sends ╴╴╴

It waits a moment longer than that: if it ended while the loop sends, its end would take time from the loop.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

from starlette.types import ASGIApp, Receive, Scope, Send

from pages.parts.server.fair import VISITOR
from pages.parts.server.inside_streamlit import (
    RerunData,
    ScriptRequest,
    ScriptRequests,
    ScriptRequestType,
    script_runner,
)

LINGER = 0.05  # seconds from when the loop has taken all to the end of the thread
PATIENCE = 10.0  # seconds that a thread waits for the loop; a loop that takes longer hangs


class WholeAnswers:
    """A middleware that knows the event loop of this process's server. `loop`: None before the first request."""

    loop: asyncio.AbstractEventLoop | None = None

    def __init__(self, app: ASGIApp) -> None:
        """Wrap the app."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note the loop, and answer the request."""
        WholeAnswers.loop = asyncio.get_running_loop()
        await self.app(scope, receive, send)


class PatientRequests(ScriptRequests):
    """The messages for one thread of Streamlit. The thread ends only when the loop has taken all that it drew."""

    def __init__(self) -> None:
        """Begin with no message. `news`: set when one has come, or when the thread may end."""
        super().__init__()
        self.news = threading.Event()
        self.changing = threading.Lock()
        self.visitor = VISITOR.get()  # whose message this thread is made for

    def request_rerun(self, new_data: RerunData) -> bool:
        """Take a message. If the thread waits, it answers the message at once."""
        with self.changing:
            taken = super().request_rerun(new_data)
            self.news.set()
        return taken

    def request_stop(self) -> None:
        """Let the thread end, without waiting."""
        super().request_stop()
        self.news.set()

    def on_scriptrunner_ready(self) -> ScriptRequest:
        """Return the next message for the thread, or that the thread ends. Streamlit calls this before each answer."""
        self.wait(LINGER)
        return super().on_scriptrunner_ready()

    def wait(self, longer: float) -> None:
        """Wait for a message, at most until some seconds after the loop has taken all. If one is there, do not wait."""
        with self.changing:
            self.news = threading.Event()  # the one before may be set already
            is_idle = self._state == ScriptRequestType.CONTINUE
        if is_idle:
            wait_for(WholeAnswers.loop, self.news, longer)


def begin() -> None:
    """Let Streamlit's threads wait for the loop from now on."""
    script_runner.ScriptRequests = PatientRequests  # type: ignore[attr-defined]


def wait_for(loop: asyncio.AbstractEventLoop | None, news: threading.Event, longer: float) -> None:
    """Wait until there is news, or until some seconds after the loop has done all that it was given so far."""
    with suppress(RuntimeError):  # the loop is closed: the server ends
        if loop:
            loop.call_soon_threadsafe(loop.call_later, longer, news.set)
            news.wait(PATIENCE)
