"""The settings of a training: those that everybody needs in a row, the others behind "More settings"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from bpe_core import ALPHABETS, NORMALIZERS, PRETOKENIZERS, TIE_RULES, WORD_MARKERS
from pages.parts.session import links, state
from pages.parts.session.titles import TITLES, titled
from pages.parts.widgets.controls import line, pick


def settings_row(page: str, most: int = links.LARGEST) -> None:
    """All settings of a page that has one training. `most`: the largest vocabulary size."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"{page}-settings"):
        pretokenizer(page)
        vocab_size(page, most)
        more_settings(page, [name for name in CONTROLS if name in links.PARAMS[page]])


def side_settings(page: str, side: str) -> None:
    """The settings that one side of a comparison has for itself."""
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="xsmall", key=f"{page}-{side}-settings", width="content"
    ):
        pretokenizer(page, side)
        own = [name for name in CONTROLS if links.of_side(side, name) in links.PARAMS[page]]
        more_settings(page, own, side)


def more_settings(page: str, names: Sequence[str], side: str = "") -> None:
    """A menu with these settings, keys of `CONTROLS`; none, no menu."""
    if names:
        with st.popover("More settings", key=f"{page}.{links.of_side(side, 'more')}"):
            for name in names:
                CONTROLS[name](page, side)


def pretokenizer(page: str, side: str = "") -> None:
    """How the text is split into pretokens."""
    options = {key: row.title for key, row in PRETOKENIZERS.items()} | {links.CUSTOM: "Your own pattern"}
    name = links.of_side(side, "pretokenizer")
    about = PRETOKENIZERS.get(state.get(page, name))
    pick(page, name, titled(name), options, help=about and about.about, width=200)
    if state.get(page, name) == links.CUSTOM:
        help = "A regular expression; each match is a pretoken."
        line(page, links.of_side(side, "pattern"), TITLES["pattern"], help=help, width=240)


def vocab_size(page: str, most: int = links.LARGEST) -> None:
    """How many tokens the vocabulary shall have."""
    st.number_input(
        TITLES["vocab_size"], 1, most, key=state.key(page, "vocab_size"), width=170,
        help="Base symbols, merges and special tokens together. Training ends when it is reached.",
    )  # fmt: skip


def _normalizers(page: str, side: str) -> None:
    normalizers(page, side)


def normalizers(page: str, side: str = "", label_visibility: str = "visible") -> None:
    """What is done to the text before it is split, in the order of the choice."""
    st.multiselect(
        TITLES["normalizers"],
        list(NORMALIZERS),
        format_func=lambda key: NORMALIZERS[key].title,
        key=state.key(page, links.of_side(side, "normalizers")),
        placeholder="None",
        help="What is done to the text before it is split, one after the other.",
        label_visibility=label_visibility,
    )


def _alphabet(page: str, side: str) -> None:
    name = links.of_side(side, "alphabet")
    chosen = pick(page, name, TITLES["alphabet"], {key: key.capitalize() for key in ALPHABETS})
    st.caption(_sentence(ALPHABETS[chosen]))


def _word_marker(page: str, side: str) -> None:
    name = links.of_side(side, "word_marker")
    chosen = pick(page, name, TITLES["word_marker"], {key: key.capitalize() for key in WORD_MARKERS})
    st.caption(_sentence(WORD_MARKERS[chosen]))


def _glyph(page: str, side: str) -> None:
    st.segmented_control(TITLES["glyph"], list("_Ġ▁"), required=True, key=state.key(page, "glyph"))


def _tie_rule(page: str, side: str) -> None:
    name = links.of_side(side, "tie_rule")
    options = {key: key.replace("-", " ") for key in TIE_RULES}
    rule = TIE_RULES[pick(page, name, TITLES["tie_rule"], options)]
    st.caption(f"{_sentence(rule.picks)} As in {rule.same_as}.")


def _min_count(page: str, side: str) -> None:
    help = "Training ends when the most frequent pair is seen fewer times than this."
    key = state.key(page, "min_count")
    st.number_input(TITLES["min_count"], 1, links.LARGEST, key=key, help=help)


def _special_tokens(page: str, side: str) -> None:
    line(
        page,
        "special_tokens",
        TITLES["special_tokens"],
        placeholder="<|endoftext|>",
        help="Separated by spaces. They are taken out of the text, get the last ids and are never split.",
    )


# In the order of the screen; each draws one setting of a page, or of one side of it.
CONTROLS: dict[str, Callable[[str, str], None]] = {
    "normalizers": _normalizers,
    "alphabet": _alphabet,
    "word_marker": _word_marker,
    "glyph": _glyph,
    "tie_rule": _tie_rule,
    "min_count": _min_count,
    "special_tokens": _special_tokens,
}


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
