"""Small widgets that several pages have: a menu, the names of the views, something to look for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeVar

import streamlit as st

from pages.parts.session import state
from pages.parts.session.page_states import PageState
from pages.parts.session.values import rows
from pages.parts.views import elements

S = TypeVar("S", bound=PageState)


class View(NamedTuple):
    """One of a page's views: its title, the function that draws it, and one that draws what is below it."""

    title: str
    draw: Callable[..., None]
    below: Callable[..., None] = lambda *_: None


def pick(
    page: type[PageState],
    name: str,
    options: Mapping[str, str],
    label: str = "",
    label_visibility: Literal["visible", "hidden", "collapsed"] = "visible",
    help: str | None = None,
    width: int | Literal["stretch"] = "stretch",
    on_change: Callable[[], None] | None = None,
) -> str:
    """Draw a menu for the page's value `name`, of options given as key → title; return the chosen key.

    `label`: the title of the value, unless it is given.
    """
    chosen: str = st.selectbox(
        label or rows(page)[name].title,
        list(options),
        format_func=lambda option: options[option],
        key=state.key(page, name),
        label_visibility=label_visibility,
        help=help,
        width=width,
        on_change=on_change,
    )
    return chosen


def no_such_choice(now: S, name: str, why: str = "there is no such choice") -> None:
    """Set a value to its default, say that the link's could not be used, and rerun the page."""
    row = rows(type(now))[name]
    state.remark(now, f"The link's “{row.title}” was left out: {why}.", **{name: row.default})
    st.rerun()


def open_view(page: type[PageState], views: Mapping[str, View], on_change: Callable[[], None] | None = None) -> View:
    """Draw the names of a page's views; return the open view."""
    now: Any = state.read(page)
    if now.view not in views:
        no_such_choice(now, "view")
    chosen = st.segmented_control(
        "View",
        list(views),
        format_func=lambda name: views[name].title,
        required=True,
        key=state.key(page, "view"),
        label_visibility="collapsed",
        on_change=on_change,
    )
    return views.get(chosen or "") or next(iter(views.values()))  # what no browser sends is none


def button(label: str, page: type[S], later: Callable[..., S], *arguments: Any, **looks: Any) -> None:
    """Draw a button that changes the page's state and draws the whole page again, also from within a part of it.

    `later`: takes the state and `arguments`, and returns the state to save. `looks`: Streamlit's own arguments, such
    as `key`.
    """

    def changed() -> None:
        state.change(page, later, *arguments)
        st.rerun()

    st.button(label, on_click=changed, **looks)


def line(page: type[PageState], name: str, label: str, **looks: Any) -> str:
    """Draw a line to type, no longer than a link takes; return its text. `looks`: more of Streamlit's arguments."""
    text: str = st.text_input(label, key=state.key(page, name), max_chars=rows(page)[name].most, **looks)
    return text


def find(page: type[PageState], label: str, name: str = "find", width: int = 260) -> str:
    """Draw a line for what to find in a table; return its text."""
    return line(page, name, label, placeholder=label, label_visibility="collapsed", width=width)


def examples(shown: Mapping[str, PageState]) -> None:
    """Draw buttons that each set the whole page to a state."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.html(elements.note("Comparisons to try:"), width="content")
        for name, wanted in shown.items():
            st.button(name, key=f"{wanted.PAGE}.example {name}", type="tertiary", on_click=state.show, args=(wanted,))
