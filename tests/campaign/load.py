"""Many visitors at once, without browsers: how long they wait, and what an action costs the server.

What is waited for depends on what else the machine does; processor time hardly does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from multiprocessing import get_context
from random import Random
from statistics import median
from time import monotonic
from typing import NamedTuple

from bpe_core.pictures.film.film_side import CHUNK
from bpe_core.published import PUBLISHED
from pages.parts.server.limits import SERVER_MB
from tests.campaign import browsers
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
USERS = {1: None, 10: None, 30: 400.0, 60: 500.0}  # and the goal for the 95th percentile in milliseconds
ACTIONS = 12  # of each, a second apart
WITHOUT_FAST = "import sys; sys.modules['numba'] = None"  # as in the image; numba takes 120 MB
FILMS, FILM_SECONDS = 300, 12.0
PEOPLE = (30, 60)  # visitors in their own rhythm
KEYS, SPELLS, RESTS = 48, 3, 5.0  # keys of each, in how many spells in the mix, and seconds of rest after each


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
    """Open the next tab."""
    names = visitor.views()
    await visitor.view(names[number % len(names)])


# What visitors do: the page, its link, the action.
DOINGS: dict[str, tuple[str, dict[str, str], Callable[[Visitor, int], Awaitable[None]]]] = {
    "type": ("", {}, type_word),
    "step": ("train", {}, step),
    "jump": ("train", {"corpus": "short-story", "vocab_size": "400"}, jump),
    "retrain": ("train", {"corpus": "my-dog"}, retrain),
    "view of Train": ("train", {}, open_view),
    "view of Tokens": ("", {}, open_view),
    "step of Compare": ("compare", {}, step),
}
USUAL = ["type", "type", "step", "jump", "retrain", "view of Train"]  # what a crowd does


def late(times: list[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[int(0.95 * len(times))]


async def pattern(visitor: Visitor, number: int) -> None:
    """A pattern of one's own that tries very many ways, on a text that nobody had."""
    await visitor.type("a" * (40 + number % 5) + f" {number} !")


async def numbers(visitor: Visitor, number: int) -> None:
    """A long text that nobody had: a training in the server itself."""
    await visitor.type(" ".join(str(number * 1_000_003 + i * 7919 % 99_991) for i in range(40_000)))


async def long_word(visitor: Visitor, number: int) -> None:
    """A text of one word."""
    await visitor.type("a" * (900_000 + number))


async def special_tokens(visitor: Visitor, number: int) -> None:
    """A text of many special tokens that nobody had, and not longer than a text that can be edited."""
    await visitor.type("a " * 99_000 + str(number))


async def characters(visitor: Visitor, number: int) -> None:
    """A text in which nearly every character is another one."""
    await visitor.type("".join(map(chr, range(0x20000 + number, 0x20000 + 42_000))))


# What costs a server most; as `DOINGS`.
WORST: dict[str, tuple[str, dict[str, str], Callable[[Visitor, int], Awaitable[None]]]] = {
    "run patterns that never end": ("train", {"pretokenizer": "custom", "pattern": r"(a|aa)+$"}, pattern),
    "train on long texts": ("train", {"vocab_size": "3000"}, numbers),
    "paste long words": ("compare", {}, long_word),
    "type special tokens": ("train", {"special_tokens": "a"}, special_tokens),
    "ask for six tokenizers": ("", {"view": "side-by-side"}, characters),
}


class Steps(NamedTuple):
    """The milliseconds of each step: until the film has its frames and is drawn, and until the page has heard too."""

    drawn: list[float]
    heard: list[float]


