"""Small widgets that several pages have: a menu, the choice of a view, a button, a line for a text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, TypeVar, cast

import streamlit as st

from bpe_core.text.alphabet import without_surrogates
from pages.parts.state import state
from pages.parts.state.page_states import PageState, WithView
from pages.parts.state.values import changed, rows
from pages.parts.ui import elements

S = TypeVar("S", bound=PageState)
View = TypeVar("View", bound=WithView)
Key = TypeVar("Key", bound=Hashable)
# A text to copy of more than `LONG` characters scrolls, in a box that is `TALL` pixels high.
LONG, TALL = 500, 110


class PageView(NamedTuple):
    """A view of a page. `question`: what the view answers; "" if the page's headline says it.

    `tab`: the title of the tab that the view is under; "" for a tab of its own, with the view's title.
    `draw`: the function that draws the view. `above`, `below`: the functions that draw the parts of the page above and
    below the view. Another text does not change those parts. `above` returns the vocabularies to
    compare with.
    """

    title: str
    draw: Callable[..., None]
    below: Callable[..., None] = lambda *_: None
    above: Callable[[], Sequence[Any]] = tuple
    question: str = ""
    tab: str = ""


def pick(
    page: type[S],
    name: str,
    options: Mapping[Key, str],
    label: str = "",
    label_visibility: Literal["visible", "hidden", "collapsed"] = "visible",
    help: str | None = None,
    width: int | Literal["stretch"] = "stretch",
    then: Callable[[S], S] | None = None,
    whole: bool = False,
    part: state.WidgetPart | None = None,
) -> Key:
    """Draw a menu for the page's value `name`; return the chosen key.

    `options`: key → title. `label`: the menu's label; "" to use the title of the value. `then`, `whole`, `part`: see
    `state.widget`.
    """
    state.entitle(page, name, options)
    chosen: Key = st.selectbox(
        label or rows(page)[name].title,
        list(options),
        format_func=lambda option: options[option],
        label_visibility=label_visibility,
        help=help,
        width=width,
        **state.widget(page, name, then, whole, part),
    )
    return chosen


@contextmanager
def menu(label: str, **look: object) -> Iterator[None]:
    """Draw a menu whose widgets show values of a page. `look`: further arguments for Streamlit's popover."""
    with st.popover(label, **cast(Any, look)), state.in_menu():
        yield


def no_such_choice(now: S, name: str, why: str = "there is no such choice") -> None:
    """Set a page's value to its default, say on the page that the link's value was left out, and rerun the page."""
    row = rows(type(now))[name]
    state.remark(now, f"The link's “{row.title}” ({row.name or name}=) was left out: {why}.", {name: row.default})
    st.rerun()


def switch(
    page: type[S],
    name: str,
    label: str,
    options: Mapping[Key, str],
    whole: bool = False,
    then: Callable[[S], S] | None = None,
    part: state.WidgetPart | None = None,
) -> Key:
    """Draw a row of buttons for the page's value `name`, one for each option; return the chosen key.

    `label`: for screen readers. `options`: key → title. `then`, `whole`, `part`: see `state.widget`.
    """
    chosen = st.segmented_control(
        label,
        list(options),
        format_func=options.__getitem__,
        required=True,
        label_visibility="collapsed",
        **state.widget(page, name, then, whole, part),
    )
    return next(iter(options)) if chosen is None else chosen  # a forged message may have no key


def open_view(
    page: type[View], views: Mapping[str, PageView], whole: bool = False, then: Callable[[View], View] | None = None
) -> PageView:
    """Draw the tabs and, below them, the choice among the open tab's views; return the open view.

    `then`, `whole`: see `state.widget`.
    """
    tab_bar(page, views, whole, then)
    view_switch(page, views, whole, then)
    return views[state.read(page).view]


def with_view(now: View, view: str) -> View:
    """Return the state with another view open."""
    return changed(now, {"view": view})


