"""The settings of a training: the first ones in a row, the others behind "More settings".

The kind of a setting decides its widget. Titles and helps are in the settings' rows (`bpe_core.settings.SETTINGS`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from bpe_core.kinds import Kind, OneOf, Several, Text, Tokens, WholeNumber
from bpe_core.settings import CUSTOM, SETTINGS
from pages.parts.session import links, state
from pages.parts.session.titles import TITLES, titled
from pages.parts.widgets.controls import line, pick

FIRST = ("pretokenizer", "pattern", "vocab_size")  # not in the menu


def settings_row(page: str, most: int = links.LARGEST) -> None:
    """Draw all settings of a page that has one training. `most`: the largest vocabulary size."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"{page}-settings"):
        pretokenizer(page)
        vocab_size(page, most)
        _menu(page)


def side_settings(page: str, side: str) -> None:
    """Draw the settings that each side of a comparison has for itself."""
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="xsmall", key=f"{page}-{side}-settings", width="content"
    ):
        pretokenizer(page, side)
        _menu(page, side)


def pretokenizer(page: str, side: str = "") -> None:
    """Draw how the text is split, and the pattern if it is split by one."""
    name = links.of_side(side, "pretokenizer")
    options = SETTINGS["pretokenizer"].kind.options
    chosen = options.get(state.get(page, name))
    titles = {key: option.title for key, option in options.items()}
    pick(page, name, titled(name), titles, help=chosen and chosen.about, width=200)
    if state.get(page, name) == CUSTOM:
        _line(page, "pattern", side, width=240)


def vocab_size(page: str, most: int = links.LARGEST) -> None:
    """Draw how many tokens the vocabulary is to have."""
    _number(page, "vocab_size", most=most, width=170)


def normalizers(page: str, label_visibility: str = "visible") -> None:
    """Draw what is done to the text before it is split."""
    _several(page, "normalizers", label_visibility=label_visibility)


def _menu(page: str, side: str = "") -> None:
    """Draw the settings that a page, or one side of it, has beside the first ones."""
    names = [name for name in SETTINGS if name not in FIRST and links.of_side(side, name) in links.PARAMS[page]]
    names = [name for name in names if type(SETTINGS[name].kind) in WIDGETS]
    if names:
        with st.popover("More settings", key=f"{page}.{links.of_side(side, 'more')}"):
            for name in sorted(names, key=lambda name: name != "normalizers"):  # a training begins with them
                WIDGETS[type(SETTINGS[name].kind)](page, name, side)
                if name == "word_marker" and "glyph" in links.PARAMS[page]:
                    st.segmented_control(TITLES["glyph"], list("_Ġ▁"), required=True, key=state.key(page, "glyph"))


def _choice(page: str, name: str, side: str) -> None:
    options = SETTINGS[name].kind.options
    titles = {key: option.title for key, option in options.items()}
    st.caption(options[pick(page, links.of_side(side, name), SETTINGS[name].title, titles)].about)


def _several(page: str, name: str, side: str = "", **looks: Any) -> None:
    row = SETTINGS[name]
    options = row.kind.one.options
    st.multiselect(
        row.title,
        list(options),
        format_func=lambda key: options[key].title,
        key=state.key(page, links.of_side(side, name)),
        placeholder="None",
        help=row.about,
        **looks,
    )


def _number(page: str, name: str, side: str = "", most: int = links.LARGEST, **looks: Any) -> None:
    row, key = SETTINGS[name], state.key(page, links.of_side(side, name))
    st.number_input(row.title, row.kind.least, row.kind.most or most, key=key, help=row.about, **looks)


def _line(page: str, name: str, side: str = "", **looks: Any) -> None:
    row = SETTINGS[name]
    about = f"Separated by spaces. {row.about}" if isinstance(row.kind, Tokens) else row.about
    line(page, links.of_side(side, name), row.title, placeholder=row.example or None, help=about, **looks)


# The widget of a setting, by its kind. Pairs at steps are chosen in the film.
WIDGETS: dict[type[Kind], Callable[[str, str, str], None]] = {
    OneOf: _choice,
    Several: _several,
    WholeNumber: _number,
    Text: _line,
    Tokens: _line,
}