async def beside(server: Server, worst: str = "", users: int = 0, steps: int = 60) -> Steps:
    """A visitor's steps, while others do their worst without a pause."""
    page, query, _ = DOINGS["step"]
    visitor = await Visitor.open(server.url, page, query)
    # in a process of their own, so that what they cost the clients does not count
    others = [get_context("spawn").Process(target=_at_worst, args=(server.url, worst, users))] if users else []
    for other in others:
        other.start()
    await asyncio.sleep(3 * len(others))
    waited = Steps([], [])
    for number in range(steps):
        step, begun = 1 + number % 15, monotonic()
        await visitor.frames([[0, step // CHUNK]])
        waited.drawn.append(1000 * (monotonic() - begun))
        await visitor.film(step)
        waited.heard.append(1000 * (monotonic() - begun))
        await asyncio.sleep(0.2)
    for other in others:
        other.kill()
        other.join()
    await visitor.close()
    await idle(server)
    return waited


async def idle(server: Server) -> None:
    """Wait until the server computes nothing more for visitors who have left."""
    before = -1.0
    while server.seconds() - before > 0.05:
        before = server.seconds()
        await asyncio.sleep(0.5)


def _at_worst(url: str, worst: str, users: int) -> None:
    async def visit(first: int) -> None:
        page, query, act = WORST[worst]
        visitor = await Visitor.open(url, page, query)
        for number in range(first, first + 1000):
            await act(visitor, number)

    async def all_of_them() -> None:
        await asyncio.gather(*(visit(1000 * number) for number in range(users)))

    asyncio.run(all_of_them())


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


async def together(
    users: int, come: Callable[[int], Awaitable[Visitor]], live: Callable[[Visitor, int], Awaitable[list[float]]]
) -> list[float]:
    """So many visitors who come one after the other, and live once all are there; the milliseconds that they waited."""
    visitors = [await come(number) for number in range(users)]
    waited = await asyncio.gather(*(live(visitor, number) for number, visitor in enumerate(visitors)))
    for visitor in visitors:
        await visitor.close()
    return [each for one in waited for each in one]


async def crowd(servers: Sequence[Server], users: int, actions: int = ACTIONS) -> list[float]:
    """So many visitors who act once a second, each at one of the servers; the milliseconds that they waited."""

    def doing(number: int) -> tuple[str, dict[str, str], Callable[[Visitor, int], Awaitable[None]]]:
        return DOINGS[USUAL[number % len(USUAL)]]

    async def come(number: int) -> Visitor:
        page, query, act = doing(number)
        visitor = await Visitor.open(servers[number % len(servers)].url, page, query)
        await act(visitor, 0)
        return visitor

    async def live(visitor: Visitor, number: int) -> list[float]:
        *_, act = doing(number)
        await asyncio.sleep(Random(number).random())
        return await _again(lambda at: act(visitor, at + number), actions, 1.0)

    return await together(users, come, live)


async def _again(act: Callable[[int], Awaitable[None]], times: int, every: float) -> list[float]:
    """Act at even times; return the milliseconds that each action took."""
    waited = []
    for at in range(times):
        begun = monotonic()
        await act(at)
        waited.append(1000 * (monotonic() - begun))
        await asyncio.sleep(max(0.0, every - (monotonic() - begun)))
    return waited


async def typists(server: Server, users: int, keys: int = KEYS) -> list[float]:
    """So many visitors who type on Tokens as people do; the milliseconds that each key waited."""

    async def live(visitor: Visitor, number: int) -> list[float]:
        return await browsers.type_keys(visitor, number, browsers.moments(number, keys))

    return await together(users, lambda number: Visitor.open(server.url), live)


async def people(server: Server, users: int, spells: int = SPELLS) -> list[float]:
    """So many visitors of whom half type and half step, and all of whom rest; the milliseconds that they waited."""

    async def come(number: int) -> Visitor:
        page, query, _ = DOINGS["jump" if number % 2 else "type"]
        return await Visitor.open(server.url, page, query)

    async def live(visitor: Visitor, number: int) -> list[float]:
        pressed = browsers.moments(number, KEYS // SPELLS, spells, RESTS)
        if number % 2:
            return await browsers.press_steps(visitor, pressed)
        return await browsers.type_keys(visitor, number, pressed)

    return await together(users, come, live)


async def films(server: Server, users: int = FILMS, asks: int = 2) -> list[float]:
    """So many visitors who play a film at four steps a second: each wants the next three chunks every twelve seconds.

    Milliseconds until they are there.
    """

    async def live(visitor: Visitor, number: int) -> list[float]:
        async def ask(at: int) -> None:
            await visitor.frames([[0, 3 * at + chunk] for chunk in (1, 2, 3)])

        await asyncio.sleep(FILM_SECONDS * number / users)
        return await _again(ask, asks, FILM_SECONDS)

    return await together(users, lambda _: Visitor.open(server.url, *DOINGS["jump"][:2]), live)


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


async def every_view(server: Server) -> float:
    """The server's memory in MB, once every vocabulary was shown in every view."""
    visits: list[tuple[str, dict[str, str]]] = [("pipeline", {"model": name}) for name in PUBLISHED]
    visits += [("tokenizers", {"tokenizer": name}) for name in PUBLISHED]
    visits += [("", {"view": "side-by-side", "against": " ".join(PUBLISHED)})]
    for page, query in visits:
        await (await Visitor.open(server.url, page, query)).close()
    for page in ("", "train", "compare", "algorithms"):
        visitor = await Visitor.open(server.url, page, {"corpus": "short-story"})
        for name in visitor.views():
            await visitor.view(name)
        await visitor.close()
    return server.megabytes()


def measure(full: bool = True) -> Iterator[Row]:
    """What an action costs, how long crowds wait, films, what the worst visitors do to others, and memory."""
    with serve() as server:
        for name in DOINGS:
            yield f"{name}: the server's processor", asyncio.run(cost(server, name)), "ms", None
        for users, goal in USERS.items():
            yield from _crowded([server], users, goal)
        yield from _in_rhythm(server)
        yield f"{FILMS} films: the next chunks, 95th percentile", late(asyncio.run(films(server))), "ms", 400.0
        yield from _disturbed(server)
    with serve(limit=WITHOUT_FAST) as server:
        yield "memory with every vocabulary in every view", asyncio.run(every_view(server)), "MB", float(SERVER_MB)
    with serve() as one, serve() as other:
        yield from _crowded([one, other], max(USERS), None)
    yield from _soaked(800 if full else 600)


def _crowded(servers: Sequence[Server], users: int, goal: float | None) -> Iterator[Row]:
    waited = asyncio.run(crowd(servers, users))
    at = f" at {len(servers)} processes" if len(servers) > 1 else ""
    yield f"{users} visitors once a second{at}: median", median(waited), "ms", None
    yield f"{users} visitors once a second{at}: 95th percentile", late(waited), "ms", goal


def _in_rhythm(server: Server) -> Iterator[Row]:
    for what, lives in (("type", typists), ("type, step and rest", people)):
        for users in PEOPLE:
            waited = asyncio.run(lives(server, users))
            yield f"{users} visitors in their own rhythm {what}: median", median(waited), "ms", None
            yield f"{users} visitors in their own rhythm {what}: 95th percentile", late(waited), "ms", None


def _disturbed(server: Server) -> Iterator[Row]:
    alone = asyncio.run(beside(server))
    for what, times in (("a step", alone.heard), ("the frames of a step", alone.drawn)):
        yield f"{what} while nobody else does anything: median", median(times), "ms", None
        yield f"{what} while nobody else does anything: 95th percentile", late(times), "ms", None
    for worst in WORST:
        for users in (1, 4):
            waited = asyncio.run(beside(server, worst, users))
            for name, of in (("median", median), ("95th percentile", late)):
                share = 100 * of(waited.heard) / of(alone.heard)
                yield f"a step while {users} {worst}: {name}, of that", share, "%", 200.0
            yield f"the frames of a step while {users} {worst}: 95th percentile", late(waited.drawn), "ms", None
    yield "a long text while 6 run patterns that never end", asyncio.run(queued(server)), "s", 10.0


async def queued(server: Server, users: int = 6) -> float:
    """Seconds that a visitor's long text takes while others have patterns that never end."""
    visitor = await Visitor.open(server.url, "train", {})
    others = get_context("spawn").Process(target=_at_worst, args=(server.url, "run patterns that never end", users))
    others.start()
    await asyncio.sleep(3 + users)
    begun = monotonic()
    await numbers(visitor, 10**6)
    waited = monotonic() - begun
    others.kill()
    others.join()
    await visitor.close()
    await idle(server)
    return waited


def _soaked(sessions: int) -> Iterator[Row]:
    async def run() -> list[tuple[int, float]]:
        return [figure async for figure in soak(server, sessions)]

    with serve() as server:
        figures = asyncio.run(run())
    early = next(megabytes for done, megabytes in figures if done >= 300)
    yield "memory after 300 sessions", early, "MB", None
    yield f"memory after {sessions:,} sessions, of that", 100 * figures[-1][1] / early, "%", 110.0
