"""The view of a text with several tokenizers, and of one sentence in eight languages."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.live_text.token_views import token_rows
from pages.parts.playground import languages, many_tokenizers
from pages.parts.playground.tokenizer_row import others
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import elements
from pages.parts.widgets import downloads
from pages.parts.widgets.tokenizer_choice import explained

YOURS, LANGUAGES = "Your text", "The same sentence in eight languages"


def side_by_side_view(page: str, text: str, specials: bool, first: Vocabulary) -> None:
    """Draw the text with the page's tokenizer and with others, which are compared with it."""
    chosen = [first, *(other for other in others(page) if other.name != first.name)]
    what = st.segmented_control(
        "What is compared", [YOURS, LANGUAGES], default=YOURS, required=True, key=f"{page}.compared",
        label_visibility="collapsed",
    )  # fmt: skip
    with explained():
        if what == YOURS:
            _your_text(page, text, specials, chosen)
        else:
            _languages(page, chosen)


def _your_text(page: str, text: str, specials: bool, chosen: Sequence[Vocabulary]) -> None:
    rows = [many_tokenizers.row_of(vocabulary, text, specials) for vocabulary in chosen]
    drawn = [many_tokenizers.drawn(row, rows[0]) for row in rows]
    st.html(elements.note(f"Underlined: tokens that {rows[0].name} does not have at this point of the text."))
    token_rows(f"{page}.rows", drawn, many_tokenizers.table(rows), chosen[0].glyph)


def _languages(page: str, chosen: Sequence[Vocabulary]) -> None:
    first = chosen[0]
    rows = [many_tokenizers.row_of(first, text, name=language) for language, text in languages.SENTENCES.items()]
    st.dataframe(
        languages.prices(chosen).drop(columns="sentence"),
        hide_index=True,
        column_config={
            "language": st.column_config.Column(pinned=True),
            **{
                languages.times_english(row.title): st.column_config.NumberColumn("× English", format="%.2f")
                for row in chosen
            },
        },
    )
    note = f"How many tokens each tokenizer needs for the same sentence. Below: the tokens of {first.title}."
    st.html(elements.note(note))
    token_rows(
        f"{page}.languages",
        [many_tokenizers.drawn(row, row) for row in rows],
        many_tokenizers.table(rows),
        first.glyph,
    )
    downloads.sheet("Languages (CSV)", "languages", lambda: languages.prices(chosen))
