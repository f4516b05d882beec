"""The view of a text with several tokenizers, and of one sentence in eight languages."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.live_views.live_view import token_rows
from pages.parts.playground import many_tokenizers
from pages.parts.playground.tokenizer_row import others
from pages.parts.session import state
from pages.parts.session.page_states import Playground
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import elements, theme
from pages.parts.widgets import downloads
from pages.parts.widgets.text_tokens import Request
from pages.parts.widgets.tokenizer_choice import explained

COMPARED = {"text": "Your text", "languages": "The same sentence in eight languages"}


def side_by_side_view(request: Request) -> None:
    """Draw the text with the page's tokenizer and with others, which are compared with it."""
    _, text, specials, first = request
    chosen = [first, *(other for other in others() if other.name != first.name)]
    what = st.segmented_control(
        "What is compared", list(COMPARED), format_func=COMPARED.__getitem__, required=True,
        key=state.key(Playground, "compared"), label_visibility="collapsed", on_change=st.rerun,
    )  # fmt: skip
    with explained():
        if what == "languages":
            _languages(chosen)
        else:
            _your_text(text, specials, chosen)


def _your_text(text: str, specials: bool, chosen: Sequence[Vocabulary]) -> None:
    rows = [many_tokenizers.row_of(vocabulary, text, specials) for vocabulary in chosen]
    drawn = [many_tokenizers.drawn(row, rows[0]) for row in rows]
    st.html(elements.note(f"Underlined: tokens that {rows[0].name} does not have at this point of the text."))
    token_rows("playground.rows", drawn, many_tokenizers.table(rows))


def _languages(chosen: Sequence[Vocabulary]) -> None:
    first, sentences = chosen[0], many_tokenizers.SENTENCES
    rows = [many_tokenizers.row_of(first, text, name=language) for language, text in sentences.items()]
    times_english = [many_tokenizers.times_english(vocabulary.title) for vocabulary in chosen]
    prices = many_tokenizers.prices(chosen)
    with st.container(key=f"{theme.OWN_TOOLS} of languages"):
        st.dataframe(
            prices.drop(columns="sentence"),
            hide_index=True,
            placeholder="–",
            column_config={
                "language": st.column_config.Column(pinned=True),
                **{name: st.column_config.NumberColumn("× English", format="%.2f") for name in times_english},
            },
        )
    note = f"How many tokens each tokenizer needs for the same sentence. Below: the tokens of {first.title}."
    if prices.isna().any(axis=None):
        note += " Without a number: the tokenizer loses a part of that sentence."
    st.html(elements.note(note))
    drawn = [many_tokenizers.drawn(row, row) for row in rows]
    token_rows("playground.languages", drawn, many_tokenizers.table(rows))
    downloads.sheet("Languages (CSV)", "languages", lambda: prices)
