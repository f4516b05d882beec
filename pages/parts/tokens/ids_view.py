"""The view of ids: a pasted list beside the ids of the same text, the ways to write it, and how it arrives."""

from __future__ import annotations

from itertools import islice

import streamlit as st

from bpe_core.tokenizer.drift import Drift, drift, lacking, summary
from bpe_core.tokenizer.stream import arrivals
from bpe_core.tokenizer.written_ids import ids_listed
from pages.parts.page import your_text
from pages.parts.page.tokenizer_choice import problems_shown
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.tokens_state import Tokens
from pages.parts.tokens.tokens_view import ShownText
from pages.parts.ui import controls, elements, ids_tables, sentences
from pages.parts.ui.terms import lesson_about
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

MOST_IDS = 200_000
COPIED, BEGINNING = 20_000, 1_000  # characters of a text that can be copied; of a longer text that is shown
STREAMED = 400  # tokens of a stream
FURTHER = 3  # tokens, in which a character ends that has begun: it has at most four bytes
TOO_MANY = "These are more than {:,} ids, and the page takes no more. The command takes all: {}."
TOO_LONG = "the text of these ids has {:,} bytes, and the page takes up to {:,}. The command takes all: {}"
COMMAND = "mergescope decode TOKENIZER --check < FILE"


class TooLongError(ValueError):
    """The text of some ids is longer than the page takes."""


def ids_view(shown: ShownText) -> None:
    """Draw the view of ids. A text that is no list of ids is shown by the ids that the tokenizer writes for it."""
    try:
        ids = state.latest("ids in text", (_text(),), lambda: ids_listed(_text(), MOST_IDS + 1))
    except ValueError as error:
        if ids_like(_text()):
            st.html(elements.problem(sentences.problem(error)))
        ids = None
    _draw(shown, ids)


def ids_like(text: str) -> bool:
    """Return whether a text begins as a list of ids does, so that the visitor wants to know what is wrong with it.

    >>> ids_like("[1.5, 2]"), ids_like("[a]"), ids_like("A dog")
    (True, False, False)
    """
    return text.lstrip()[:1] in ("[", "{") and any(char.isdigit() for char in text.lstrip()[1:10])


def _text() -> str:
    return your_text.shown(state.read(Tokens))


def _draw(shown: ShownText, ids: list[int] | None) -> None:
    """Draw the ids, or the ids of the text if there are none."""
    chosen = shown.chosen
    if ids is not None and len(ids) > MOST_IDS:
        st.html(elements.problem(TOO_MANY.format(MOST_IDS, COMMAND)))
        return
    with problems_shown():
        of = (_text(), ids is None, shown.specials, id(chosen.tokenizer))
        try:
            found, absent = state.latest("drift", of, lambda: _drift(shown, ids))
        except TooLongError as error:
            st.html(elements.problem(sentences.problem(error)))
            return
        if absent:
            st.html(elements.problem(ids_tables.missing(chosen.tokenizer, absent)))
        name = chosen.title
        if not found.given:
            if ids is None:
                st.html(elements.note(ids_tables.ids_of_text(0, name)))
            return
        if ids is not None:
            st.html(elements.sentence(summary(found, name)))
            _copied(found.text)
            put_in = "Put this text into the box"
            controls.button(put_in, Tokens, your_text.put_in, found.text, key="tokens.put ids")
        st.html(ids_tables.both_rows(found, chosen.glyph, name))
        if found.regions:
            st.html(ids_tables.regions(found, chosen.glyph))
        if ids is None:
            st.html(elements.note(ids_tables.ids_of_text(len(found.given), name)))
            _copied(str([*found.given]))
        _ways(found)
        st.html(lesson_about("A lesson: the same text, other ids", "drift"))
        st.html(elements.heading("As a stream"))
        _stream(found, chosen)


def _drift(shown: ShownText, ids: list[int] | None) -> tuple[Drift, list[int]]:
    """Return the ids beside those of the same text, and the ids that the vocabulary lacks.

    Raises `TooLongError` for ids whose text is too long for the page.
    """
    tokenizer = shown.chosen.tokenizer
    if ids is None:
        encoding = tokenizer.encode(shown.text, specials=shown.specials)
        return Drift(tokenizer, encoding.ids, encoding), []
    absent = lacking(tokenizer, ids)
    gone = set(absent)
    kept = [token_id for token_id in ids if token_id not in gone]
    size = sum(map(len, map(tokenizer.token_bytes, kept)))  # a token may have a hundred bytes
    if size > LIMITS.shown_characters:
        raise TooLongError(TOO_LONG.format(size, LIMITS.shown_characters, COMMAND))
    return drift(tokenizer, kept), absent


def _copied(text: str) -> None:
    """Draw a text with a button that copies it; of a text that is too long for that, the beginning."""
    if len(text) <= COPIED:
        controls.copied(text)
    else:
        st.html(elements.beginning(text[:BEGINNING], "text"))


def _ways(found: Drift) -> None:
    try:
        number = state.latest("ways", (found,), lambda: found.tokenizer.ways(found.text))
    except ValueError as error:
        st.html(elements.note(sentences.problem(error)))
    else:
        st.html(ids_tables.in_ways(number))


def _stream(found: Drift, chosen: PageVocabulary) -> None:
    tokenizer, ids = chosen.tokenizer, found.given[:STREAMED]
    seen = found.given[: STREAMED + FURTHER]
    arrived = state.latest("stream", (found,), lambda: [*islice(arrivals(tokenizer, seen), STREAMED)])
    st.html(elements.note(ids_tables.stream_summary(arrived, len(found.given) - len(ids))))
    drawn = [tokenizer.vocabulary.drawn_bytes(token_id) for token_id in ids]
    st.html(ids_tables.stream_table(arrived, drawn, chosen.glyph))
