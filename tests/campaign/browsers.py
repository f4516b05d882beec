"""What visitors do as the app's own scripts in their browsers would, with `tests/rhythm.py` as their rhythm.

A person does things at moments that nobody else decides; a picture has at most one request under way:

    keys       a    b c  d      e           rest
    requests   a--->     c--->  e--->            b is never sent alone, d neither: c and e go with the newest text
    page                                    e    the page hears of a text or a step when the visitor rests
    waited     a--->b--->c--->  e--->       from the press until the answer to a text that has the key

See `bpe_core/pictures/shared/source.js`, and `channel.js` for what the page hears.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Awaitable, Callable, Sequence
from itertools import accumulate, pairwise
from time import monotonic

from bpe_core.pictures.film.film_side import CHUNK
from tests.campaign.visitor import Visitor
from tests.rhythm import GAPS
from tests.texts import EXAMPLES

MOMENT = 0.02  # seconds between an answer and the next text; the same as in editor.js
REST = 1.0  # seconds without another step until the film tells the page; the same as in film.js
AHEAD = 4  # chunks of frames that a film without motion asks for; the same as in film/asking.js
BEFORE = 100  # characters in the box when a visitor begins to type
STORY = (EXAMPLES / "short-story.txt").read_text(encoding="utf-8")


def moments(number: int, count: int, spells: int = 1, pause: float = 0.0) -> list[float]:
    """The seconds at which a visitor presses a key: `spells` times `count` keys, and a pause after each spell.

    Each visitor begins elsewhere in the rhythm, and not all at once.
    """
    gaps = [GAPS[(7 * number + key) % len(GAPS)] / 1000 for key in range(spells * count)]
    gaps = [gap + (pause if key and key % count == 0 else 0) for key, gap in enumerate(gaps)]
    gaps[0] += (pause or 1.0) * (number * 13 % 29) / 29
    return [*accumulate(gaps)]


async def type_keys(visitor: Visitor, number: int, keys: Sequence[float]) -> list[float]:
    """Type at these seconds, each visitor another text; the milliseconds that each key waited.

    The picture asks for the tokens of each text. The page hears of the text at which the visitor rests.
    """
    at = 997 * number % (len(STORY) - BEFORE - len(keys))
    begun = f"{number}: {STORY[at : at + BEFORE]}"
    rest = STORY[at + BEFORE :]
    told = with_rests(keys)

    asked = 0

    async def send(happened: int) -> bool:
        nonlocal asked
        _, pressed, is_rest = told[happened - 1]
        if is_new := pressed > asked:
            await visitor.tokens(begun + rest[:pressed])
            asked = pressed
        if is_rest:
            await visitor.type(begun + rest[:pressed])
        return is_new

    visitor.waits = False
    return await _behave(visitor, [(moment, not is_rest) for moment, _, is_rest in told], send, MOMENT)


def with_rests(keys: Sequence[float]) -> list[tuple[float, int, bool]]:
    """The second at which something happens, the number of the last key, and whether it is that the visitor rests.

    >>> with_rests([1.0, 1.5, 4.0])
    [(1.0, 1, False), (1.5, 2, False), (2.5, 2, True), (4.0, 3, False)]
    """
    presses = [(key, number, False) for number, key in enumerate(keys, 1)]
    rests = [(key + REST, number, True) for (key, number, _), (then, *_) in pairwise(presses) if then - key > REST]
    return sorted([*presses, *rests])


async def press_steps(visitor: Visitor, keys: Sequence[float]) -> list[float]:
    """Press → at these seconds, from the first step on; the milliseconds that each step at rest waited.

    The browser draws steps whose frames it has without the server. It asks for frames before it needs them, and tells
    the server a step at which the visitor rests.
    """
    film = Film(visitor)
    told = with_rests(keys)

    async def send(happened: int) -> bool:
        settled = max((step for _, step, is_rest in told[:happened] if is_rest), default=0)
        return await film.tell(max(step for _, step, _ in told[:happened]), settled)

    visitor.waits = False
    return await _behave(visitor, [(moment, is_rest) for moment, _, is_rest in told], send, 0.0)


async def _behave(
    visitor: Visitor, happens: Sequence[tuple[float, bool]], send: Callable[[int], Awaitable[bool]], pause: float
) -> list[float]:
    """Let things happen at given seconds; return the milliseconds from each until the answer that knows about it.

    `happens`: the seconds, and whether somebody waits. `send`: is given how much has happened so far; whether it had to
    ask. `pause`: seconds between an answer and the next request.
    """
    begun, waited, done = monotonic(), list[float](), 0
    while done < len(happens):
        await visitor.rest(begun + happens[done][0] - monotonic())
        now = bisect(happens, (monotonic() - begun, True))
        asked = await send(now)
        came = monotonic() - begun
        waited += [1000 * (came - moment) for moment, waits in happens[done:now] if asked and waits]
        done = now
        if asked:
            await visitor.rest(pause)
    return waited


class Film:
    """What the script of a film knows in a browser: the frames, and the step that the page was told."""

    def __init__(self, visitor: Visitor) -> None:
        """Take in what the page has sent."""
        self._visitor = visitor
        self._key = next(key for key in visitor.shown if key.endswith(".film"))
        data = visitor.shown[self._key].data
        self._steps = [side["steps"] for side in data["sides"]]
        self._chunks = {(side, number) for side, number, _ in data["first"]["chunks"]}
        self._told = 0

    async def tell(self, step: int, settled: int) -> bool:
        """Ask for what is missing at `step`, and tell where the visitor rests; False if neither is news."""
        missing = self._missing(step)
        if missing:
            await self._visitor.frames(missing)
            self._chunks |= {(side, number) for side, number in missing}
        if settled != self._told:
            self._told = settled
            await self._visitor.answered(self._key, lambda: self._visitor.film(settled))
        elif not missing:
            return False
        return True

    def _missing(self, step: int) -> list[list[int]]:
        """As `missingChunks` in record.js."""

        def missing(by: int) -> list[list[int]]:
            numbers = [(side, min(step, steps) // CHUNK + by) for side, steps in enumerate(self._steps)]
            return [
                [side, number]
                for side, number in numbers
                if 0 <= number * CHUNK <= self._steps[side] and (side, number) not in self._chunks
            ]

        def following(count: int) -> list[list[int]]:
            return [each for by in range(1, count + 1) for each in missing(by)]

        return missing(0) or [*(following(AHEAD) if following(AHEAD // 2) else []), *missing(-1)]
