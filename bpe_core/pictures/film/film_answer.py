"""The answer to a film's request: the data that the film shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, TypedDict

from bpe_core.pictures.film.film_side import CHUNK, FilmSide
from bpe_core.pictures.film.timeline import Timeline
from bpe_core.pictures.film.word_window import CHANGED
from bpe_core.pictures.shared.json_form import Json, compact
from bpe_core.pictures.shared.request import Request

# The sections of a film besides its step bar. "branch" is the menu of pairs that a step could have merged instead.
SECTIONS = ("timeline", "sentence", "corpus", "pairs", "merges", "find", "predict", "branch")
MOST_CHUNKS = 24  # in one answer
FIRST_CHUNKS = 3  # of each side in the first answer: enough for a film that does not play (`AHEAD` in film.js)


class ShownSide(NamedTuple):
    """One training of a film (a side) as the screen shows it.

    `rows`: for each row on the screen, the index of its word, or the indexes of its words. `note`: a sentence about how
    many words there are. `title`: the name of the side, shown if the film has two sides. `sort`: the sort order in use;
    in "changed first" the words that a step changed come before the others. `counts`: how often each row occurs; None
    if a row occurs as often as its word. `unit`: the noun for a word, such as "line". `timeline`: the stages of the
    training; None if the training has only one stage. `walls`: the ends of pretokens that merges may cross
    from step 0 on, in the form of `RunSide.walls`.
    """

    side: FilmSide
    rows: Sequence[int | Sequence[int]]
    note: str = ""
    title: str = ""
    sort: str = ""
    counts: Sequence[int] | None = None
    unit: str = "word"
    timeline: Timeline | None = None
    walls: Mapping[int, Sequence[int]] = MappingProxyType({})


class Position(NamedTuple):
    """The choices of a reader in a film: the step, a pair or a word, the search and the order of words.

    `pair`: (side, left id, right id). `word`: (side, row). `branch`: (side, step, left id, right id), a pair to merge
    after that step instead of the pair that the training merged. `enter`: (stage, step), another stage to show, and the
    step at which that stage opens.
    """

    step: int
    pair: tuple[int, ...] | None = None
    word: tuple[int, ...] | None = None
    find: str = ""
    sort: str = ""
    branch: tuple[int, ...] | None = None
    enter: tuple[int, ...] | None = None


class FilmLayout(NamedTuple):
    """The sections of a film and how they work.

    `sections`: some of `SECTIONS`. `sorts`: the sort orders that a reader can choose. `step_name`: the name of the step
    in the page's address; "" if the step is not in the address. `follows`: whether the film reports every step that it
    plays. `vega`: the address of Vega's script; "" for a film that lists the pairs instead of drawing a chart.
    """

    sections: Sequence[str] = SECTIONS
    sorts: Sequence[str] = ()
    step_name: str = ""
    follows: bool = False
    vega: str = ""


class SideData(TypedDict):
    """One training of a film. `facts` and `window` (the shown words): JSON values, JSON texts, or addresses of JSON.

    `begin`: the number of the side's first step. Chunks and frames count from 0.
    """

    digest: str
    begin: int
    steps: int
    title: str
    note: str
    unit: str
    timeline: Json | None
    facts: Any
    window: Any


class FilmData(TypedDict):
    """The data of a film.

    `version` and `answered`: see `request`. `run`: the digests of the trainings. `sort`: the order of words that the
    reader chose. `sorted`: the order in use. `chunks`: the frames of a few steps each, as [side, number, chunk].
    `focus`: details about the chosen pair or word.
    """

    version: str
    answered: int
    run: str
    sides: list[SideData]
    vega: str
    sections: list[str]
    sorts: list[str]
    step_name: str
    follows: bool
    find: str
    sort: str
    sorted: str
    changed_first: bool
    step: int
    chunks: list[list[Any]]
    focus: Json | None


def position(request: Request, sides: Sequence[FilmSide], first: Position, version: int) -> Position:
    """Return the position of a film: the request's choice if the reader made it in this version, else `first`.

    `version`: a number that rises each time the server or the saved page sets the step. The request's search and order
    of words count in every version.
    """
    begin, last = min(side.begin for side in sides), max(side.begin + side.steps for side in sides)
    find, sort = (str(request.choice.get(name, getattr(first, name)))[:100] for name in ("find", "sort"))
    chosen = request.chosen(_version(sides, version))
    if not chosen:
        return first._replace(step=max(min(first.step, last), begin), find=find, sort=sort)
    step = _numbers([chosen.get("step")], 1) or (first.step,)
    return Position(
        max(min(step[0], last), begin),
        _of_side(sides, chosen.get("pair"), lambda side: (side.token_count, side.token_count)),
        _of_side(sides, chosen.get("word"), lambda side: (side.word_count,)),
        find,
        sort,
        _of_side(sides, chosen.get("branch"), lambda side: (side.begin + side.steps + 1, *[side.token_count] * 2)),
        _numbers(chosen.get("enter"), 2),
    )


def film_answer(
    request: Request,
    sides: Sequence[ShownSide],
    now: Position,
    version: int,
    layout: FilmLayout,
    publish: Callable[[str, str], Any],
) -> FilmData:
    """Return the data of a film of one or two sides at a position. `version`: as for `position`.

    `publish(text, name)`: returns what the film gets for a JSON text: the text itself, the value of the text, or an
    address from which the film fetches the text once. `name`, such as "0 facts", is unique among the film's texts.
    """
    recorded = [shown.side for shown in sides]
    return {
        "version": _version(recorded, version),
        "answered": request.number,
        "run": _name(recorded),
        "sides": [_side_data(shown, str(number), publish) for number, shown in enumerate(sides)],
        "vega": layout.vega,
        "sections": list(layout.sections),
        "sorts": list(layout.sorts),
        "step_name": layout.step_name,
        "follows": layout.follows,
        "find": now.find,
        "sort": now.sort,
        "sorted": sides[0].sort,
        "changed_first": sides[0].sort == CHANGED,
        "step": now.step,
        "chunks": _chunks(request, recorded, now.step, version),
        "focus": _focus(recorded, now),
    }


def _name(sides: Sequence[FilmSide]) -> str:
    return " ".join(side.digest for side in sides)


def _version(sides: Sequence[FilmSide], version: int) -> str:
    """Return the version of a film: a number, and the digests of the trainings, since a new training sets the step."""
    return f"{version} {_name(sides)}"


def _of_side(
    sides: Sequence[FilmSide], value: Any, limits: Callable[[FilmSide], tuple[int, ...]]
) -> tuple[int, ...] | None:
    """Return `value` as (side, number, …) if each number is below the side's limit; None for any other value."""
    numbers = _numbers(value, 1 + len(limits(sides[0])))
    if numbers is None or numbers[0] >= len(sides):
        return None
    fits = all(number < limit for number, limit in zip(numbers[1:], limits(sides[numbers[0]]), strict=True))
    return numbers if fits else None


