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
) -> None:
    """Show the film of one or two sides in a fragment of its own; the page is drawn again when its step has changed.

    `stages`: what is shown for what was looked for. `branch(side, step, left id, right id)`: another pair was chosen.
    The page's values are "step" and, where it has them, "words" and "sort".
    """
    names = {"find": "words", "sort": "sort"} if sorts else {}

    def draw() -> None:
        sent, version = state.recall(f"{page}.film", {}), state.version(page)
        look = {name: state.get(page, kept) or "" for name, kept in names.items()}
        now = film.told(sent, sides, Told(state.get(page, "step"), **look), version)
        if now.branch and branch:
            branch(*now.branch)
            st.rerun()
        shown = stages(now)
        film.film(f"{page}.film", sent, shown, now, version, parts, sorts)
        new = {"step": now.step} | {kept: getattr(now, name) for name, kept in names.items()}
        changed = {name: value for name, value in new.items() if (state.get(page, name) or "") != (value or "")}
        for name, value in changed.items():
            state.put(page, name, value)
        if changed:
            st.rerun()

    st.fragment(draw)()
