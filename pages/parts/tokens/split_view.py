"""The view "Split": the pretokens of the text, and the alternatives of the pattern that found them."""

from __future__ import annotations

import streamlit as st

from bpe_core.text.pattern_parts import alternatives
from bpe_core.tokenizer.why_cut import cuts
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.state import state
from pages.parts.tokens.tokens_view import TokensRequest
from pages.parts.ui import cut_lists, elements
from pages.parts.ui.cut_lists import SAMPLE
from pages.parts.ui.terms import lesson_about


def split_view(request: TokensRequest) -> None:
    """Draw the pretokens of the text beside the alternatives of the pattern of the chosen tokenizer."""
    text, tokenizer = request.text[:SAMPLE], request.chosen.tokenizer
    with problems_shown():
        rows = alternatives(tokenizer.pretokenizer)
        of = (text, request.specials, id(tokenizer))
        found = state.latest("cuts", of, lambda: cuts(tokenizer, text, request.specials))
        st.html(elements.finding(cut_lists.sentence(rows, found, tokenizer.pretokenizer.title)))
        st.html(cut_lists.pieces_and_alternatives(rows, found))
        if len(request.text) > SAMPLE:
            st.html(elements.note(f"Of the text’s first {SAMPLE:,} characters."))
        st.html(lesson_about("A lesson: who cut this?", "cutters"))
