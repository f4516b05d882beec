"""The settings of a training. The first settings are in a row; all others are in the menu "More settings".

The kind of a setting decides which widget the setting has. Titles and help texts are in `bpe_core.settings.SETTINGS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

import streamlit as st

from bpe_core.kinds import Kind, OneOf, Option, Several, Text, Tokens, WholeNumber
from bpe_core.settings import CUSTOM, SETTINGS
from pages.parts.state import state
from pages.parts.state.page_states import PageState, SideName, of_side
from pages.parts.state.values import LARGEST, rows
from pages.parts.train.train_state import Train
from pages.parts.trainings import chosen_start
from pages.parts.trainings.start_menu import start_menu
from pages.parts.ui.controls import line, pick
from pages.parts.vocabularies.opening_box import Shown

OneSide = SideName | Literal[""]  # "": the page has one training
FIRST = ("pretokenizer", "pattern", "vocab_size")  # the settings in the row
Callbacks = Mapping[str, Callable[[], None]]  # name of a setting → function to call when the setting changes
NONE: Callbacks = MappingProxyType({})


def settings_row(
    page: type[PageState], most: int = LARGEST, on_change: Callbacks = NONE, opened: Shown[Any] | None = None
) -> None:
    """Draw all settings of a page that has one training.

    `most`: the largest vocabulary size. `on_change`: the functions to call when the visitor changes a setting, by the
    setting's name. `opened`: as for `start_menu`.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"{page.PAGE}-settings"):
        pretokenizer(page, on_change=on_change.get("pretokenizer"), width=168)
        vocab_size(page, most, width=140)
        _menu(page, on_change=on_change, opened=opened)


def side_settings(page: type[PageState], side: OneSide) -> None:
    """Draw the settings of one side of a comparison."""
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="xsmall", key=f"{page.PAGE}-{side}-settings", width="content"
    ):
        pretokenizer(page, side)
        _menu(page, side)


def pretokenizer(
    page: type[PageState], side: OneSide = "", on_change: Callable[[], None] | None = None, width: int = 200
) -> None:
    """Draw the choice of a pretokenizer. If the pretokenizer needs a pattern, draw a line for the pattern."""
    name = of_side(side, "pretokenizer")
    if _is_prescribed(page, "pretokenizer", side, rows(page)[name].title, width=width):
        return
    options = _options("pretokenizer")
    now = getattr(state.read(page), name)
    titles = {key: option.title for key, option in options.items()}
    about = options[now].about if now in options else None
    pick(page, name, titles, help=about, width=width, on_change=on_change)
    if now == CUSTOM:
        _line(page, "pattern", side, width=240)


def vocab_size(page: type[PageState], most: int = LARGEST, width: int = 170) -> None:
    """Draw the choice of a vocabulary size. `most`: the largest size."""
    _number(page, "vocab_size", most=most, width=width)


def normalizers(page: type[PageState], label_visibility: str = "visible") -> None:
    """Draw the choice of normalizers."""
    _several(page, "normalizers", label_visibility=label_visibility)


def _menu(
    page: type[PageState], side: OneSide = "", on_change: Callbacks = NONE, opened: Shown[Any] | None = None
) -> None:
    """Draw the menu with the settings that are not in the row. `side`: the side of a page that compares trainings."""
    names = [name for name in SETTINGS if name not in FIRST and of_side(side, name) in rows(page)]
    names = [name for name in names if type(SETTINGS[name].kind) in WIDGETS]
    if names:
        with st.popover("More settings", key=f"{page.PAGE}.{of_side(side, 'more')}"):
            # Normalizers come first, as they do in a training.
            for name in sorted(names, key=lambda name: name != "normalizers"):
                if name == "start":
                    start_menu(page, of_side(side, name), on_change.get(name), opened)
                    continue
                WIDGETS[type(SETTINGS[name].kind)](page, name, side, on_change=on_change.get(name))
                if name == "word_marker" and page is Train:
                    title = rows(page)["glyph"].title
                    st.segmented_control(title, list("_Ġ▁"), required=True, key=state.key(page, "glyph"))


def _options(name: str) -> dict[str, Option]:
    """Return the options of a setting whose value is one key or several keys. The options are by key."""
    kind: Any = SETTINGS[name].kind
    found: dict[str, Option] = kind.one.options if isinstance(kind, Several) else kind.options
    return found


def _is_prescribed(page: type[PageState], name: str, side: OneSide, title: str, **more: Any) -> bool:
    """Return whether the tokenizer that a training starts from prescribes a setting. If so, draw a disabled widget."""
    start = getattr(state.read(page), of_side(side, "start"), "none")
    brought = chosen_start.prescribed(start)
    if name not in brought:
        return False
    options = _options(name)
    keys = [brought[name]] if isinstance(brought[name], str) else brought[name]
    value = ", ".join(options[key].title for key in keys) or "None"
    key = f"{page.PAGE}.start {of_side(side, name)}"
    name_of_start = chosen_start.title(start)
    why = f"Training starts from {name_of_start}, which prescribe it: their ids are of text that is read so."
    st.selectbox(title, [value], disabled=True, key=key, help=why, **more)
    return True


def _choice(page: type[PageState], name: str, side: OneSide, **more: Any) -> None:
    if _is_prescribed(page, name, side, SETTINGS[name].title):
        return
    options = _options(name)
    titles = {key: option.title for key, option in options.items()}
    st.caption(options[pick(page, of_side(side, name), titles, SETTINGS[name].title, **more)].about)


def _several(page: type[PageState], name: str, side: OneSide = "", **more: Any) -> None:
    row, options = SETTINGS[name], _options(name)
    if _is_prescribed(page, name, side, row.title):
        return
    st.multiselect(
        row.title,
        list(options),
        format_func=lambda key: options[key].title,
        key=state.key(page, of_side(side, name)),
        placeholder="None",
        help=row.about,
        **more,
    )


def _several_explained(page: type[PageState], name: str, side: OneSide, **more: Any) -> None:
    _several(page, name, side, **more)
    now = state.read(page)
    start = getattr(now, of_side(side, "start"), "none")
    for key in chosen_start.prescribed(start).get(name, getattr(now, of_side(side, name))):
        option = _options(name)[key]
        st.caption(f"{option.title}: {option.about}")


def _number(page: type[PageState], name: str, side: OneSide = "", most: int = LARGEST, **more: Any) -> None:
    row, key = SETTINGS[name], state.key(page, of_side(side, name))
    kind: Any = row.kind
    st.number_input(row.title, kind.least, kind.most or most, key=key, help=row.about, **more)


def _line(page: type[PageState], name: str, side: OneSide = "", **more: Any) -> None:
    row = SETTINGS[name]
    about = f"Separated by spaces. {row.about}" if isinstance(row.kind, Tokens) else row.about
    line(page, of_side(side, name), row.title, placeholder=row.example or None, help=about, **more)


# The widget of a setting, by the setting's kind. Pairs at steps have none: they are chosen in the film.
WIDGETS: dict[type[Kind[Any]], Callable[..., None]] = {
    OneOf: _choice,
    Several: _several_explained,
    WholeNumber: _number,
    Text: _line,
    Tokens: _line,
}
