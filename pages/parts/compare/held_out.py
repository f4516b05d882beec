"""The choice of the text that both vocabularies are tried on."""

from __future__ import annotations

import streamlit as st

from pages.parts.session import inputs, links, state, your_text
from pages.parts.session.budget import BUDGET
from pages.parts.session.examples import EXAMPLES
from pages.parts.views import sentences
from pages.parts.widgets.controls import pick


def held_out(page: str) -> None:
    """Choose the text, and say whether it is one that was not trained on."""
    sources = {
        links.FITTING: "A similar text",
        links.ITSELF: "The corpus itself",
        **{key: row.title for key, row in EXAMPLES.items()},
        links.PASTE: "A text of your own",
    }
    if pick(page, "held", "Held-out text", sources, help=_about(page), width=220) == links.PASTE:
        st.text_area(
            "Text to try",
            key=state.key(page, "held_text"),
            max_chars=BUDGET.typed_characters,
            placeholder="Words that the corpus does not have",
        )


def _about(page: str) -> str:
    text = inputs.held_out(page)
    if text == your_text.corpus(page):
        return "This is the corpus itself. A text that was not trained on shows what a vocabulary is worth."
    return f"{sentences.counted(len(text.text), 'character')} that were not trained on show what a vocabulary is worth."
