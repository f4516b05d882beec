"""Turns for long answers, so that the short answers of other visitors come soon.

One interpreter computes the answers of all visitors. It gives each of them the same part of its time, so beside four
long answers a short one takes five times as long as alone. Nobody can say beforehand how long an answer will take. But
whoever has just had a long one often wants another: a long text is edited, or a page is sent again and again. So after
a long answer a visitor waits for the next one:

    the visitor's messages    a─────────╴b·················
    the visitor's answers     ├──long a──┤         ├──b──┤    b begins when no other long answer is under way, and the
    the others' answers                     ├┤├┤ ├┤           server was free of long ones as long as the last one took

Nobody waits longer than `LIMITS.turn_seconds`, and nobody waits who is alone. A visitor is an open tab; the answer that
opens the tab never counts as long. A message that overtakes the visitor's own answer does not wait: it ends that
answer.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import monotonic, process_time

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.parts.server.garbage import GARBAGE
from pages.parts.server.limits import LIMITS

LONG = 0.04  # seconds of the processor: an answer that takes more is a long one; most take 0.01 to 0.03
PRESENT = 10.0  # seconds after a message for which its visitor counts as present
LOOK = 0.01  # seconds between two looks whether a turn has come
_SHORT_MESSAGE = 200  # bytes; the message that ends an answer has fewer


@dataclass(eq=False)
class Visitor:
    """An open tab.

    `opened`: whether the tab had an answer. `heard`: when its last message came. `answering`: whether an answer is
    under way. `used`: the seconds of the processor that this answer has taken so far, or else the last answer took;
    `before`: what the answer before it took.
    """

    opened: bool = False
    heard: float = 0.0
    answering: bool = False
    used: float = 0.0
    before: float = 0.0

    @property
    def in_long_answer(self) -> bool:
        """Whether an answer is under way that is long, or is expected to be long since the one before it was."""
        return self.answering and max(self.used, self.before) >= LONG


class Turns:
    """A middleware that lets a visitor's message wait if the visitor's last answer was long."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap the app."""
        self.app = app
        self.visitors: set[Visitor] = set()
        self.free_at = 0.0  # when the server was free of long answers for as long as the last one took
        self._shared_out = process_time()  # the processor's time up to here was added to the visitors' `used`

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or all messages of a tab."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        visitor = Visitor()

        async def received() -> Message:
            message = await receive()
            if _asks_for_answer(message):
                await self.turn(visitor)
                self.begin(visitor)
            return message

        async def sent(message: Message) -> None:
            await send(message)
            if _ends_answer(message):
                self.end(visitor)
                if not any(other.answering for other in self.visitors):
                    GARBAGE.collect()

        self.visitors.add(visitor)
        try:
            await self.app(scope, received, sent)
        finally:
            self.end(visitor)
            self.visitors.remove(visitor)

    async def turn(self, visitor: Visitor) -> None:
        """Wait until the visitor's next answer may begin."""
        latest = monotonic() + LIMITS.turn_seconds
        while self.must_wait(visitor) and monotonic() < latest:
            await asyncio.sleep(LOOK)

    def must_wait(self, visitor: Visitor) -> bool:
        """Return whether the visitor's last answer was long, and it is not the visitor's turn yet."""
        now = monotonic()
        self._share_out()
        others = [other for other in self.visitors - {visitor} if other.answering or now - other.heard < PRESENT]
        if visitor.answering or visitor.used < LONG or not others:
            return False
        return now < self.free_at or any(other.in_long_answer for other in others)

    def begin(self, visitor: Visitor) -> None:
        """Note that an answer begins. If one is under way, the new one goes on with its time."""
        self._share_out()
        visitor.heard = monotonic()
        if not visitor.answering:
            visitor.answering, visitor.before, visitor.used = True, visitor.used, 0.0

    def end(self, visitor: Visitor) -> None:
        """Note that the visitor's answer has ended, if one was under way."""
        self._share_out()
        if visitor.answering:
            visitor.answering = False
            if not visitor.opened:  # drawing a whole page takes longer than what follows, whatever the page is
                visitor.opened, visitor.used = True, 0.0
            if visitor.used >= LONG:
                self.free_at = monotonic() + min(visitor.used, LIMITS.turn_seconds)

    def _share_out(self) -> None:
        """Add the processor's time since the last call to the answers under way, to each the same part."""
        now = process_time()
        answering = [visitor for visitor in self.visitors if visitor.answering]
        for visitor in answering:
            visitor.used += (now - self._shared_out) / len(answering)
        self._shared_out = now


def _asks_for_answer(message: Message) -> bool:
    """Return whether a browser's message starts a run of the page."""
    try:
        asked = BackMsg.FromString(message.get("bytes") or b"")
    except DecodeError:  # Streamlit says so itself
        return False
    return bool(asked.WhichOneof("type") == "rerun_script")


def _ends_answer(message: Message) -> bool:
    """Return whether a message to the browser says that a run of the page has ended, and that no newer one begins."""
    content = message.get("bytes") or b""
    if len(content) > _SHORT_MESSAGE:
        return False
    said = ForwardMsg.FromString(content)
    over = said.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
    return bool(over and said.WhichOneof("type") == "script_finished")
