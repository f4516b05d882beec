"""The data of a film: what the page sends with the film, and what the film asks for later (see `resources`).

    of a page      film_answer   the step, the search, the sections, …; for a film that does not have the page's version
                                 yet, also its first data
    of a training  first_data    the facts, the window of words, the frames of the steps near by
                   window_data   the words that match a search, in an order
                   frames_data   the frames of some steps, in chunks
                   focus_data    details about a pair or a word at a step

Frames and chunks count the steps of their side from 0. The step of a page counts through all stages of a training.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, TypedDict

from bpe_core.pictures.film import word_window
from bpe_core.pictures.film.film_side import CHUNK, FilmSide, RunSide
from bpe_core.pictures.film.timeline import Timeline
from bpe_core.pictures.shared.json_form import Json
from bpe_core.pictures.shared.request import Request
from bpe_core.record.side_by_side import SideBySide

# The sections of a film besides its step bar. "branch" is the menu of pairs that a step could have merged instead.
SECTIONS = ("timeline", "sentence", "corpus", "pairs", "merges", "find", "predict", "branch")
MOST_ASKED = 24  # chunks in one request; as in record.js
FIRST_CHUNKS = 3  # of each side in the first data: enough for a film that does not play (`AHEAD` in asking.js)


class ShownWords(NamedTuple):
    """The words of one side on the screen.

    `rows`: for each row on the screen, the index of its word, or the indexes of its words. `note`: a sentence about how
    many words there are. `sort`: the sort order in use; in "changed first" the words that a step changed come before
    the others. `counts`: how often each row occurs; None if a row occurs as often as its word. `walls`: the ends of
    pretokens that merges may cross from step 0 on, in the form of `RunSide.walls`.
    """

    rows: Sequence[int | Sequence[int]] = ()
    note: str = ""
    sort: str = ""
    counts: Sequence[int] | None = None
    walls: Mapping[int, Sequence[int]] = MappingProxyType({})


class ShownSide(NamedTuple):
    """One training of a film (a side) as the screen shows it.

    `words(find, sort, step)`: returns the words that match a search, in an order; "" for all words, or for an order
    that fits the corpus. `step`: in "changed first", the step whose changed words come first. `title`: the name of the
    side, shown if the film has two sides. `unit`: the noun for a word, such as "line". `timeline`: the stages of the
    training; None if the training has only one stage.
    """

    side: FilmSide
    words: Callable[[str, str, int], ShownWords]
    title: str = ""
    unit: str = "word"
    timeline: Timeline | None = None


def words_of(side: RunSide, remark: str = "") -> Callable[[str, str, int], ShownWords]:
    """Return the function that finds the words of a film of one side. `remark`: a sentence for the end of the note."""

    def found(find: str, sort: str, step: int) -> ShownWords:
        window = word_window.words(side.record, find, sort, step)
        return ShownWords(window.rows, f"{window.note}{remark}", window.sort, walls=side.walls(window.rows))

    return found


def aligned_words(both: SideBySide, everything: bool) -> list[Callable[[str, str, int], ShownWords]]:
    """Return for each of two sides the function that finds its words: see `word_rows`."""
    window = cache(lambda: word_window.word_rows(both, everything))

    def found(number: int, find: str, sort: str, step: int) -> ShownWords:
        return ShownWords([row[number] for row in window().rows], window().note, counts=window().counts)

    return [partial(found, number) for number in range(2)]


class LeftToPageError(Exception):
    """An error: the training of a typed text is left to the page, since it may take long, or fails."""


@dataclass(frozen=True)
class Film:
    """A training, or two trainings side by side, as a film shows them: the thing that a film asks about.

    `train(text)`: returns the sides of a training of the same kind on a typed text, or raises `LeftToPageError`; None
    for a film that does not follow the typing.
    """

    sides: Sequence[ShownSide]
    train: Callable[[str], Sequence[ShownSide]] | None = None

    def on(self, text: str | None) -> Film:
        """Return the film of the same kind of training on a typed text; of None, return this film."""
        if text is None:
            return self
        if self.train is None:
            raise LeftToPageError
        return Film(self.train(text))


class Position(NamedTuple):
    """The choices of a reader in a film: the step, the search and the order of words.

    `branch`: (side, step, left id, right id), a pair to merge after that step instead of the pair that the training
    merged. `enter`: (stage, step), another stage to show, and the step at which that stage opens.
    """

    step: int
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
    """One training of a film. `begin`: the number of its first step. Chunks and frames count from 0."""

    digest: str
    begin: int
    steps: int
    title: str
    unit: str
    timeline: Json | None


class FirstData(TypedDict):
    """What a film of a training begins with. `run`: the digests of the trainings. `facts`: of each side.

    `window`: see `window_data`. `chunks`: see `frames_data`.
    """

    run: str
    sides: list[SideData]
    facts: list[Json]
    window: Json
    chunks: list[list[Any]]


class FilmData(TypedDict):
    """The data of a film. `version` and `answered`: see `request`. `run`, `sides`: as in `FirstData`.

    `sort`: the order of words that the reader chose. `first`: None for a film that has the page's version already.
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
    step: int
    first: FirstData | None


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
    branch = _of_side(sides, chosen.get("branch"), lambda side: (side.begin + side.steps + 1, *[side.token_count] * 2))
    return Position(max(min(step[0], last), begin), find, sort, branch, _numbers(chosen.get("enter"), 2))


