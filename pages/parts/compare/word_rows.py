"""Which words of both sides stand beside each other: those that the sides split differently, or all of them."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from bpe_core.record.side_by_side import SideBySide, WordRow
from pages.parts.session import state
from pages.parts.views.sentences import counted

WINDOW = 120  # rows on the screen; every figure counts all


class Rows(NamedTuple):
    """Rows of (word of the left side, word of the right one), None where a side lacks it; and what is left out."""

    rows: list[tuple[int | None, int | None]]
    note: str


def window(both: SideBySide, everything: bool) -> Rows:
    """The rows in the order of the text, the most frequent ones where there are too many."""
    shown = both.rows if everything else [row for row in both.rows if not row.alike]
    alike = len(both.rows) - len(shown)
    total = len(shown)
    if total > WINDOW:
        kept = sorted(range(total), key=lambda i: -_count(both, shown[i]))[:WINDOW]
        shown = [shown[i] for i in sorted(kept)]
    said = f"The {WINDOW} most frequent of {counted(total, 'row')}." if total > WINDOW else counted(total, "row") + "."
    if alike and not total:
        said = f"No word differs: both sides always split {counted(alike, 'word')} in the same way."
    elif alike:
        said += f" {counted(alike, 'word')} that both sides always split in the same way {_are(alike)} left out."
    return Rows([row[:2] for row in shown], said)


def switch(page: str) -> None:
    """Whether words that both sides split alike show too."""
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
