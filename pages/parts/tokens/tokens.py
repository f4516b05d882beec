"""The tokens of a text as the start page and the Playground show them, and what has to be said about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from pages.parts.live_text.payload import payload
from pages.parts.live_text.token_view import token_view
from pages.parts.session import state, your_text
from pages.parts.session.budget import BUDGET
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.tokens import exchange
from pages.parts.views import elements, sentences
from pages.parts.widgets.tokenizer_choice import explained

SHOWN = "the text's tokens"  # the key of the fragment that shows them
DECODED = 20_000  # characters; of a longer text the way back is not tried at every key


class Asked(NamedTuple):
    """What a view is drawn of: the page, its text, whether special tokens count, and its tokenizer."""

    page: str
    text: str
    specials: bool
    chosen: Vocabulary


def tokens(asked: Asked, shows: Sequence[str] = exchange.ALL) -> None:
    """The tokens of the text, and what has to be said about them. `shows`: the parts of the view."""
    page, text, specials, chosen = asked
    exchange.take_over(page, chosen)
    with explained():
        encoding = chosen.tokenizer.encode(text, specials)
        facts = exchange.view_facts(page, chosen, encoding.walk, shows)
        token_view(state.key(page, "shown"), payload(encoding.walk, chosen.glyph, facts))
        if shows == exchange.ALL:
            lossless = sentences.round_trip(encoding) if 0 < len(text) <= DECODED else ""
            beside = sentences.beside_text(your_text.shown(page), BUDGET.shown_characters)
            said = (sentences.normalization(text, encoding.walk.text), lossless, *beside)
            st.html(elements.note(" ".join(filter(None, (chosen.about, *said)))))