def _numbers(value: Any, size: int) -> tuple[int, ...] | None:
    """Return a list of `size` non-negative integers as a tuple; None for any other value."""
    fits = isinstance(value, Sequence) and len(value) == size and all(type(n) is int and n >= 0 for n in value)
    return tuple(value) if fits else None


def _side_data(shown: ShownSide, name: str, publish: Callable[[str, str], Any]) -> SideData:
    side, rows = shown.side, [list(row) if isinstance(row, Sequence) else [int(row)] for row in shown.rows]
    words = side.words(list(dict.fromkeys(chain.from_iterable(rows))))
    walls = [[row, list(shown.walls[row])] for row, *_ in words if row in shown.walls]
    window = {"rows": rows, "counts": shown.counts and list(shown.counts), "words": words, "walls": walls}
    return {
        "digest": side.digest,
        "begin": side.begin,
        "steps": side.steps,
        "title": shown.title,
        "note": shown.note,
        "unit": shown.unit,
        "timeline": shown.timeline and _timeline(shown.timeline),
        "facts": publish(side.facts(), f"{name} facts"),
        "window": publish(compact(window), f"{name} window"),
    }


def _timeline(timeline: Timeline) -> Json:
    before, after = ([block._asdict() for block in blocks] for blocks in (timeline.before, timeline.after))
    return {"title": timeline.title, "before": before, "after": after}


def _chunks(request: Request, sides: Sequence[FilmSide], step: int, version: int) -> list[list[Any]]:
    """Return the frames that the film misses, in chunks of a few steps, as [side, number, chunk].

    A film that does not know this version yet gets the chunk that contains its step, and the next chunks.
    """
    if request.version == _version(sides, version):
        wanted = [_numbers(each, 2) for each in request.missing[:MOST_CHUNKS]]
    else:
        now = [min(step - side.begin, side.steps) // CHUNK for side in sides]
        wanted = [(side, number + by) for by in range(FIRST_CHUNKS) for side, number in enumerate(now)]
    return [
        [side, number, sides[side].chunk(number)]
        for side, number in filter(None, wanted)
        if side < len(sides) and CHUNK * number <= sides[side].steps
    ]


def _focus(sides: Sequence[FilmSide], now: Position) -> Json | None:
    """Return details about the chosen pair or word at the step of the film; None if nothing is chosen."""
    chosen = now.pair or now.word
    if chosen is None or chosen[0] >= len(sides):
        return None
    side = sides[chosen[0]]
    step = min(now.step - side.begin, side.steps)
    found: Mapping[str, Any] | None = side.focus(
        step, chosen[1:] if now.pair else None, None if now.pair else chosen[1]
    )
    return {"side": chosen[0], "step": step, "chosen": list(chosen[1:]), **found} if found else None
