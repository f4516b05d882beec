"""Short answers come soon, whatever other visitors do: those who use much of the processor give way, and take turns.

One interpreter computes the answers of all visitors. It gives each answer the same part of its time, so beside four
long answers a short one takes five times as long as alone. Nobody can say beforehand how long an answer will take. But
whoever has just used much of the processor often goes on: a long text is edited, or a page is sent again and again. So
the next answer of such a visitor waits:

    the visitor's messages    a─────────╴b·················
    the visitor's answers     ├────a─────┤         ├──b──┤    b begins when nobody else who used much is answered, and
    the others' answers                     ├┤├┤ ├┤           nobody was for as long as the last such answer took

What counts is the time used lately: what was used five seconds ago counts about a third. So many short answers without
a pause count as much as a long one, and whoever has paused for some time does not wait. Nobody waits for a visitor who
used more than twice as much: one who steps quickly is not held up by one who edits a book. No message waits longer than
`LIMITS.turn_seconds`, and nobody waits who is alone. A visitor is an open tab; the answer that opens the tab does not
count. A message does not wait while the visitor is answered: it ends that answer, or comes right after it.

The event loop takes the messages, and there they wait. What a picture asks for by the route of resources counts as the
visitor's too, and such a request waits for its turn as a message does.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass
from math import exp
from time import monotonic, process_time

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.parts.server.garbage import GARBAGE
from pages.parts.server.inside_streamlit import BackMsg, ForwardMsg
from pages.parts.server.limits import LIMITS

MUCH = 0.5  # seconds of the processor, used lately: a tenth of the processor for some time, or one long answer
MORE = 2.0  # times as much was used by a visitor for whom nobody waits
FADE = 5.0  # seconds after which a second that was used counts about a third (1 / e)
PRESENT = 10.0  # seconds after a message for which its visitor counts as present
STARTS = 1.0  # seconds after a message within which its answer begins; Streamlit drops messages for what is gone
LOOK = 0.01  # seconds between two looks whether a turn has come
_SHORT_MESSAGE = 200  # bytes; the messages that say that an answer has begun or ended have fewer


@dataclass(eq=False)
class Visitor:
    """An open tab.

    `opened`: whether the tab had an answer. `heard`: when its last message came. `answering`: whether an answer is
    under way, or soon will be. `begun`: whether Streamlit has begun it. `used`: the seconds of the processor that this
    answer has taken so far, or else the last answer took. `recent`: the seconds that were used lately, as of the time
    `recent_at`. `asked`: when a picture of the tab asked for something last. `turns`: where the visitor takes turns;
    None outside a server.
    """

    opened: bool = False
    heard: float = 0.0
    answering: bool = False
    begun: bool = False
    used: float = 0.0
    recent: float = 0.0
    recent_at: float = 0.0
    asked: float = 0.0
    turns: Turns | None = None

    async def turn_to_ask(self) -> None:
        """Wait until the visitor's next request by the route may be answered."""
        self.asked = monotonic()
        if self.turns:
            await self.turns.turn(self, is_request=True)

    def took(self, seconds: float) -> None:
        """Note that the answer to such a request took seconds of the processor."""
        if self.turns:
            self.turns.took(self, seconds)

    def lately(self, now: float) -> float:
        """Return the seconds of the processor that were used lately; each fades by its age.

        >>> visitor = Visitor(recent=1.0, recent_at=100.0)
        >>> round(visitor.lately(100.0), 2), round(visitor.lately(105.0), 2), round(visitor.lately(120.0), 2)
        (1.0, 0.37, 0.02)
        """
        return self.recent * exp((self.recent_at - now) / FADE)

    def count(self, seconds: float, now: float) -> None:
        """Add seconds of the processor to the answer under way, and to what was used lately.

        The answer that opens a tab does not count as used: a whole page takes long to draw, whatever the page is.
        """
        self.used += seconds
        if self.opened:
            self.recent, self.recent_at = self.lately(now) + seconds, now


# The visitor whose messages are taken, also for the threads that answer them.
VISITOR: ContextVar[Visitor | None] = ContextVar("VISITOR", default=None)


