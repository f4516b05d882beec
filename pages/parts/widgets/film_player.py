"""The film on a page: what is done in it becomes the page's values, and what stands below follows where it settles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts.film import film
from pages.parts.film.film import ALL, Stage, Told
from pages.parts.film.side import Side
from pages.parts.session import state, steps

PLAYER, BELOW = "film player", "below the film"  # the keys of their fragments


@dataclass(frozen=True)
class Player:
    """The film of one or two sides on a page.

    `stages`: what is shown for what was looked for. `branch(side, step, left id, right id)`: another pair was chosen.
    `name`: the page's value that has the step; the others are, where it has them, "words" and "sort".
    `follows`: what stands below is drawn again at every step while it plays, too.
    """

    page: str
    sides: Sequence[Side]
    stages: Callable[[Told], Sequence[Stage]]
    parts: Sequence[str] = ALL
    sorts: Sequence[str] = ()
    branch: Callable[[int, int, int, int], None] | None = None
    name: str = "step"
    follows: bool = False

    def play(self, below: Callable[[], None] = lambda: None) -> None:
        """Show the film, and under it what `below` draws, again when the film's step has changed."""

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
    def _looks(self) -> dict[str, str]:
        """What can be looked for, and the page's values that have it."""
        return {"find": "words", "sort": "sort"} if self.sorts else {}

    def _told(self) -> Told:
        """What was done in the film so far."""
        first = {part: state.get(self.page, kept) or "" for part, kept in self._looks.items()}
        now, version = Told(state.get(self.page, self.name), **first), steps.version(self.page)
        return film.told(state.recall(self._key, {}), self.sides, now, version)

    def _news(self, now: Told) -> dict[str, Any]:
        """What was changed in the film of the page's values."""
        new = {self.name: now.step} | {kept: getattr(now, part) for part, kept in self._looks.items()}
        return {value: to for value, to in new.items() if (state.get(self.page, value) or "") != (to or "")}

    def _listen(self) -> None:
        if self._news(self._told()):
            st.rerun([PLAYER, BELOW])  # else only the film

    def _draw(self) -> None:
        now, version = self._told(), steps.version(self.page)
        if now.branch and self.branch:
            self.branch(*now.branch)
            st.rerun()
        changed = self._news(now)
        for value, to in changed.items():
            state.put(self.page, value, to)
        if changed and state.recall("remarks"):
            st.rerun()  # they go with the first change
        film.film(
            self._key, state.recall(self._key, {}), self.stages(now), now, version,
            self.parts, self.sorts, self.name, self.follows, self._listen,
        )  # fmt: skip
