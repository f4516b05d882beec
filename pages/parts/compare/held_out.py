"""The choice of the held-out text of both vocabularies."""

from __future__ import annotations

import streamlit as st

from bpe_core.display.in_words import counted
from pages.parts.session import corpora, inputs, links, state, your_text
from pages.parts.session.corpora import Corpus
from pages.parts.session.examples import EXAMPLES
from pages.parts.session.titles import TITLES
from pages.parts.views import elements
from pages.parts.views.terms import explained
from pages.parts.widgets import text_box
from pages.parts.widgets.controls import pick

OWN = "A text that you paste"
SHORT = 60  # characters: a text up to this length is its own name


def held_out(page: str) -> None:
    """Draw the choice of the text, and whether it is the corpus."""
    like = corpora.held_out(your_text.example_shown(page))
    sources = {
        links.FITTING: f"A similar text: {like.name}" if like else OWN,
        links.ITSELF: "Your text itself",
        **{key: row.title for key, row in EXAMPLES.items()},
        links.PASTE: OWN,
    }
    own = {links.PASTE} if like else {links.PASTE, links.FITTING}
    chosen = state.get(page, "held")
    if not like:  # FITTING and PASTE mean the same then: offer only one of them
        del sources[links.FITTING if chosen == links.PASTE else links.PASTE]
    if pick(page, "held", TITLES["held"], sources, width=340, on_change=st.rerun) in own:
        text_box.side_box(page, "held_text", "Your held-out text", "Words that your text does not have.")
    st.html(elements.note(explained(_about(inputs.held_out(page), your_text.corpus(page)))))


def name(tried: Corpus, corpus: Corpus) -> str:
    """Return the name of the held-out text in a sentence."""
    if tried == corpus:
        return "this text"
    return f"the held-out text (“{tried.text if len(tried.text) <= SHORT else tried.name}”)"


def _about(tried: Corpus, corpus: Corpus) -> str:
    if tried == corpus:
        return (
            "Both were trained on this text. For a fair test take a [held-out text], which they have not seen: paste "
            "one, or choose an example."
        )
    length = counted(len(tried.text), "character")
    return f"A [held-out text] of {length}: neither side was trained on it."
