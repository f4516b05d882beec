"""The step bar, and the part of a page that follows the step.

The step is a session value, not the slider's: while a page is being redrawn the browser still sends the slider's old
value with the next click, and that must not undo the click before it.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import streamlit as st

from pages.parts.session import links, state
from pages.parts.widgets import frame

SPEEDS = (1, 2, 5, 25, 100)  # steps a second
TICK = 0.2  # seconds between two pictures at the most


def step(page: str, last: int, name: str = "step") -> int:
    """The step to show now: the chosen one, moved on while it plays, never beyond the last."""
    chosen = state.get(page, name)
    if chosen == links.LARGEST:  # the last, whatever the run
        return last
    started = state.playing(page)
    if started:
        since, first, speed = started
        chosen = first + int((monotonic() - since) * speed)
        if chosen >= last:
            state.play(page, None)
    state.put(page, name, min(chosen, last))
    return state.get(page, name)


def _move(page: str, name: str, by: int, last: int) -> None:
    now = state.recall(f"{page}.before the slider", state.get(page, name))
    state.remember(f"{page}.before the slider", None)
    state.put(page, name, min(max(min(now, last) + by, 0), last))
    state.put(page, "moved", True)
    state.play(page, None)


def _slide(page: str, name: str) -> None:
    if not state.recall(f"{page}.moved"):
        state.put(page, "before the slider", state.get(page, name))
        state.put(page, name, state.get(page, "slider"))
        state.play(page, None)


def _play(page: str, name: str, last: int) -> None:
    if state.playing(page):
        state.play(page, None)
        return
    if state.get(page, name) >= last:
        state.put(page, name, 0)
    state.play(page, (monotonic(), state.get(page, name), state.get(page, "speed")))


def step_bar(page: str, last: int, name: str = "step") -> int:
    """Start, Back, Play, Next, End, a slider; returns the step to show, which is the page's value `name`."""
    now = step(page, last, name)
    playing = state.playing(page) is not None
    moves = {  # what is on the button: its key, by how many steps it moves, whether there is nowhere to go
        "Start": ("Home", -last, now == 0),
        "Back": ("Left", -1, now == 0),
        "Pause" if playing else "Play": ("Space", None, last == 0),
        "Next": ("Right", 1, now >= last),
        "End": ("End", last, now >= last),
    }
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, (shortcut, by, disabled) in moves.items():
            st.button(
                label,
                key=f"{page}.{shortcut}",
                shortcut=shortcut,
                on_click=_play if by is None else _move,
                args=(page, name, last) if by is None else (page, name, by, last),
                disabled=disabled,
            )
        st.markdown(f"{name.capitalize()} **{now:,}** of **{last:,}**", width="content")
        st.selectbox(
            "Speed",
            SPEEDS,
            index=1,
            format_func=lambda steps: f"{steps} a second",
            key=f"{page}.speed",
            label_visibility="collapsed",
            width=130,
            on_change=state.play,
            args=(page, None),
        )
    if last:
        state.put(page, "slider", now)
        st.slider(
            name.capitalize(), 0, last, key=f"{page}.slider", label_visibility="collapsed", on_change=_slide,
            args=(page, name),
        )  # fmt: skip
    for flag in ("moved", "before the slider"):
        state.remember(f"{page}.{flag}", None)
    return now


def stage(page: str, draw: Callable[[], None], remarked: bool = False) -> None:
    """Draw the part of a page that follows the step, again and again while it plays.

    `remarked`: the page has said above what it could not do as asked.
    """
    playing, asked, said = state.playing(page), state.settings_in_link(page), list(state.remarks(page))

    def body() -> None:
        if state.settings_in_link(page) != asked:
            st.rerun()  # another run is wanted: the whole page is drawn again
        if not remarked:
            frame.remarks(page)
        elif state.remarks(page) != said:
            st.rerun()
        draw()
        state.publish(page)
        if bool(state.playing(page)) != bool(playing):
            st.rerun()  # the clock starts or stops with the whole page

    st.fragment(body, run_every=max(TICK, 1 / playing[2]) if playing else None)()
