"""The film on a page: what is done in it becomes the page's values, and what follows its step is drawn again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.parts.film import film
from pages.parts.film.film import ALL, Stage, Told
from pages.parts.film.side import Side
from pages.parts.session import state

PLAYER, FOLLOWS = "film player", "what follows the step"  # the keys of their fragments


def play(
    page: str,
    sides: Sequence[Side],
    stages: Callable[[Told], Sequence[Stage]],
    parts: Sequence[str] = ALL,
    sorts: Sequence[str] = (),
    branch: Callable[[int, int, int, int], None] | None = None,
    follow: Callable[[], None] = lambda: None,
) -> None:
    """Show the film of one or two sides, and what `follow` draws below it. The film runs alone until its step changes.

    `stages`: what is shown for what was looked for. `branch(side, step, left id, right id)`: another pair was chosen.
    The page's values are "step" and, where it has them, "words" and "sort".
    """
    values = {"step": "step"} | ({"find": "words", "sort": "sort"} if sorts else {})  # of the film → of the page

    def sent() -> dict[str, Any]:
        return state.recall(f"{page}.film", {})

    def told() -> Told:
        looked = {name: state.get(page, value) or "" for name, value in values.items() if name != "step"}
        return film.told(sent(), sides, Told(state.get(page, "step"), **looked), state.version(page))

    def news(now: Told) -> dict[str, Any]:
        """What the film has changed of the page's values."""
        new = {value: getattr(now, name) for name, value in values.items()}
        return {value: given for value, given in new.items() if (state.get(page, value) or "") != (given or "")}

    def listen() -> None:
        if news(told()):
            st.rerun([PLAYER, FOLLOWS])

    @st.fragment(key=PLAYER)
    def draw() -> None:
        now, version = told(), state.version(page)
        if now.branch and branch:
            branch(*now.branch)
            st.rerun()
        changed = news(now)
        for value, given in changed.items():
            state.put(page, value, given)
        if changed and state.recall("remarks"):
            st.rerun()  # they go with the first change
        film.film(f"{page}.film", sent(), stages(now), now, version, parts, sorts, listen)

    @st.fragment(key=FOLLOWS)
    def drawn_below() -> None:
        follow()
        state.publish(page)

    draw()
    drawn_below()
