"""Two views of a chat's tokens: which of them are learnt in training, and what changes if it is encoded in segments."""

from __future__ import annotations

import streamlit as st

from bpe_core.chat.model_input import ModelInput, model_input
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.drift import Drift
from pages.parts.chat import chat_tokens, chat_turns
from pages.parts.chat.chat_template import Choice
from pages.parts.state import state
from pages.parts.ui import elements, ids_tables
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

NO_TAG = "No token of this conversation would be learnt: the template has no {% generation %}."
WHOM = (
    "This holds for trainers that ask the template which tokens are the assistant’s (the assistant mask of "
    "transformers: here zeros only). Others do not ask it: many learn from all tokens."
)
HOW = (
    "No template that comes with this page has {% generation %}. Under “Paste a template”, paste one that has it "
    "before an answer’s content, and {% endgeneration %} after the token that ends the answer."
)
UNKNOWN = "The template rewrites what the turns say, so the chat cannot be cut into segments."
SEGMENTS = (
    "Text of turns, tools and documents alternates with text of the template. Each stretch of one of them is a "
    "segment, encoded by itself: no token has characters of two. The template writes inside a turn too, such as "
    "around its thinking and its calls, so one turn can be many segments. Only the template’s own text has control "
    "tokens."
)


def learnt_view(choice: Choice, chosen: PageVocabulary) -> None:
    """Draw the tokens that are learnt in training; the others are dim."""
    found = _input(choice, chosen)
    if found.learnt is None:
        st.html(elements.sentence(NO_TAG))
        st.html(elements.note(WHOM))
        st.html(elements.more("How to mark what is learnt", HOW))
        return
    size = sum(found.learnt)
    st.html(
        elements.finding(
            f"Of {counted(len(found.ids), 'token')}, {size:,} would be learnt: what is inside {{% generation %}}."
        )
    )
    marks = ["lit" if is_learnt else "dim" for is_learnt in found.learnt]
    st.html(chat_tokens.drawing(found, chosen.glyph, marks=marks))
    if len(found.ids) > chat_tokens.AT_ONCE:
        st.html(elements.note(f"These are the first {chat_tokens.AT_ONCE:,} tokens."))


def segments_view(choice: Choice, chosen: PageVocabulary) -> None:
    """Draw where the ids of the chat as one text differ from those of its segments."""
    found = _input(choice, chosen)
    segments = found.in_segments
    if segments is None:
        st.html(elements.note(UNKNOWN))
        return
    drift = Drift(chosen.tokenizer, segments, found.encoding)
    regions = drift.regions
    if regions:
        places = counted(len(regions), "place")
        sizes = f"{len(found.ids):,} as one text, {len(segments):,} in segments"
        st.html(elements.finding(f"The ids differ in {places}: {sizes}."))
    else:
        st.html(elements.finding("As one text and in segments the chat has the same ids."))
    names = dict.fromkeys(found.special_names[found.ids[at]] for at in found.typed)
    if names:
        st.html(
            elements.problem(
                f"As one text, {', '.join(names)} in a turn is a control token to the model. In segments it is text."
            )
        )
    st.html(elements.more("What a segment is", SEGMENTS))
    if regions:
        st.html(ids_tables.regions(drift, chosen.glyph))


def _input(choice: Choice, chosen: PageVocabulary) -> ModelInput:
    rendered, _ = chat_turns.rendered(choice.template, chosen)
    asked = (rendered, chosen.name, id(chosen.tokenizer), False)
    return state.latest("a chat's tokens", asked, lambda: model_input(chosen.tokenizer, rendered, False))
