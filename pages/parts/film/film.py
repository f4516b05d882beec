"""The component itself: what it is told, and what was done in it. The package's docstring says how it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from bpe_core.live.film_data import CHUNK, Side
from bpe_core.live.view import FILM, film_script
from bpe_core.live.wire import compact
from bpe_core.live.word_window import CHANGED
from pages.parts.film.vega import vega
from pages.parts.live_text.live_view import LiveView
from pages.parts.live_text.sent import part
from pages.parts.live_text.served import address
from pages.parts.views import film_charts

# What a film shows besides its step bar; `branch`: the menu of pairs to merge instead.
ALL = ("timeline", "said", "corpus", "pairs", "merges", "find", "predict", "branch")
MOST_CHUNKS = 6  # in one answer


class Stage(NamedTuple):
    """One side on the screen. `rows`: the words to show, None where another side has a word that this one has not.

    `note`: what the window of words is of. `title`: said where there are two. `sort`: the sort order in
    use; with "changed first" the words that a step changed come before the window's.
    """

    side: Side
    rows: Sequence[int | None]
    note: str = ""
    title: str = ""
    sort: str = ""


class Told(NamedTuple):
    """What was done in a film: the step where it stands, a chosen pair or word, what to look for and how to sort.

    `pair`: (side, left id, right id). `word`: (side, row). `branch`: (side, step, left id, right id), once.
    """

    step: int
    pair: tuple[int, ...] | None = None
    word: tuple[int, ...] | None = None
    find: str = ""
    sort: str = ""
    branch: tuple[int, ...] | None = None


def told(sent: Mapping[str, Any], sides: Sequence[Side], first: Told, version: int) -> Told:
    """Return what the component has sent about these sides; `first` if it has sent nothing since this version.

    Whatever does not fit is left out: it comes from a browser.
    """
    state, last = part(sent, "film"), max(side.steps for side in sides)
    look = {name: str(state.get(name, getattr(first, name)))[:100] for name in ("find", "sort")}
    if state.get("run") != _name(sides) or state.get("version") != version:
        return first._replace(step=min(first.step, last), **look)
    there = _numbers([state.get("step")], 1) or (first.step,)
    branch = part(sent, "branch")
    pairs = branch.get("pair") if branch.get("run") == _name(sides) else None
    return Told(
        min(there[0], last),
        _of_side(sides, state.get("pair"), lambda side: (side.token_count, side.token_count)),
        _of_side(sides, state.get("word"), lambda side: (side.word_count,)),
        branch=_of_side(sides, pairs, lambda side: (side.steps + 1, side.token_count, side.token_count)),
        **look,
    )


def _of_side(sides: Sequence[Side], value: Any, limits: Callable[[Side], tuple[int, ...]]) -> tuple[int, ...] | None:
    """Return the number of a side and numbers below the limits of that side; None for any other value."""
    numbers = _numbers(value, 1 + len(limits(sides[0])))
    if numbers is None or numbers[0] >= len(sides):
        return None
    fits = all(number < limit for number, limit in zip(numbers[1:], limits(sides[numbers[0]]), strict=True))
    return numbers if fits else None


def _numbers(value: Any, size: int) -> tuple[int, ...] | None:
    """`size` whole numbers, or None."""
    fits = isinstance(value, Sequence) and len(value) == size and all(type(n) is int and n >= 0 for n in value)
    return tuple(value) if fits else None


def _name(sides: Sequence[Side]) -> str:
    return " ".join(side.digest for side in sides)


def film(
    key: str,
    sent: Mapping[str, Any],
    stages: Sequence[Stage],
    now: Told,
    version: int,
    parts: Sequence[str] = ALL,
    sorts: Sequence[str] = (),
    place: str = "",
    follows: bool = False,
    on_news: Callable[[], None] | None = None,
) -> None:
    """Show a film of one or two stages at the step of `now`; what is done in it arrives in the session under `key`.

    `parts`: of `ALL`, what it has besides its step bar. `sorts`: the ways to sort the words, by name. `place`: the name
    of the step in the page's address, which is kept up to date while it plays. `follows`: the server is told every step
    that is played. `on_news` is called before the run in which something has arrived.
    """
    sides, state = [stage.side for stage in stages], part(sent, "film")
    data = {
        "vega": vega() if {"pairs", "timeline"} & set(parts) else "",
        "run": _name(sides),
        "stages": [_stage(f"{key} {i}", stage) for i, stage in enumerate(stages)],
        "parts": list(parts),
        "sorts": list(sorts),
        "place": place,
        "follows": follows,
        "find": now.find,
        "sort": now.sort,
        "sorted": stages[0].sort,
        "changed_first": stages[0].sort == CHANGED,
        "step": now.step,
        "version": version,
        "answered": state.get("number", 0),
        "chunks": _answer(sides, state, now.step),
        "focus": _focus(sides, now),
    }
    _FILM.show(key, data, {"film": on_news} if on_news else None)


def _stage(name: str, stage: Stage) -> dict[str, Any]:
    side, words = stage.side, stage.side.words([row for row in stage.rows if row is not None])
    window = compact({"rows": list(map(_plain, stage.rows)), "words": words})
    return {
        "digest": side.digest,
        "steps": side.steps,
        "title": stage.title,
        "note": stage.note,
        "facts": address(side.facts().encode(), "application/json", f"{name} facts"),
        "window": address(window.encode(), "application/json", f"{name} window"),
    }


def _plain(row: int | None) -> int | None:
    return None if row is None else int(row)


def _answer(sides: Sequence[Side], state: Mapping[str, Any], step: int) -> list[list[Any]]:
    """Return the chunks that were asked for, at first those of the step: [side, number, frames and words] each."""
    asked = state.get("ask") if state.get("run") == _name(sides) else None
    if isinstance(asked, list):
        wanted = [_numbers(one, 2) for one in asked[:MOST_CHUNKS]]
    else:
        wanted = [(side, min(step, sides[side].steps) // CHUNK) for side in range(len(sides))]
    return [
        [side, number, sides[side].chunk(number)]
        for side, number in filter(None, wanted)
        if side < len(sides) and CHUNK * number <= sides[side].steps
    ]


def _focus(sides: Sequence[Side], now: Told) -> dict[str, Any] | None:
    """More on what was chosen, at the step where the film stands."""
    chosen = now.pair or now.word
    if chosen is None or chosen[0] >= len(sides):
        return None
    side = sides[chosen[0]]
    step = min(now.step, side.steps)
    found = side.focus(step, chosen[1:] if now.pair else None, None if now.pair else chosen[1])
    return {"side": chosen[0], "step": step, "chosen": list(chosen[1:])} | found if found else None


def _script() -> str:
    return film_script({"pairs": film_charts.pairs(), "timeline": film_charts.timeline()})


_FILM = LiveView("film", FILM, ("film", "branch"), _script)