def film_answer(request: Request, film: Film, now: Position, version: int, layout: FilmLayout) -> FilmData:
    """Return the data of a film at a position. `version`: as for `position`."""
    sides = [shown.side for shown in film.sides]
    is_known = request.version == _version(sides, version)
    return {
        "version": _version(sides, version),
        "answered": request.number,
        "run": _run(sides),
        "sides": [_side_data(shown) for shown in film.sides],
        "vega": layout.vega,
        "sections": list(layout.sections),
        "sorts": list(layout.sorts),
        "step_name": layout.step_name,
        "follows": layout.follows,
        "find": now.find,
        "sort": now.sort,
        "step": now.step,
        "first": None if is_known else first_data(film, now.find, now.sort, now.step),
    }


def first_data(film: Film, find: str, sort: str, step: int, chunks: int = FIRST_CHUNKS) -> FirstData:
    """Return what a film of a training begins with at a step: the facts, the words, the frames from that step on.

    `chunks`: how many chunks of frames of each side.
    """
    sides = [shown.side for shown in film.sides]
    now = [max(min(step - side.begin, side.steps), 0) // CHUNK for side in sides]
    wanted = [(side, number + by) for by in range(chunks) for side, number in enumerate(now)]
    return {
        "run": _run(sides),
        "sides": [_side_data(shown) for shown in film.sides],
        "facts": [side.facts() for side in sides],
        "window": window_data(film, find, sort, step),
        "chunks": frames_data(film, wanted),
    }


def window_data(film: Film, find: str, sort: str, step: int) -> Json:
    """Return the words that match a search. `sort`: their order; "" for one that fits the corpus. `step`: the film's.

    The data: `sort`, the order in use, and whether it is that of the words that a step changed; for each side `rows`,
    the indexes of the words of each row, `counts`, `words`, `walls` and `note`, as in `ShownWords`.
    """
    found = [(side, words(find, sort, max(min(step - side.begin, side.steps), 0))) for side, words, *_ in film.sides]
    order = found[0][1].sort
    return {
        "sort": order,
        "changed_first": order == word_window.CHANGED,
        "sides": [_words_data(*each) for each in found],
    }


def _words_data(side: FilmSide, shown: ShownWords) -> Json:
    rows = [list(row) if isinstance(row, Sequence) else [int(row)] for row in shown.rows]
    words = side.words(list(dict.fromkeys(chain.from_iterable(rows))))
    walls = [[row, list(shown.walls[row])] for row, *_ in words if row in shown.walls]
    counts = shown.counts and list(shown.counts)
    return {"rows": rows, "counts": counts, "words": words, "walls": walls, "note": shown.note}


def frames_data(film: Film, wanted: Sequence[Any]) -> list[list[Any]]:
    """Return frames in chunks of a few steps, as [side, number, chunk]. Leave out what does not exist.

    `wanted`: (side, number) for each chunk, of which only the first `MOST_ASKED` count.
    """
    sides = [shown.side for shown in film.sides]
    return [
        [side, number, sides[side].chunk(number)]
        for side, number in filter(None, (_numbers(each, 2) for each in wanted[:MOST_ASKED]))
        if side < len(sides) and CHUNK * number <= sides[side].steps
    ]


def focus_data(film: Film, chosen: Sequence[int], step: int) -> Json | None:
    """Return details about a pair, as (side, left id, right id), or a word, as (side, row); None if it does not exist.

    `step`: counted from the side's first step.
    """
    sides = [shown.side for shown in film.sides]
    is_pair = len(chosen) == 3
    limits = (lambda side: [side.token_count] * 2) if is_pair else (lambda side: [side.word_count])
    if _of_side(sides, chosen, limits) is None:
        return None
    number, *of = chosen
    side = sides[number]
    step = min(step, side.steps)
    found = side.focus(step, of if is_pair else None, None if is_pair else of[0])
    return {"side": number, "step": step, "chosen": of, **found} if found else None


def _run(sides: Sequence[FilmSide]) -> str:
    return " ".join(side.digest for side in sides)


def _version(sides: Sequence[FilmSide], version: int) -> str:
    """Return the version of a film: a number, and the digests of the trainings, since a new training sets the step."""
    return f"{version} {_run(sides)}"


def _of_side(
    sides: Sequence[FilmSide], value: Any, limits: Callable[[FilmSide], Sequence[int]]
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


def _side_data(shown: ShownSide) -> SideData:
    side = shown.side
    return {
        "digest": side.digest,
        "begin": side.begin,
        "steps": side.steps,
        "title": shown.title,
        "unit": shown.unit,
        "timeline": shown.timeline and _timeline(shown.timeline),
    }


def _timeline(timeline: Timeline) -> Json:
    before, after = ([block._asdict() for block in blocks] for blocks in (timeline.before, timeline.after))
    return {"title": timeline.title, "before": before, "after": after}
