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
    """One of a page's views: its title, the function that draws it, and one that draws what is below it."""

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
    """Draw a menu of options, given as key → title; return the key of the chosen one."""
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
    """Draw the names of a page's views; return the open view."""
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
    """Draw a button that changes a value and draws the whole page again, also from within a part of it.

    `looks`: Streamlit's own arguments, such as `key`.
    """

    def changed() -> None:
        change(*arguments)
        st.rerun()

    st.button(label, on_click=changed, **looks)


def line(page: str, name: str, label: str, **looks: Any) -> str:
    """Draw a line to type, no longer than a link takes; return its text. `looks`: more of Streamlit's arguments."""
    return st.text_input(label, key=state.key(page, name), max_chars=PARAMS[page][name].most, **looks)


def find(page: str, label: str, name: str = "find", width: int = 260) -> str:
    """Draw a line for what to find in a table; return its text."""
    return line(page, name, label, placeholder=label, label_visibility="collapsed", width=width)


def examples(page: str, shown: dict[str, dict[str, str | int]]) -> None:
    """Draw buttons that each set the whole page."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.html(elements.note("Comparisons to try:"), width="content")
        for name, values in shown.items():
            st.button(name, key=f"{page}.example {name}", type="tertiary", on_click=state.show, args=(page, values))
