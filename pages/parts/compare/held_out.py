"""The choice of the held-out text, on which the vocabularies of both sides are tried."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from markupsafe import Markup

from bpe_core.pictures.shared.in_words import counted
from pages.parts.compare.compare_state import FITTING, ITSELF, PASTE, Compare
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.texts import corpora, text_box, your_text
from pages.parts.texts.corpora import Corpus
from pages.parts.texts.examples import EXAMPLES
from pages.parts.ui import controls, elements
from pages.parts.ui.terms import with_terms

OWN = "A text that you paste"
SHORT = 60  # characters: a text up to this length is its own name


def receive(now: Compare) -> Compare:
    """Save the held-out text that was typed since the last rerun; return the state."""
    return replace(now, held_text=your_text.side_text(Compare, "held_text"))


def held_out(now: Compare) -> Corpus:
    """Return the held-out text, or the corpus if there is no held-out text."""
    if now.held_out == FITTING and (similar := corpora.held_out(your_text.example_shown(now))):
        return similar
    if now.held_out in (FITTING, PASTE) and now.held_text.strip():
        return Corpus("a text of your own", now.held_text[: LIMITS.typed_characters])
    return your_text.corpus(now) if now.held_out in (FITTING, ITSELF, PASTE) else corpora.example(now.held_out)


def choice_of_text() -> None:
    """Draw the choice of the held-out text, and a sentence on whether that text is the corpus itself."""
    now = state.read(Compare)
    similar = corpora.held_out(your_text.example_shown(now))
    sources = {
        FITTING: f"A similar text: {similar.name}" if similar else OWN,
        ITSELF: "Your text itself",
        **{key: row.title for key, row in EXAMPLES.items()},
        PASTE: OWN,
    }
    own = {PASTE} if similar else {PASTE, FITTING}
    if not similar:  # FITTING and PASTE are the same text then: offer only one of them
        del sources[FITTING if now.held_out == PASTE else PASTE]
    if controls.pick(Compare, "held_out", sources, width=340, whole=True) in own:
        text_box.side_box(Compare, "held_text", "Your held-out text", "Words that your text does not have.")
    now = state.read(Compare)
    st.html(elements.note(with_terms(_about(held_out(now), your_text.corpus(now)))))


def name(tried: Corpus, corpus: Corpus) -> Markup:
    """Return the held-out text's name as a part of a sentence. The name explains the term “held-out text”."""
    if tried == corpus:
        return Markup("this text")
    return with_terms("the [held-out text]") + f" (“{tried.text if len(tried.text) <= SHORT else tried.name}”)"


def _about(tried: Corpus, corpus: Corpus) -> str:
    if tried == corpus:
        return (
            "Both were trained on this text. For a fair test take a [held-out text], which they have not seen: paste "
            "one, or choose an example."
        )
    length = counted(len(tried.text), "character")
    return f"A held-out text of {length}: neither side was trained on it."
