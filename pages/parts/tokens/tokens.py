"""The view of a text's tokens on the start page and the Playground, with remarks about the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from bpe_core.live.text_data import SECTIONS, text_data
from pages.parts.live_text.token_views import token_view
from pages.parts.session import state, your_text
from pages.parts.session.budget import BUDGET
from pages.parts.session.page_states import WithTokens
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.tokens import exchange
from pages.parts.views import elements, sentences
from pages.parts.widgets.tokenizer_choice import explained

SHOWN = "the text's tokens"  # the key of the fragment with the view
DECODED = 20_000  # characters: a longer text is not decoded at every key


class Request(NamedTuple):
    """A request to draw a view: the page, its text, whether to read special tokens in the text, and the tokenizer."""

    page: type[WithTokens]
    text: str
    specials: bool
    chosen: Vocabulary


def tokens(request: Request, shows: Sequence[str] = SECTIONS) -> None:
    """Draw the tokens of the text and remarks about it; `shows`: the parts of the view."""
    page, text, specials, chosen = request
    now = exchange.receive(state.read(page), chosen)
    with explained():
        encoding = chosen.tokenizer.encode(text, specials)
        facts = exchange.view_facts(now, chosen, encoding.walk, shows)
        token_view(exchange.key(page), text_data(encoding.walk, chosen.glyph, facts))
        if shows == SECTIONS:
            lossless = sentences.round_trip(encoding) if 0 < len(text) <= DECODED else ""
            beside = sentences.beside_text(your_text.shown(now), BUDGET.shown_characters)
            remarks = (sentences.normalization(text, encoding.walk.text), lossless, *beside)
            st.html(elements.note(" ".join(filter(None, (chosen.about, *remarks)))))
