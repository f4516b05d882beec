"""Small widgets that several pages have: a menu, the choice of a view, a button, a line for a text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, TypeVar, cast

import streamlit as st

from pages.parts.state import state
from pages.parts.state.page_states import PageState, WithView
from pages.parts.state.values import rows

S = TypeVar("S", bound=PageState)
View = TypeVar("View", bound=WithView)
Key = TypeVar("Key", bound=Hashable)
# A text to copy of more than `LONG` characters scrolls, in a box that is `TALL` pixels high.
LONG, TALL = 500, 110


class PageView(NamedTuple):
    """A view of a page. `question`: what the view answers; "" if the page's headline says it.

    `draw`: the function that draws the view. `above`, `below`: the functions that draw the parts of the page above and
    below the view. A key press in the text area does not change those parts. `above` returns the vocabularies to
    compare with.
    """

    title: str
    draw: Callable[..., None]
    below: Callable[..., None] = lambda *_: None
    above: Callable[[], Sequence[Any]] = tuple
    question: str = ""


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
) -> Key:
    """Draw a menu for the page's value `name`; return the chosen key.

    `options`: key → title. `label`: the menu's label; "" to use the title of the value. `then`, `whole`: see
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
        **state.widget(page, name, then, whole),
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
) -> Key:
    """Draw a row of buttons for the page's value `name`, one for each option; return the chosen key.

    `label`: for screen readers. `options`: key → title. `then`, `whole`: see `state.widget`.
    """
    chosen = st.segmented_control(
        label,
        list(options),
        format_func=options.__getitem__,
        required=True,
        label_visibility="collapsed",
        **state.widget(page, name, then, whole),
    )
    return next(iter(options)) if chosen is None else chosen  # a forged message may have no key


def open_view(
    page: type[View], views: Mapping[str, PageView], whole: bool = False, then: Callable[[View], View] | None = None
) -> PageView:
    """Draw the choice of a view; return the open view. `then`, `whole`: see `state.widget`."""
    now = state.read(page)
    if now.view not in views:
        no_such_choice(now, "view")
    chosen = switch(page, "view", "View", {name: row.title for name, row in views.items()}, whole, then)
    return views.get(chosen) or next(iter(views.values()))  # a forged message may name a view that does not exist


def button(label: str, page: type[S], later: Callable[..., S], *arguments: object, **more: object) -> None:
    """Draw a button that changes the page's state and reruns the whole page, even from within a fragment.

    `later`: takes the state and `arguments`, and returns the state to save. `more`: further arguments for Streamlit's
    button, such as `key`.
    """

    def changed() -> None:
        state.change(page, later, *arguments)
        st.rerun()

    st.button(label, on_click=changed, **cast(Any, more))


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
    """Draw a text with a button that copies it. A long text scrolls."""
    st.code(text, language=None, wrap_lines=True, height="content" if len(text) < LONG else TALL)