def tab_bar(
    page: type[View], views: Mapping[str, PageView], whole: bool = False, then: Callable[[View], View] | None = None
) -> None:
    """Draw a row of tabs. A tab that is pressed opens its first view. `then`, `whole`: see `state.widget`."""
    now = state.read(page)
    if now.view not in views:  # from a link, or a forged message
        no_such_choice(now, "view")
    tabs = _tabs(views)
    options = {next(iter(inside)): title for title, inside in tabs.items()}
    opened = next(first for first in options if now.view in tabs[options[first]])
    switch(page, "view", "View", options, whole, then, state.WidgetPart(opened))


def view_switch(
    page: type[View], views: Mapping[str, PageView], whole: bool = False, then: Callable[[View], View] | None = None
) -> None:
    """Draw the choice among the views of the open tab, if it has several. `then`, `whole`: see `state.widget`."""
    now = state.read(page)
    title, inside = next((title, inside) for title, inside in _tabs(views).items() if now.view in inside)
    if len(inside) > 1:
        switch(page, "view", f"{title}: view", inside, whole, then, state.WidgetPart(now.view, f"views of {title}"))


@contextmanager
def headed_view(page: type[View], views: Mapping[str, PageView]) -> Iterator[PageView]:
    """Draw the tabs and, below them, the open view's question beside the choice among the open tab's views.

    The block of the `with` statement draws the open view below. Question and choice share a row, so that a view in a
    tab of its own begins at the same height.
    """
    tab_bar(page, views)
    view = views[state.read(page).view]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{page.PAGE}-view-head"):
        st.html(elements.question(view.question))
        view_switch(page, views)
    with st.container(key=f"{page.PAGE}-view-body"):
        yield view


def _tabs(views: Mapping[str, PageView]) -> dict[str, dict[str, str]]:
    """Return the title of each tab, with the titles of the tab's views by key."""
    tabs: dict[str, dict[str, str]] = {}
    for name, view in views.items():
        tabs.setdefault(view.tab or view.title, {})[name] = view.title
    return tabs


def button(label: str, page: type[S], later: Callable[..., S], *arguments: object, **more: object) -> None:
    """Draw a button that changes the page's state and reruns the whole page, even from within a fragment.

    `later`: takes the state and `arguments`, and returns the state to save. `more`: further arguments for Streamlit's
    button, such as `key`.
    """

    def pressed() -> None:
        state.change(page, later, *arguments)
        st.rerun()

    st.button(label, on_click=pressed, **cast(Any, more))


def command_menu(
    label: str, key: str, options: Mapping[str, str], act: Callable[[str], None], help: str | None = None
) -> None:
    """Draw a menu of commands, which closes on a choice.

    `key`: of the widget. `options`: key of a command → its line in the menu. `act`: a callback that gets the key of the
    chosen command. `help`: what the menu's button says when it is pointed at.
    """

    def take() -> None:
        chosen = state.sent(key)
        if isinstance(chosen, str) and chosen in options:
            act(chosen)

    st.menu_button(label, list(options), key=key, on_click=take, format_func=options.__getitem__, help=help)


def line(page: type[S], name: str, label: str, then: Callable[[S], S] | None = None, **more: object) -> str:
    """Draw an input line, and return its text. A link can carry the text.

    `then`: see `state.widget`. `more`: further arguments for the widget.
    """
    text: str = st.text_input(
        label, max_chars=rows(page)[name].most, **state.widget(page, name, then), **cast(Any, more)
    )
    return text


def find(page: type[PageState], label: str, name: str = "find", width: int = 260) -> str:
    """Draw the search line of a table, and return the text in the line."""
    return line(page, name, label, placeholder=label, label_visibility="collapsed", width=width)


def copied(text: str) -> None:
    """Draw a text with a button that copies it. A long text scrolls. A row of a table may have half a character."""
    whole = without_surrogates(text, "\ufffd")
    st.code(whole, language=None, wrap_lines=True, height="content" if len(text) < LONG else TALL)
