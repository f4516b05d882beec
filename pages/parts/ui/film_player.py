"""The film on a page, and the page's step: the film sets the step, and the views below the film follow it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import streamlit as st

from bpe_core.pictures.film.film_answer import SECTIONS, FilmLayout, Position, ShownSide, position
from bpe_core.pictures.film.film_side import FilmSide
from bpe_core.pictures.shared.request import Request, read_request
from pages.parts.algorithms.algorithms_state import Algorithms
from pages.parts.state import state
from pages.parts.state.page_states import WithFilm
from pages.parts.state.values import LARGEST
from pages.parts.train.train_state import Train
from pages.parts.ui.live_view import film

S = TypeVar("S", bound=WithFilm)
PLAYER, BELOW = "film player", "below the film"  # the keys of the two fragments


@dataclass(frozen=True)
class Player:
    """The film on a page: one training, or two side by side, step by step.

    `shown`: the function that returns what each side shows at a position. `sections`, `sorts`: see `FilmLayout`.
    `branch`: the function that is called with (side, step, left id, right id) when the visitor chooses another pair.
    `enter`: the function that is called with (stage, step) when the visitor enters a block of the timeline. It has to
    set the step (`go`). `name`: the state field that holds the step. `follows`: whether the views below the film are
    drawn at every step while the film plays.
    """

    page: type[WithFilm]
    sides: Sequence[FilmSide]
    shown: Callable[[Position], Sequence[ShownSide]]
    sections: Sequence[str] = SECTIONS
    sorts: Sequence[str] = ()
    branch: Callable[[int, int, int, int], None] | None = None
    enter: Callable[[int, int], None] | None = None
    name: str = "step"
    follows: bool = False

    def play(self, below: Callable[[], None] = lambda: None) -> None:
        """Draw the film, then call `below`. When the step changes, call `below` again.

        `below`: the function that draws the views below the film.
        """

        @st.fragment(key=PLAYER)
        def player() -> None:
            self._draw()

        @st.fragment(key=BELOW)
        def drawn_below() -> None:
            below()
            state.publish(self.page)

        player()
        drawn_below()

    @property
    def _key(self) -> str:
        return f"{self.page.PAGE}.film" if self.name == "step" else f"{self.page.PAGE}.film of {self.name}s"

    def _position(self, now: WithFilm, request: Request) -> Position:
        """Return the film's position (step, search, order): as the visitor chose it in the film, or else the page's.

        What the visitor chose in the film counts only if the page has not set the step since then.
        """
        first = Position(getattr(now, self.name))
        if isinstance(now, Train) and self.sorts:
            first = first._replace(find=now.words, sort=now.sort or "")
        return position(request, self.sides, first, now.version)

    def _with(self, now: WithFilm, film: Position) -> WithFilm:
        """Return the page's state with the values that were chosen in the film."""
        new: dict[str, Any] = {self.name: film.step}
        if isinstance(now, Train) and self.sorts:
            new |= {"words": film.find, "sort": film.sort or None}
        return replace(now, **new)

    def _listen(self) -> None:
        now = state.read(self.page)
        if self._with(now, self._position(now, read_request(state.recall(self._key)))) != now:
            st.rerun([PLAYER, BELOW])  # without this call, only the film reruns

    def _draw(self) -> None:
        before, request = state.read(self.page), read_request(state.recall(self._key))
        film_now = self._position(before, request)
        if film_now.branch and self.branch:
            self.branch(*film_now.branch)
            st.rerun()
        if film_now.enter and self.enter:
            self.enter(*film_now.enter)
            st.rerun()
        now = state.save(self._with(before, film_now))
        if now != before and state.recall("remarks"):
            st.rerun()  # the whole page, since the first change drops the page's remarks
        layout = FilmLayout(self.sections, self.sorts, self.name, self.follows)
        film(self._key, request, self.shown(film_now), film_now, now.version, layout, self._listen)


def go(now: S, step: int) -> S:
    """Return the state with another step. The state's version rises, so the film adopts the step once."""
    return replace(now, step=step, version=now.version + 1)


def start_over(now: S, shown: Any) -> S:
    """If the page shows another training than before, go to the first step. Return the state.

    `shown`: a key of the training. On the first call the step stays, since it may be from a link.
    """
    if now.shown is None or now.shown == shown:
        return state.save(replace(now, shown=shown))
    first: dict[str, Any] = {"step": 0, "round": 0} if isinstance(now, Algorithms) else {"step": 0}
    return state.remark(now, shown=shown, **first)


def to_the_end(now: S) -> S:
    """Return a changed state: with it, the next training opens at its last step instead of its first step."""
    return go(replace(now, shown=None), LARGEST)


def fit(now: S, last: int, name: str = "step") -> S:
    """If the step is beyond the last one, set it to the last one and say so on the page. Return the state.

    `name`: the state field that holds the step.
    """
    step = getattr(now, name)
    if step <= last:
        return now
    there = f"the last one is {last:,}" if last else f"this run has no {name}s"
    why = f"There is no {name} {step:,}: {there}." if step < LARGEST else ""
    return state.remark(now, why, **{name: last})
