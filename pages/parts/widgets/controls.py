"""Small widgets that several pages have: a menu, the names of the views, something to look for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import streamlit as st

from pages.parts.session import state
from pages.parts.session.links import PARAMS
from pages.parts.session.titles import titled
from pages.parts.views import elements


class View(NamedTuple):
    """One of a page's views: its name on the screen, what draws it, and what draws the rest below it."""

    title: str
    draw: Callable[..., None]
    below: Callable[..., None] = lambda *_: None


def pick(
    page: str,
    name: str,
    label: str,
    options: Mapping[str, str],
    label_visibility: str = "visible",
    help: str | None = None,
    width: int | str = "stretch",
    on_change: Callable[[], None] | None = None,
) -> str:
    """Choose one of the options, given as name → what the screen says."""
    return st.selectbox(
        label,
        list(options),
        format_func=options.get,
        key=state.key(page, name),
        label_visibility=label_visibility,
        help=help,
        width=width,
        on_change=on_change,
    )


def open_view(page: str, views: Mapping[str, View], on_change: Callable[[], None] | None = None) -> View:
    """The names of a page's views; returns the open one."""
    if state.get(page, "view") not in views:
        state.give_up(page, "view", f"The link's “{titled('view')}” was left out: there is no such choice.")
        st.rerun()
    chosen = st.segmented_control(
        "View",
        list(views),
        format_func=lambda name: views[name].title,
        required=True,
        key=state.key(page, "view"),
        label_visibility="collapsed",
        on_change=on_change,
    )
    return views.get(chosen) or next(iter(views.values()))  # what no browser sends is none


def button(label: str, change: Callable[..., None], *arguments: Any, **looks: Any) -> None:
    """A button in a part of the page that changes what stands above it: the whole page is drawn again.

    `looks`: Streamlit's own arguments, such as `key`.
    """

    def changed() -> None:
        change(*arguments)
        st.rerun()

    st.button(label, on_click=changed, **looks)


def line(page: str, name: str, label: str, **looks: Any) -> str:
    """A line to type, no longer than a link takes. `looks`: Streamlit's own arguments, such as `placeholder`."""
    return st.text_input(label, key=state.key(page, name), max_chars=PARAMS[page][name].most, **looks)


def find(page: str, label: str, name: str = "find", width: int = 260) -> str:
    """What to look for in a table."""
    return line(page, name, label, placeholder=label, label_visibility="collapsed", width=width)


def examples(page: str, shown: dict[str, dict[str, str | int]]) -> None:
    """Ways to set the whole page, each by one click."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.html(elements.note("Comparisons to try:"), width="content")
        for name, values in shown.items():
            st.button(name, key=f"{page}.example {name}", type="tertiary", on_click=state.show, args=(page, values))
