"""How much text is enough: trainings on parts of the text, below the curves of Train."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from bpe_core import Run
from bpe_core.record.enough_text import LEAST, Amount, Amounts
from bpe_core.settings import Settings
from bpe_core.text.in_words import counted, percent
from pages.parts.page import training_status
from pages.parts.state import state
from pages.parts.texts.corpora import Corpus
from pages.parts.trainings import runs
from pages.parts.ui import charts, downloads, elements

NAMES = {0.125: "an eighth", 0.25: "a quarter", 0.5: "half", 1.0: "all"}
SAME, PRICE = "the same tokens", "bytes per token"
ABOUT = (
    "The bytes per token are of {}, each fifth piece of the text, which no training has seen. The same tokens are "
    "those of both trainings, as a part of all that either of them made."
)
_ASKED: state.SessionSlot[tuple[str, Settings] | None] = state.SessionSlot("amounts asked", None)


def draw(text: Corpus, run: Run) -> None:
    """Draw a button that trains on parts of the text and, after a click, what the trainings have in common."""
    st.html(elements.title("How much text is enough?"))
    settings = replace(run.settings, forced={})
    if len(text.plain) < LEAST:
        st.html(elements.note(f"It takes a text of {LEAST:,} characters to find out."))
        return
    key = (text.digest, settings)
    if _ASKED.get() != key:
        st.html(elements.note("Trains on an eighth, a quarter, a half and all of it. A fifth of the text is held out."))
        st.button("Train on parts of the text", on_click=_ASKED.put, args=(key,))
        return
    with training_status.progress_shown():
        found = runs.amounts_of(text, settings)
        st.html(elements.sentence(sentence(found.parts)))
        downloads.chart(charts.amounts(points(found)), "amounts", "Tokens and their price with parts of the text")
        st.dataframe(table(found), hide_index=True)
        st.html(elements.note(ABOUT.format(counted(found.held_out, "character"))))


def sentence(parts: tuple[Amount, ...]) -> str:
    """Return what half of the text gives.

    >>> sentence((Amount(0.5, 500, 90, 0.78, 3.0), Amount(1.0, 1000, 90, 1.0, 3.03)))
    'With half of the text 78% of the tokens are the same, and unseen text takes 1.0% more tokens.'
    """
    half, whole = parts[-2:]
    more = whole.bytes_per_token / half.bytes_per_token - 1 if half.bytes_per_token else 0
    change = (
        "as many tokens" if abs(more) < 0.0005 else f"{percent(abs(more))} {'more' if more > 0 else 'fewer'} tokens"
    )
    return f"With half of the text {percent(half.same)} of the tokens are the same, and unseen text takes {change}."


def points(found: Amounts) -> pd.DataFrame:
    """Return both figures of each part in percent of those with all of the text: the columns part, curve, percent."""
    whole = found.parts[-1].bytes_per_token or 1
    rows = [(NAMES[each.part], SAME, 100 * each.same) for each in found.parts]
    rows += [(NAMES[each.part], PRICE, 100 * each.bytes_per_token / whole) for each in found.parts]
    return pd.DataFrame(rows, columns=["part", "curve", "percent"])


def table(found: Amounts) -> pd.DataFrame:
    """Return a row for each part."""
    rows = [
        (NAMES[each.part], each.characters, each.merges, percent(each.same), round(each.bytes_per_token, 2))
        for each in found.parts
    ]
    return pd.DataFrame(rows, columns=["of the text", "characters", "merges", "the same tokens", "bytes per token"])
