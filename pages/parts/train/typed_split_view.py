"""The view of a typed pattern: its alternatives with the pieces that they cut, and what GPT-2 cuts otherwise."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from bpe_core import PRETOKENIZERS, Run
from bpe_core.text.rules import PatternError
from bpe_core.tokenizer.why_cut import cuts
from pages.parts.page import your_text
from pages.parts.state import state
from pages.parts.state.train_state import Train
from pages.parts.ui import cut_lists, elements, sentences

BESIDE = PRETOKENIZERS["gpt2"]


def draw(run: Run, step: int, glyph: str) -> None:
    """Draw the pieces of the text, the alternatives of the pattern, and where GPT-2 cuts otherwise."""
    text, tokenizer = your_text.corpus(state.read(Train)).text, run.tokenizer(0)
    try:
        found = cut_lists.draw(tokenizer, run.settings, text, True, "Your pattern")
    except PatternError as error:
        st.html(elements.problem(sentences.problem(error)))
        return
    of_gpt2 = cuts(replace(tokenizer, pretokenizer=BESIDE), text[: cut_lists.SAMPLE], specials=True)
    st.html(cut_lists.changes(found, of_gpt2, BESIDE.title))
