"""The film on a page: what is done in it becomes the page's values, and what stands below follows where it settles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.parts.film import film
from pages.parts.film.film import ALL, Stage, Told
from pages.parts.film.side import Side
from pages.parts.session import state

PLAYER, BELOW = "film player", "below the film"  # the keys of their fragments


def play(
    page: str,
    sides: Sequence[Side],
    stages: Callable[[Told], Sequence[Stage]],
    parts: Sequence[str] = ALL,
    sorts: Sequence[str] = (),
    branch: Callable[[int, int, int, int], None] | None = None,
    name: str = "step",
    follows: bool = False,
    below: Callable[[], None] = lambda: None,
) -> None:
    """Show the film of one or two sides, and under it what `below` draws, again when the film's step has changed.

    `stages`: what is shown for what was looked for. `branch(side, step, left id, right id)`: another pair was chosen.
    `name`: the page's value that has the step; the others are, where it has them, "words" and "sort".
    `follows`: what stands below is drawn again at every step while it plays, too.
    """
    key = f"{page}.film" if name == "step" else f"{page}.film of {name}s"
    looks = {"find": "words", "sort": "sort"} if sorts else {}

    def told() -> Told:
        first = {part: state.get(page, kept) or "" for part, kept in looks.items()}
        return film.told(state.recall(key, {}), sides, Told(state.get(page, name), **first), state.version(page))

    def news(now: Told) -> dict[str, Any]:
        """What was changed in the film of the page's values."""
        new = {name: now.step} | {kept: getattr(now, part) for part, kept in looks.items()}
        return {value: to for value, to in new.items() if (state.get(page, value) or "") != (to or "")}

    def listen() -> None:
        if news(told()):
            st.rerun([PLAYER, BELOW])  # else only the film

    @st.fragment(key=PLAYER)
    def player() -> None:
        now, version = told(), state.version(page)
        if now.branch and branch:
            branch(*now.branch)
            st.rerun()
        changed = news(now)
        for value, to in changed.items():
            state.put(page, value, to)
        if changed and state.recall("remarks"):
            st.rerun()  # they go with the first change
        film.film(key, state.recall(key, {}), stages(now), now, version, parts, sorts, name, follows, listen)

    @st.fragment(key=BELOW)
    def drawn_below() -> None:
        below()
        state.publish(page)

    player()
    drawn_below()
