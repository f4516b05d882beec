"""The settings of a training. The first settings are in a row; all others are in the menu "More settings".

The kind of a setting decides which widget the setting has. Titles and help texts are in `bpe_core.settings.SETTINGS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, TypeVar, cast

import streamlit as st

from bpe_core.kinds import OneOf, Option, Several, Text, Tokens, WholeNumber
from bpe_core.settings import CUSTOM, GIVEN, SETTINGS
from bpe_core.text.alphabet import GLYPHS
from pages.parts.page.opening_box import opening_box
from pages.parts.page.tokenizer_choice import ANOTHER, assumptions_shown
from pages.parts.state import state
from pages.parts.state.page_states import PageState, WithOpening
from pages.parts.state.train_state import Train
from pages.parts.state.values import LARGEST, changed, getters, rows
from pages.parts.trainings import chosen_start
from pages.parts.ui import elements
from pages.parts.ui.controls import line, menu, pick
from pages.parts.ui.sentences import plain
from pages.parts.vocabularies import opened_vocabularies

ELSEWHERE = "A file or a model on the Hub is offered here once it is open on the Train page or on Tokens."

S = TypeVar("S", bound=PageState)
After = Callable[[S], S]  # returns the state after the visitor has changed a setting
Width = int | Literal["stretch"]
Visibility = Literal["visible", "hidden", "collapsed"]
FIRST = ("pretokenizer", "pattern", "vocab_size")  # the settings in the row


def settings_row(
    page: type[S],
    most: int = LARGEST,
    then: Mapping[str, After[S]] = MappingProxyType({}),
    opened: Callable[[S, str], S] | None = None,
    first: Callable[[], None] = lambda: None,
) -> None:
    """Draw all settings of a page that has one training.

    `most`: the largest vocabulary size. `then`: for a setting's name, the function that returns the state after the
    visitor has changed the setting. `opened`: as for `start_menu`. `first`: draws the first menu.
    """
    with st.container(key=f"{page.PAGE}-settings"):  # a title and menus, then fields: as high as the text box
        with st.container(
            horizontal=True, vertical_alignment="center", gap="xsmall", key=f"{page.PAGE}-settings-menus"
        ):
            st.html(elements.box_title("Settings"), width="content")
            first()
            _menu(page, then=then, opened=opened)
        with st.container(
            horizontal=True, vertical_alignment="bottom", gap="small", key=f"{page.PAGE}-settings-fields"
        ):
            pretokenizer(page, then=then.get("pretokenizer"))
            vocab_size(page, most)


def side_settings(page: type[S], side: str, titles: Mapping[str, str] = MappingProxyType({})) -> None:
    """Draw the settings of one side of a comparison. `titles`: as for `pretokenizer`."""
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="xsmall", key=f"{page.PAGE}-{side}-settings", width="content"
    ):
        pretokenizer(page, side, titles=titles)
        _menu(page, side)


def pretokenizer(
    page: type[S],
    side: str = "",
    then: After[S] | None = None,
    width: int = 168,
    titles: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Draw the choice of a pretokenizer. If the pretokenizer needs a pattern, draw a line for the pattern.

    `titles`: titles for some of the pretokenizers, by key, in place of their own.
    """
    name = of_side(side, "pretokenizer")
    if _is_prescribed(page, "pretokenizer", side, rows(page)[name].title, width=width):
        return
    options = _options("pretokenizer")
    now = getters(page)[name](state.read(page))
    about = options[now].about if now in options else None
    named = {key: titles.get(key, option.title) for key, option in options.items()}
    pick(page, name, named, help=about, width=width, then=then)
    if now == CUSTOM:
        _line(page, "pattern", side, width=168 if side else 200)


def vocab_size(page: type[S], most: int = LARGEST, width: int = 140) -> None:
    """Draw the choice of a vocabulary size. `most`: the largest size."""
    _number(page, "vocab_size", "", most=most, width=width)


def normalizers(page: type[S]) -> None:
    """Draw the choice of normalizers, without a label."""
    _several(page, "normalizers", "", label_visibility="collapsed")


def _menu(
    page: type[S],
    side: str = "",
    then: Mapping[str, After[S]] = MappingProxyType({}),
    opened: Callable[[S, str], S] | None = None,
) -> None:
    """Draw the menu with the settings that are not in the row. `side`: the side of a page that compares trainings."""
    names = [name for name in SETTINGS if name not in FIRST and of_side(side, name) in rows(page)]
    names = [name for name in names if type(SETTINGS[name].kind) in WIDGETS]
    if names:
        with menu("More settings", key=f"{page.PAGE}.{of_side(side, 'more')}"):
            # Normalizers come first, as they do in a training.
            for name in sorted(names, key=lambda name: name != "normalizers"):
                if name == "start":
                    start_menu(page, of_side(side, name), _start(page, side), then.get(name), opened)
                    continue
                WIDGETS[type(SETTINGS[name].kind)](page, name, side, then=then.get(name))
                if name == "word_marker" and page is Train:
                    title = rows(page)["glyph"].title
                    st.segmented_control(title, list(GLYPHS), required=True, **state.widget(page, "glyph"))


def of_side(side: str, name: str) -> str:
    """Return the name that a setting has on a side of a comparison. `side`: "" on a page with one training.

    >>> of_side("left", "alphabet"), of_side("", "alphabet")
    ('left_alphabet', 'alphabet')
    """
    return f"{side}_{name}" if side else name


