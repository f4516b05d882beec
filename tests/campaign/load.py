"""Many visitors at once, without browsers: how long they wait, and what an action costs the server.

What is waited for depends on what else the machine does; processor time hardly does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from random import Random
from statistics import median
from time import monotonic

from tests.campaign.server import Server, serve
from tests.campaign.visitor import Visitor

Row = tuple[str, float, str, float | None]  # what, figure, unit, goal
WORDS = [
    "the",
    "keeper",
    "saw",
    "the",
    "lighthouse",
    "and",
    "the",
    "newest",
    "ship",
    "of",
    "all",
    "the",
    "ships",
    "that",
    "he",
    "had",
    "seen",
]
USERS = {1: None, 10: None, 30: 400.0, 60: 1000.0}  # and the goal for the 95th percentile in milliseconds
ACTIONS = 12  # of each, a second apart
FILMS, FILM_SECONDS = 300, 12.0


async def type_word(visitor: Visitor, number: int) -> None:
    """Type one more word."""
    await visitor.type(" ".join(WORDS[: 1 + number % len(WORDS)]) + f" {number}")


async def step(visitor: Visitor, number: int) -> None:
    """Go one step on."""
    await visitor.step(1 + number % 15)


async def jump(visitor: Visitor, number: int) -> None:
    """Go to a step far away."""
    await visitor.step(1 + number * 97 % 300)


async def retrain(visitor: Visitor, number: int) -> None:
    """Train with another size of the vocabulary: now and then one that nobody has had."""
    await visitor.act("train.vocab_size", double_value=float(300 + number % 7))


async def open_view(visitor: Visitor, number: int) -> None:
    """Open the next view."""
    names = visitor.views()
    await visitor.view(names[number % len(names)])


# What visitors do: the page, its link, the action.
DOINGS: dict[str, tuple[str, dict[str, str], Callable[[Visitor, int], Awaitable[None]]]] = {
    "type": ("playground", {}, type_word),
    "step": ("train", {}, step),
    "jump": ("train", {"corpus": "short-story", "vocab_size": "400"}, jump),
    "retrain": ("train", {"corpus": "my-dog"}, retrain),
    "view of Train": ("train", {}, open_view),
    "view of the Playground": ("playground", {}, open_view),
    "step of Compare": ("compare", {}, step),
}
USUAL = ["type", "type", "step", "jump", "retrain", "view of Train"]  # what a crowd does


def late(times: list[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[int(0.95 * len(times))]


async def cost(server: Server, name: str, times: int = 20) -> float:
    """Milliseconds of the server's processor for one action, after a first round that fills all memories."""
    page, query, act = DOINGS[name]
    visitor = await Visitor.open(server.url, page, query)
    for number in range(times):
        await act(visitor, number)
    begun = server.seconds()
    for number in range(times):
        await act(visitor, number)
    await visitor.close()
    return 1000 * (server.seconds() - begun) / times


async def crowd(server: Server, users: int, actions: int = ACTIONS) -> dict[str, list[float]]:
    """So many visitors who act once a second; the milliseconds that they waited, by what they did."""
    waited: dict[str, list[float]] = {name: [] for name in USUAL}
    ready = asyncio.Event()

    async def live(number: int) -> None:
        name, chance = USUAL[number % len(USUAL)], Random(number)
        page, query, act = DOINGS[name]
        visitor = await Visitor.open(server.url, page, query)
        await act(visitor, 0)
        opened.release()
        await ready.wait()
        await asyncio.sleep(chance.random())
        for at in range(actions):
            begun = monotonic()
            await act(visitor, at + number)
            waited[name].append(1000 * (monotonic() - begun))
            await asyncio.sleep(max(0.0, 1 - (monotonic() - begun)))
        await visitor.close()

    opened = asyncio.Semaphore(0)
    tasks = []
    for number in range(users):  # one after the other: they come over some minutes
        tasks.append(asyncio.create_task(live(number)))
        await opened.acquire()
    ready.set()
    await asyncio.gather(*tasks)
    return {name: times for name, times in waited.items() if times}


async def films(server: Server, users: int = FILMS, asks: int = 2) -> list[float]:
    """So many visitors who play a film at four steps a second: each wants the next three chunks every twelve seconds.

    Milliseconds until they are there.
    """
    waited: list[float] = []

    async def play(number: int) -> None:
        visitor = await Visitor.open(server.url, "train", {"corpus": "short-story", "vocab_size": "400"})
        opened.release()
        await ready.wait()
        await asyncio.sleep(FILM_SECONDS * number / users)
        for ask in range(asks):
            begun = monotonic()
            await visitor.film(0, [[0, 3 * ask + chunk] for chunk in (1, 2, 3)], settled=False)
            waited.append(1000 * (monotonic() - begun))
            await asyncio.sleep(max(0.0, FILM_SECONDS - (monotonic() - begun)))
        await visitor.close()

    opened, ready, tasks = asyncio.Semaphore(0), asyncio.Event(), []
    for number in range(users):
        tasks.append(asyncio.create_task(play(number)))
        await opened.acquire()
    ready.set()
    await asyncio.gather(*tasks)
    return waited


async def soak(server: Server, sessions: int, at_once: int = 10) -> AsyncIterator[tuple[int, float]]:
    """Sessions that come, act and go; yields how many there were, and the server's memory in MB."""
    for done in range(0, sessions, at_once):
        await asyncio.gather(*(_visit(server, done + number) for number in range(at_once)))
        yield done + at_once, server.megabytes()


async def _visit(server: Server, number: int) -> None:
    page, query, act = [*DOINGS.values()][number % len(DOINGS)]
    visitor = await Visitor.open(server.url, page, query)
    for at in range(3):
        await act(visitor, number + at)
    await visitor.close()


def measure(full: bool = True) -> Iterator[Row]:
    """What an action costs, how long crowds wait, 300 films, and the soak."""
    with serve() as server:
        for name in DOINGS:
            yield f"{name}: the server's processor", asyncio.run(cost(server, name)), "ms", None
        for users, goal in USERS.items():
            waited = asyncio.run(crowd(server, users))
            every = [time for times in waited.values() for time in times]
            yield f"{users} visitors once a second: median", median(every), "ms", None
            yield f"{users} visitors once a second: 95th percentile", late(every), "ms", goal
        yield f"{FILMS} films: the next chunks, 95th percentile", late(asyncio.run(films(server))), "ms", 400.0
    yield from _soaked(2000 if full else 600)


def _soaked(sessions: int) -> Iterator[Row]:
    async def run() -> list[tuple[int, float]]:
        return [figure async for figure in soak(server, sessions)]

    with serve() as server:
        figures = asyncio.run(run())
    early = next(megabytes for done, megabytes in figures if done >= 300)
    yield "memory after 300 sessions", early, "MB", None
    yield f"memory after {sessions:,} sessions, of that", 100 * figures[-1][1] / early, "%", 110.0
