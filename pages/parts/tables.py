"""Runs as data frames: what the tables and charts of the pages show."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from bpe_core import Run
from pages.parts.token_text import token_text

WINDOW = 200  # rows on the screen; every figure counts all
SAMPLE = 3000  # characters of a text whose cut is shown


def merge_history(run: Run, step: int, glyph: str, rows: int | None = WINDOW) -> pd.DataFrame:
    """The merges up to `step`, the latest first: the first `rows` of them, or all."""
    first = 0 if rows is None else max(step - rows, 0)
    table = [
        (k, *(token_text(half, glyph) for half in merge[:3]), merge.count, merge.tied - 1)
        for k, merge in enumerate(run.merges[first:step], first + 1)
    ]
    return pd.DataFrame(table[::-1], columns=["step", "left", "right", "token", "count", "tied with"])


def pair_counts(run: Run, step: int, glyph: str, top: int = 15) -> pd.DataFrame:
    """The most frequent pairs after `step` merges, in the order in which they would be chosen.

    `role`: "next" for the pair that the next step joins, "tied" for those it shares its count with, else "other".
    """
    pairs = run.pair_counts(step, top)
    following = run.merges[step] if step < run.steps else None
    rows = []
    for rank, (left, right, count) in enumerate(pairs, 1):
        role = "other"
        if following:
            is_next = (left, right) == (following.left, following.right)
            role = "next" if is_next else "tied" if count == following.count else "other"
        rows.append((rank, f"{token_text(left, glyph)}  {token_text(right, glyph)}", count, role, left, right))
    return pd.DataFrame(rows, columns=["rank", "pair", "count", "role", "left", "right"])


def vocabulary(run: Run, step: int, glyph: str, rows: int | None = WINDOW) -> pd.DataFrame:
    """The tokens after `step` merges, the newest first: the first `rows` of them, or all."""
    size = run.base + step
    first = 0 if rows is None else max(size - rows, 0)
    table = [
        (i, token_text(token, glyph), token.hex(" ").upper(), max(i - run.base + 1, 0))
        for i, token in enumerate(run.tokens[first:size], first)
    ]
    return pd.DataFrame(table[::-1], columns=["id", "token", "bytes", "step"])


def words(run: Run, step: int, rows: int = WINDOW) -> tuple[list[tuple[tuple[bytes, ...], int]], list[bool]]:
    """The words on the screen, those that the step changed first, then the most frequent; and which it changed."""
    changed = np.zeros(len(run.pretokens), bool)
    changed[run.changed(step)] = True
    order = np.lexsort((-run.pretoken_counts, ~changed))[:rows] if len(changed) > rows else np.arange(len(changed))
    return run.words(step, order.tolist()), changed[order].tolist()


def vocabulary_difference(left: Run, right: Run, step: int) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """The tokens made by merges up to `step`: (in both, only left, only right), in the order of creation."""
    one, other = ({merge.token: None for merge in run.merges[:step]} for run in (left, right))
    both = [token for token in one if token in other]
    return both, [token for token in one if token not in other], [token for token in other if token not in one]


def derivation(rows: Iterable[tuple[int, bytes, bytes, bytes, int]], glyph: str) -> pd.DataFrame:
    """The merges that made a token: (step, left, right, token, id)."""
    table = [(step, *(token_text(token, glyph) for token in merge), i) for step, *merge, i in rows]
    return pd.DataFrame(table, columns=["step", "left", "right", "token", "id"])
