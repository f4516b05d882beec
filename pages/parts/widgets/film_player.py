"""The film on a page: what is done in it becomes the page's values, and the page follows where it has settled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages.parts.film import film
from pages.parts.film.film import ALL, Stage, Told
from pages.parts.film.side import Side
from pages.parts.session import state


def play(
    page: str,
    sides: Sequence[Side],
    stages: Callable[[Told], Sequence[Stage]],
    parts: Sequence[str] = ALL,
    sorts: Sequence[str] = (),
    branch: Callable[[int, int, int, int], None] | None = None,
    name: str = "step",
    follows: bool = False,
) -> None:
    """Show the film of one or two sides in a fragment of its own; the page is drawn again when its step has changed.

    `stages`: what is shown for what was looked for. `branch(side, step, left id, right id)`: another pair was chosen.
    `name`: the page's value that has the step; the others are, where it has them, "words" and "sort".
    `follows`: the page is drawn again at every step while it plays, too.
    """
    key = f"{page}.film" if name == "step" else f"{page}.film of {name}s"
    names = {"find": "words", "sort": "sort"} if sorts else {}

    def draw() -> None:
        sent, version = state.recall(key, {}), state.version(page)
        look = {part: state.get(page, kept) or "" for part, kept in names.items()}
        now = film.told(sent, sides, Told(state.get(page, name), **look), version)
        if now.branch and branch:
            branch(*now.branch)
            st.rerun()
        shown = stages(now)
        film.film(key, sent, shown, now, version, parts, sorts, name, follows)
        new = {name: now.step} | {kept: getattr(now, part) for part, kept in names.items()}
        changed = {value: to for value, to in new.items() if (state.get(page, value) or "") != (to or "")}
        for value, to in changed.items():
            state.put(page, value, to)
        if changed:
            st.rerun()

    st.fragment(draw)()