def _start(page: type[PageState], side: str) -> str:
    """Return the key of what a training starts from. A page without that setting trains from the alphabet."""
    value_of = getters(page).get(of_side(side, "start"))
    return str(value_of(state.read(page))) if value_of else "none"


def _options(name: str) -> dict[str, Option]:
    """Return the options of a setting whose value is one key or several keys. The options are by key."""
    kind = SETTINGS[name].kind
    one = kind.one if isinstance(kind, Several) else kind
    return one.options if isinstance(one, OneOf) else {}


def _prescribed(page: type[PageState], name: str, side: str) -> tuple[str, ...] | None:
    """Return the keys that the start of a training prescribes for a setting; None if it leaves the setting free."""
    found = chosen_start.prescribed(_start(page, side)).get(name)
    return (found,) if isinstance(found, str) else found if isinstance(found, tuple) else None


def _is_prescribed(page: type[PageState], name: str, side: str, title: str, width: Width = "stretch") -> bool:
    """Return whether the tokenizer that a training starts from prescribes a setting. If so, draw a disabled widget."""
    keys = _prescribed(page, name, side)
    if keys is None:
        return False
    value = ", ".join(_options(name)[key].title for key in keys) or "None"
    key = f"{page.PAGE}.start {of_side(side, name)}"
    start = plain(chosen_start.title(_start(page, side)))
    why = f"Training starts from {start}, which prescribe it: their ids are of text that is read so."
    st.selectbox(title, [value], disabled=True, key=key, help=why, width=width)
    return True


def _choice(page: type[S], name: str, side: str, then: After[S] | None = None) -> None:
    if _is_prescribed(page, name, side, SETTINGS[name].title):
        return
    options = _options(name)
    titles = {key: option.title for key, option in options.items()}
    st.caption(options[pick(page, of_side(side, name), titles, SETTINGS[name].title, then=then)].about)


def _several(
    page: type[S], name: str, side: str, then: After[S] | None = None, label_visibility: Visibility = "visible"
) -> None:
    row, options = SETTINGS[name], _options(name)
    if _is_prescribed(page, name, side, row.title):
        return
    st.multiselect(
        row.title, list(options), format_func=lambda key: options[key].title, placeholder="None", help=row.about,
        label_visibility=label_visibility, **state.widget(page, of_side(side, name), then),
    )  # fmt: skip


def _several_explained(page: type[S], name: str, side: str, then: After[S] | None = None) -> None:
    _several(page, name, side, then)
    prescribed = _prescribed(page, name, side)
    for key in getters(page)[of_side(side, name)](state.read(page)) if prescribed is None else prescribed:
        option = _options(name)[key]
        st.caption(f"{option.title}: {option.about}")


def _number(
    page: type[S], name: str, side: str, then: After[S] | None = None, most: int = LARGEST, width: Width = "stretch"
) -> None:
    row = SETTINGS[name]
    assert isinstance(row.kind, WholeNumber)
    value = state.widget(page, of_side(side, name), then)
    st.number_input(row.title, row.kind.least, row.kind.most or most, help=row.about, width=width, **value)


def _line(page: type[S], name: str, side: str, then: After[S] | None = None, width: Width = "stretch") -> None:
    row = SETTINGS[name]
    about = f"Separated by spaces. {row.about}" if isinstance(row.kind, Tokens) else row.about
    line(page, of_side(side, name), row.title, then, placeholder=row.example or None, help=about, width=width)


# The widget of a setting, by the setting's kind. Pairs at steps have none: they are chosen in the film.
WIDGETS: dict[type, Callable[..., None]] = {
    OneOf: _choice,
    Several: _several_explained,
    WholeNumber: _number,
    Text: _line,
    Tokens: _line,
}


def start_menu(
    page: type[S],
    name: str,
    shown: str,
    then: Callable[[S], S] | None = None,
    opened: Callable[[S, str], S] | None = None,
) -> None:
    """Draw the choice of a start. `name`: the name of the value. `shown`: the value. `then`: see `state.widget`.

    `opened`: a function that takes the state and the key of a tokenizer that was opened here. It returns the state with
    that tokenizer as the start (see `opening_box`). None on a page that opens no tokenizer.
    """
    kind = SETTINGS["start"].kind
    assert isinstance(kind, OneOf)
    now = state.read(page)
    titles = {key: option.title for key, option in kind.options.items() if key != GIVEN} | opened_vocabularies.titles()
    pick(
        page,
        name,
        titles | (ANOTHER if opened else {}),
        SETTINGS["start"].title,
        help=SETTINGS["start"].about,
        then=partial(_after, name, shown, then) if opened else then,
    )
    st.caption(f"Training starts from {plain(chosen_start.title(shown))}.{'' if opened else f' {ELSEWHERE}'}")
    if found := opened_vocabularies.opened().get(shown):
        assumptions_shown(found)
    if opened and isinstance(now, WithOpening) and now.opening:
        opening_box(type(now), cast(Any, opened))


def _after(name: str, shown: str, then: Callable[[S], S] | None, now: S) -> S:
    """Return the state after a choice: with the box open and the start kept if another tokenizer is to be opened.

    `shown`: the key of the start before the choice.
    """
    if getattr(now, name) in ANOTHER:
        return changed(now, {name: shown, "opening": True, "unopened": ""})
    return then(now) if then else now