class Turns:
    """A middleware that lets whoever used much of the processor lately wait for a turn."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap the app."""
        self.app = app
        self.visitors: set[Visitor] = set()
        self.free_at = 0.0  # until then whoever used much waits, since an answer took long
        self.its_visitor_used = 0.0  # the seconds that the visitor of that answer had used lately
        self._shared_out = process_time()  # the processor's time up to here was added to the visitors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or all messages of a tab."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        visitor = Visitor(turns=self)

        async def received() -> Message:
            message = await receive()
            if _asks_for_answer(message):
                await self.turn(visitor)
                visitor.heard = monotonic()
                self.begin(visitor)
            return message

        async def sent(message: Message) -> None:
            said = _said(message)
            if said == "begun":  # noted before it is sent: a browser that reads nothing makes the server wait there
                self.begin(visitor)
                visitor.begun = True
            await send(message)
            if said == "ended":
                self.end(visitor)
                if not any(other.answering for other in self.visitors):
                    GARBAGE.collect()

        self.visitors.add(visitor)
        VISITOR.set(visitor)
        try:
            await self.app(scope, received, sent)
        finally:
            self.end(visitor)
            self.visitors.remove(visitor)

    async def turn(self, visitor: Visitor, is_request: bool = False) -> None:
        """Wait until the visitor's next answer may begin."""
        latest = monotonic() + LIMITS.turn_seconds
        while self.must_wait(visitor, is_request) and monotonic() < latest:
            await asyncio.sleep(LOOK)

    def must_wait(self, visitor: Visitor, is_request: bool = False) -> bool:
        """Return whether the visitor used much of the processor lately, and it is not the visitor's turn yet.

        `is_request`: whether a picture asks by the route, which it may do while the visitor's page is answered.
        """
        now = monotonic()
        self._share_out()
        others = [
            other
            for other in self.visitors - {visitor}
            if other.answering or now - max(other.heard, other.asked) < PRESENT
        ]
        used = visitor.lately(now)
        if (visitor.answering and not is_request) or used < MUCH or not others:
            return False
        counting = [other.lately(now) for other in others if other.answering]
        if now < self.free_at:
            counting.append(self.its_visitor_used)
        return any(MUCH <= each <= MORE * used for each in counting)

    def begin(self, visitor: Visitor) -> None:
        """Note that an answer begins. If one is under way, the new one goes on with its time."""
        self._share_out()
        if not visitor.answering:
            visitor.answering, visitor.begun, visitor.used = True, False, 0.0

    def end(self, visitor: Visitor) -> None:
        """Note that the visitor's answer has ended, if one was under way."""
        self._share_out()
        if visitor.answering:
            visitor.answering, visitor.opened = False, True
            self._leave_to_others(visitor, visitor.used)

    def took(self, visitor: Visitor, seconds: float) -> None:
        """Note that a request of the visitor by the route took seconds of the processor. No answer has used these."""
        self._shared_out = min(process_time(), self._shared_out + seconds)
        now = monotonic()
        visitor.recent, visitor.recent_at = visitor.lately(now) + seconds, now
        self._leave_to_others(visitor, seconds)

    def _leave_to_others(self, visitor: Visitor, seconds: float) -> None:
        """If the visitor used much lately, let whoever used much wait for as long as this answer took."""
        now = monotonic()
        free_at = now + min(seconds, LIMITS.turn_seconds)
        if visitor.lately(now) >= MUCH and free_at > self.free_at:
            self.free_at, self.its_visitor_used = free_at, visitor.lately(now)

    def _share_out(self) -> None:
        """Add the processor's time since the last call to the answers under way, to each the same part.

        An answer that Streamlit has not begun in time is not under way.
        """
        now, spent = monotonic(), process_time()
        for visitor in self.visitors:
            visitor.answering &= visitor.begun or now - visitor.heard < STARTS
        answering = [visitor for visitor in self.visitors if visitor.answering]
        for visitor in answering:
            visitor.count((spent - self._shared_out) / len(answering), now)
        self._shared_out = spent


def _asks_for_answer(message: Message) -> bool:
    """Return whether a browser's message starts a run of the page."""
    try:
        asked = BackMsg.FromString(message.get("bytes") or b"")
    except DecodeError:  # Streamlit says so itself
        return False
    return bool(asked.WhichOneof("type") == "rerun_script")


def _said(message: Message) -> str:
    """Return what a message to the browser says of a run of the page: that it has "begun" or "ended", or "".

    A run that ends because a newer one begins has not ended.
    """
    content = message.get("bytes") or b""
    if len(content) > _SHORT_MESSAGE:
        return ""
    said = ForwardMsg.FromString(content)
    match said.WhichOneof("type"):
        case "session_status_changed" if said.session_status_changed.script_is_running:
            return "begun"
        case "script_finished" if said.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return "ended"
    return ""
