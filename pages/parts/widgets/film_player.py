"""The film on a page: it sets the page's values, and what is below the film follows its step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from bpe_core.live.film_data import Side
from bpe_core.live.film_view import SECTIONS, Layout, Position, Stage, position
from bpe_core.live.request import Request, read_request
from pages.parts.film.film import film
from pages.parts.session import state, steps

PLAYER, BELOW = "film player", "below the film"  # the keys of the fragments


@dataclass(frozen=True)
class Player:
    """The film of one or two sides on a page.

    `stages`: returns what each side shows for a search. `branch(side, step, left id, right id)`: called when the
    visitor chooses another pair. `name`: the page's value that holds the step. `follows`: what is below the film is
    also drawn at every step while it plays.
    """

    page: str
    sides: Sequence[Side]
    stages: Callable[[Position], Sequence[Stage]]
    parts: Sequence[str] = SECTIONS
    sorts: Sequence[str] = ()
    branch: Callable[[int, int, int, int], None] | None = None
    name: str = "step"
    follows: bool = False

    def play(self, below: Callable[[], None] = lambda: None) -> None:
        """Draw the film, and below it what `below` draws, which is drawn again when the step changes."""

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
        return f"{self.page}.film" if self.name == "step" else f"{self.page}.film of {self.name}s"

    @property
    def _searches(self) -> dict[str, str]:
        """The page's values that hold the search and the order of words, by the film's names; {} without them."""
        return {"find": "words", "sort": "sort"} if self.sorts else {}

    def _position(self, request: Request) -> Position:
        """Return the film's position: the page's values, and then what was chosen in the film."""
        first = {part: state.get(self.page, value) or "" for part, value in self._searches.items()}
        now = Position(state.get(self.page, self.name), **first)
        return position(request, self.sides, now, steps.version(self.page))

    def _news(self, now: Position) -> dict[str, Any]:
        """Return those of the page's values that were changed in the film."""
        new = {self.name: now.step} | {value: getattr(now, part) for part, value in self._searches.items()}
        return {value: to for value, to in new.items() if (state.get(self.page, value) or "") != (to or "")}

    def _listen(self) -> None:
        if self._news(self._position(read_request(state.recall(self._key)))):
            st.rerun([PLAYER, BELOW])  # else only the film

    def _draw(self) -> None:
        request = read_request(state.recall(self._key))
        now = self._position(request)
        if now.branch and self.branch:
            self.branch(*now.branch)
            st.rerun()
        changed = self._news(now)
        for value, to in changed.items():
            state.put(self.page, value, to)
        if changed and state.recall("remarks"):
            st.rerun()  # the remarks go with the first change
        layout = Layout(self.parts, self.sorts, self.name, self.follows)
        film(self._key, request, self.stages(now), now, steps.version(self.page), layout, self._listen)
