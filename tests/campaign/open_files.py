"""Many visitors of a server that may have few files open until it raises its soft limit, as it does on many systems."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic

from websockets.exceptions import WebSocketException

from tests.campaign.server import ROOT
from tests.campaign.visitor import Visitor
from tests.server import serving

Row = tuple[str, float, str, float | None]
ONE_BY_ONE, AT_ONCE = 1000, 300
SECONDS = 300  # in which all that come one by one must have come
SOFT_LIMIT = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({0}, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
"""
COMMAND = "from bpe_core.cli.mergescope import main; main()"


def limited(files: int) -> list[str]:
    """The command `mergescope` in a process with a soft limit of open files."""
    return [sys.executable, "-c", SOFT_LIMIT.format(files) + COMMAND]


async def arrival(url: str) -> Visitor | None:
    """Open the first page; return its visitor, or None where the server refused them or had an error in its place."""
    with suppress(OSError, TimeoutError, WebSocketException):
        visitor = await Visitor.open(url)
        if "shared.editor" in visitor.shown:
            return visitor
        await visitor.close()
    return None


async def refused_one_by_one(url: str, visitors: int) -> int:
    """Let visitors come, each after the one before has left; return how many the server refused."""
    arrived, until = 0, monotonic() + SECONDS
    for _ in range(visitors):
        if monotonic() < until and (visitor := await arrival(url)):
            arrived += 1
            await visitor.close()
    return visitors - arrived


async def refused_at_once(url: str, visitors: int) -> int:
    """Let visitors come in one moment and stay; return how many the server refused."""
    arrived = [visitor for visitor in await asyncio.gather(*(arrival(url) for _ in range(visitors))) if visitor]
    await asyncio.gather(*(visitor.close() for visitor in arrived))
    return visitors - len(arrived)


def measure() -> Iterator[Row]:
    """Count who is refused: in a first crowd, among many who come one by one, and in a crowd after them."""
    with serving(limited(1024), ROOT) as url:
        first = asyncio.run(refused_at_once(url, AT_ONCE))
        yield f"the first {AT_ONCE} visitors, at once: refused", first, "", 0.0
        others = asyncio.run(refused_one_by_one(url, ONE_BY_ONE))
        yield f"{ONE_BY_ONE:,} visitors one after the other: refused", others, "", 0.0
        last = asyncio.run(refused_at_once(url, AT_ONCE))
        yield f"{AT_ONCE} visitors after them, at once: refused", last, "", 0.0
