"""The rows of words of both sides: the words that the sides split differently, or all words."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from bpe_core.display.in_words import counted
from bpe_core.record.side_by_side import SideBySide, WordRow
from pages.parts.session import state

WINDOW = 120  # rows on the screen


class Rows(NamedTuple):
    """Rows of words, and a note about those left out.

    A row has the index of a word on the left side and of the same word on the right side, or None if a side lacks it.
    """

    rows: list[tuple[int | None, int | None]]
    note: str


def window(both: SideBySide, everything: bool) -> Rows:
    """Return the rows in the order of the text; if there are too many, only the most frequent ones."""
    shown = both.rows if everything else [row for row in both.rows if not row.alike]
    alike = len(both.rows) - len(shown)
    total = len(shown)
    if total > WINDOW:
        frequent = sorted(range(total), key=lambda i: -_count(both, shown[i]))[:WINDOW]
        shown = [shown[i] for i in sorted(frequent)]
    note = f"The {WINDOW} most frequent of {counted(total, 'row')}." if total > WINDOW else counted(total, "row") + "."
    if alike and not total:
        note = f"No word differs: both sides always split {counted(alike, 'word')} in the same way."
    elif alike:
        note += f" {counted(alike, 'word')} that both sides always split in the same way {_are(alike)} left out."
    return Rows([row[:2] for row in shown], note)


def switch(page: str) -> None:
    """Draw the choice between words that differ and all words."""
    key = state.key(page, "all_words")
    st.segmented_control(
        "Words", ["no", "yes"], format_func={"no": "Words that differ", "yes": "All words"}.get, required=True, key=key,
        label_visibility="collapsed",
    )  # fmt: skip


def _count(both: SideBySide, row: WordRow) -> int:
    sides = ((both.left, row.left), (both.right, row.right))
    return max(int(run.pretoken_counts[i]) for run, i in sides if i is not None)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
