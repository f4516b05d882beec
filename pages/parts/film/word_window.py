"""Which words of a corpus a film shows: those that match, in an order; a window of them where there are many."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bpe_core import Run
from pages.parts.film.kept import kept
from pages.parts.views.sentences import counted, found

WINDOW = 200  # words on the screen; every figure counts all
FEW = 40  # words that are shown as they stand in the text
CHANGED, FREQUENT, TEXT, LONGEST = "changed first", "most frequent", "as in the text", "longest"
SORTS = (CHANGED, FREQUENT, TEXT, LONGEST)


class Words(NamedTuple):
    """Row numbers of words, how they are sorted, and a sentence on how many there are."""

    rows: list[int]
    sort: str
    note: str


def words(run: Run, find: str = "", sort: str = "") -> Words:
    """The words that have `find` in them. `sort`: one of `SORTS`; else as suits the corpus.

    With "changed first" the frames bring the words that a step changed; the others follow by their counts.
    """
    return kept(run, ("words", find, sort), lambda: _words(run, find, sort))


def _words(run: Run, find: str, sort: str) -> Words:
    total, counts = len(run.pretokens), run.pretoken_counts
    if sort not in SORTS:
        sort = TEXT if total <= FEW else CHANGED
    if sort == TEXT:
        order = np.arange(total)
    else:
        order = np.argsort(run.flat.starts - run.flat.ends if sort == LONGEST else -counts, kind="stable")
    if find:
        order = order[[find.casefold() in run.pretokens[row].casefold() for row in order]]
    note = f"{WINDOW:,} of " if len(order) > WINDOW else ""
    note += found(len(order), total) if find else counted(total, "different word")
    return Words(order[:WINDOW].tolist(), sort, f"{note}.")
