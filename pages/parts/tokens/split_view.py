"""The view "Split": the pretokens of the text, and the alternatives of the pattern that found them."""

from __future__ import annotations

import streamlit as st

from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.tokens.tokens_view import ShownText
from pages.parts.ui import cut_lists
from pages.parts.ui.terms import lesson_about


def split_view(shown: ShownText) -> None:
    """Draw the pretokens of the text beside the alternatives of the pattern of the chosen tokenizer."""
    tokenizer = shown.chosen.tokenizer
    with problems_shown():
        cut_lists.draw(tokenizer, id(tokenizer), shown.text, shown.specials, tokenizer.pretokenizer.title)
        st.html(lesson_about("A lesson: who cut this?", "cutters"))
