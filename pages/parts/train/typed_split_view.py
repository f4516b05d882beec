"""The view of a typed pattern: its alternatives with the pieces that they cut, and what GPT-2 cuts otherwise."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from bpe_core import PRETOKENIZERS, Run
from bpe_core.text.pattern_parts import alternatives
from bpe_core.text.rules import PatternError
from bpe_core.tokenizer.why_cut import cuts
from pages.parts.page import your_text
from pages.parts.state import state
from pages.parts.state.train_state import Train
from pages.parts.ui import cut_lists, elements, sentences
from pages.parts.ui.cut_lists import SAMPLE

BESIDE = PRETOKENIZERS["gpt2"]


def draw(run: Run, step: int, glyph: str) -> None:
    """Draw the pieces of the text, the alternatives of the pattern, and where GPT-2 cuts otherwise."""
    text = your_text.corpus(state.read(Train)).text
    tokenizer, sample = run.tokenizer(0), text[:SAMPLE]
    rows = alternatives(tokenizer.pretokenizer)
    try:
        found = state.latest("cuts", (run.settings, sample), lambda: cuts(tokenizer, sample))
    except PatternError as error:
        st.html(elements.problem(sentences.problem(error)))
        return
    st.html(elements.sentence(cut_lists.sentence(rows, found, "Your pattern")))
    st.html(cut_lists.pieces_and_alternatives(rows, found))
    st.html(cut_lists.changes(found, cuts(replace(tokenizer, pretokenizer=BESIDE), sample), BESIDE.title))
    if len(text) > SAMPLE:
        st.html(elements.note(f"Of the text’s first {SAMPLE:,} characters."))
