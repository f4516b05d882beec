"""Attacks on the route of resources: forged handles and bodies, huge and slow ones, 1,000 at once.

Nothing is answered that should not be, the log has no traceback, others are answered meanwhile, and the memory comes
back.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlsplit

from pages.parts.server.limits import LIMITS
from tests.campaign.server import Server, serve
from tests.campaign.visitor import Visitor

Row = tuple[str, float, str, float | None]
AT_ONCE = 1000
SECONDS = 60.0  # after which a request counts as one that has no answer
ANSWERS = {200, 408, 409, 410, 503}  # to a flood of requests
ASK = {"text": "a lighthouse", "specials": False}
LONG = json.dumps({"text": "lighthouse keeper " * 50_000, "specials": False}).encode()
GOOD = json.dumps(ASK).encode()


class Ask(NamedTuple):
    """A request. `sends`: how many of the body's bytes are sent, at once; None for all."""

    path: str
    handle: str
    body: bytes = GOOD
    method: str = "POST"
    more: str = ""
    sends: int | None = None


async def status(url: str, ask: Ask) -> int:
    """Return the status of a request's answer, which has to arrive whole; 0 if there is none."""
    at = urlsplit(url)
    asked = f"{ask.method} {ask.path} HTTP/1.1\r\nHost: {at.netloc}\r\nMergescope-Handle: {ask.handle}\r\n{ask.more}"
    with suppress(OSError, asyncio.IncompleteReadError):
        async with asyncio.timeout(SECONDS):
            reader, writer = await asyncio.open_connection(at.hostname, at.port)
            try:
                writer.write(f"{asked}Content-Length: {len(ask.body)}\r\n\r\n".encode())
                writer.write(ask.body[: ask.sends])
                head = await reader.readuntil(b"\r\n\r\n")
                size = re.search(rb"content-length: (\d+)", head, re.I)
                await reader.readexactly(int(size[1]) if size else 0)
                return int(head.split()[1])
            finally:
                writer.close()
    return 0


def forged(path: str, handle: str) -> list[tuple[Ask, int]]:
    """Return requests that no picture sends, each with the status of its answer."""
    up, name = path.rpartition("/")[0], path.rpartition("/")[2]
    handles = ["", "0" * 22, handle[:-1], handle.swapcase(), handle + "=", "../" + handle, secrets.token_urlsafe(16)]
    bodies = [b"", b"{", b"[" * 200_000, b"null", b"NaN", b"\xff" * 99, b"9" * 99_999, b'{"text": [[["a"]]]}']
    numbers = ['"1"', "NaN", "1e999", "-1", "true", "null", "[1]", "9" * 4000, "9" * 5000]
    facts = '{"text": "a", "specials": false, "at": %s, "step": 1}'
    return [
        *((Ask(path, each), 410) for each in handles),
        *((Ask(path, handle, body), 400) for body in bodies),
        *((Ask(f"{up}/token", handle, (facts % number).encode()), 400) for number in numbers),
        *((Ask(f"{up}/{each}", handle), 404) for each in ("rows", "__init__", name.upper())),
        *((Ask(path, handle, method=each), 405) for each in ("GET", "PUT", "DELETE", "OPTIONS", "TRACE")),
        *((Ask(path, handle, more=f"Origin: {each}\r\n"), 403) for each in ("https://evil.org", "null", "http://[")),
        (Ask(path, handle, b" " * (7 * LIMITS.shown_characters)), 422),
        (Ask(path, handle, json.dumps(ASK | {"text": "a" * (LIMITS.shown_characters + 1)}).encode()), 422),
        (Ask(path, handle), 200),
    ]


async def wrong(server: Server) -> list[str]:
    """Return the forged requests whose answers have another status than they should."""
    visitor = await Visitor.open(server.url)
    asks = visitor.shown["tokens.shown"].data["asks"]
    tried = forged(f"{asks['address']}tokens", asks["handle"])
    found = [(ask, await status(server.url, ask), expected) for ask, expected in tried]
    await visitor.close()
    return [f"{ask.method} {ask.path} {ask.body[:40]!r}: {is_} for {due}" for ask, is_, due in found if is_ != due]


async def flood(server: Server, at_once: int = AT_ONCE, visitors: int = 10) -> tuple[Counter[int], float]:
    """Ask for long texts, all at once, with slow bodies and unknown handles among them.

    Return how many answers had each status, and the most seconds that another visitor's short text took meanwhile.
    """
    opened = [await Visitor.open(server.url) for _ in range(visitors + 1)]
    asks = [each.shown["tokens.shown"].data["asks"] for each in opened]
    path = f"{asks[0]['address']}tokens"
    own = Ask(path, asks[-1]["handle"])
    await status(server.url, own)

    def attack(number: int) -> Ask:
        handle = asks[number % visitors]["handle"] if number % 4 else secrets.token_urlsafe(16)
        return Ask(path, handle, LONG, sends=5000 if number % 4 == 3 else None)

    tasks = [asyncio.create_task(status(server.url, attack(number))) for number in range(at_once)]
    slowest = 0.0
    while not all(task.done() for task in tasks):
        begun = monotonic()
        answer = await status(server.url, own)
        slowest = max(slowest, monotonic() - begun if answer == 200 else SECONDS)
        await asyncio.sleep(0.2)
    for each in opened:
        await each.close()
    return Counter(task.result() for task in tasks), slowest


def measure(at_once: int = AT_ONCE) -> Iterator[Row]:
    """Attack a server."""
    with serve() as server:
        found = asyncio.run(wrong(server))
        for each in found[:9]:
            print(f"    {each}")
        yield "forged requests for resources with another answer than they should have", float(len(found)), "", 0.0
        before = server.megabytes()
        answers, slowest = asyncio.run(flood(server, at_once))
        others = sum(count for each, count in answers.items() if each not in ANSWERS)
        print(f"    {dict(answers)}")
        yield f"{at_once:,} requests for long texts at once: neither answered nor refused", float(others), "", 0.0
        yield "the slowest short text of another visitor meanwhile", slowest * 1000, "ms", 5000.0
        yield "memory that they leave behind", max(0.0, server.megabytes() - before), "MB", 300.0
        yield "tracebacks in the server's log", float(server.tracebacks()), "", 0.0
