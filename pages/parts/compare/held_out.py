"""The held-out text: what neither side was trained on, and what the vocabularies of both sides are judged by.

Of a text of your own the last fifth is held back, unless you choose another held-out text:

    your text       |------------ corpus ------------|-- tried --|     `LEAST` characters or more
                    what this page trains on and shows

A shorter text is judged by itself, and the page says so. An example has a similar text, or is judged by itself.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import NamedTuple

import streamlit as st
from markupsafe import Markup

from bpe_core.text.in_words import counted
from pages.parts.page import text_box, your_text
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.compare_state import FITTING, ITSELF, LAST, PASTE, Compare
from pages.parts.texts import corpora
from pages.parts.texts.corpora import Corpus
from pages.parts.texts.examples import EXAMPLES
from pages.parts.ui import controls, elements
from pages.parts.ui.terms import with_terms

PASTED, LAST_FIFTH = "A text that you paste", "The last fifth of your text"
SHORT = 60  # characters: a text up to this length is its own name
# The fewest characters of a text whose last fifth says something. It has 200 then, some 40 words: of fewer, a single
# word moves the result by several percent.
LEAST = 1_000
LONG_WORD = 200  # characters before and after a cut; without white space in them, a text is cut inside a word


class Texts(NamedTuple):
    """The text that both sides are trained on, and the text that they are judged by: the same if none is held out.

    `is_part`: whether both are parts of your text.
    """

    corpus: Corpus
    tried: Corpus
    is_part: bool = False


def receive(now: Compare) -> Compare:
    """Save the held-out text that was typed since the last rerun; return the state."""
    return replace(now, held_text=your_text.side_text(Compare, "held_text"))


def texts(now: Compare) -> Texts:
    """Return the text that both sides are trained on, and the held-out text."""
    whole, key = your_text.corpus(now), _source(now)
    if key in EXAMPLES:
        return Texts(whole, corpora.example(key))
    if key == FITTING and (similar := _similar(now)):
        return Texts(whole, similar)
    if key == PASTE and now.held_text.strip():
        return Texts(whole, Corpus("a text of your own", now.held_text[: LIMITS.typed_characters]))
    if key == LAST and (parts := _parts(whole)):
        return parts
    return Texts(whole, whole)


def _source(now: Compare) -> str:
    """Return the key of the held-out text. In place of a key that does not fit the text, return one that does."""
    if now.held_out == FITTING and not _similar(now):
        given = bool(your_text.example_shown(now) or now.held_text.strip())
        return PASTE if given or not _parts(your_text.corpus(now)) else LAST
    return PASTE if now.held_out == LAST and not _parts(your_text.corpus(now)) else now.held_out


def _similar(now: Compare) -> Corpus | None:
    """Return the held-out text that an example comes with."""
    return corpora.held_out(your_text.example_shown(now))


def _parts(whole: Corpus) -> Texts | None:
    """Return the first four fifths of a text and its last; None if the text is too short."""

    def parts() -> Texts | None:
        text, at = whole.text, cut(whole.text)
        if len(text) < LEAST or not (text[:at].strip() and text[at:].strip()):
            return None
        return Texts(Corpus(whole.name, text[:at]), Corpus("the last fifth of your text", text[at:]), is_part=True)

    return state.latest("parts of the text", (whole.digest,), parts)


def cut(text: str) -> int:
    """Return where the last fifth of a text begins: with the white space between two words, if there is some near by.

    That is the last one up to four fifths of the text or, if the word there is long, the first one after.

    >>> cut("to be, or not to be"), cut("abcdefghij")
    (13, 8)
    """
    at = len(text) * 4 // 5
    if near := [place for place in range(max(at - LONG_WORD, 1), at + 1) if text[place : place + 1].isspace()]:
        return len(text[: near[-1]].rstrip())
    if after := [place for place in range(at, min(at + LONG_WORD, len(text))) if text[place].isspace()]:
        return after[0]
    while unicodedata.category(text[at : at + 1] or " ").startswith("M"):
        at -= 1
    return at


def choice_of_text() -> None:
    """Draw the choice of the held-out text, and a sentence on what both sides were trained on."""
    now = state.read(Compare)
    source, similar = _source(now), _similar(now)
    sources = {FITTING: f"A similar text: {similar.name}"} if similar else {}
    if _parts(your_text.corpus(now)):
        sources[LAST] = LAST_FIFTH
    sources |= {ITSELF: "Your text itself", **{key: row.title for key, row in EXAMPLES.items()}, PASTE: PASTED}
    if now.held_out not in sources:  # what fits is one of the others: it has their title, and is in their place
        sources = {now.held_out if key == source else key: title for key, title in sources.items()}
    if sources[controls.pick(Compare, "held_out", sources, width=340, whole=True)] == PASTED:
        text_box.side_box(Compare, "held_text", "Your held-out text", "Words that your text does not have.")
    st.html(elements.note(with_terms(_about(texts(state.read(Compare))))))


def heading(chosen: Texts) -> Markup:
    """Return sentences on what both sides are judged by, and what they were trained on."""
    corpus, tried, is_part = chosen
    if is_part:
        length = counted(len(corpus.text), "character")
        return with_terms(
            f"Both sides were trained on the first {length} of your text. "
            "The rest, a [held-out text], costs after all merges:"
        )
    if tried == corpus:
        return Markup("Both sides were trained on this text. After all merges it costs:")
    name = tried.text if len(tried.text) <= SHORT else tried.name
    return with_terms("After all merges the [held-out text]") + Markup(" “{}” costs:").format(name)


def _about(chosen: Texts) -> str:
    corpus, tried, is_part = chosen
    length = counted(len(tried.text), "character")
    if is_part:
        return (
            f"The last fifth of your text, {length}, is held back. Both sides were trained on the "
            f"{len(corpus.text):,} before it: the corpus that is shown on this page."
        )
    if tried == corpus:
        return (
            "Both sides were trained on this text. For a fair test choose a [held-out text], or train on a text of "
            f"{LEAST:,} characters, of which a fifth can be held back."
        )
    return f"A held-out text of {length}: neither side was trained on it."
