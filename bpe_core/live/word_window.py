"""The window of words that a film shows: the first words of a corpus, in some order, that match a search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bpe_core.display.in_words import counted
from bpe_core.live.cache import cached
from bpe_core.record.run import Record

WINDOW = 200  # words on the screen; every figure counts all
FEW = 40  # words: a corpus with no more is in the order of the text
CHANGED, FREQUENT, TEXT, LONGEST = "changed first", "most frequent", "as in the text", "longest"
SORTS = (CHANGED, FREQUENT, TEXT, LONGEST)


class WordWindow(NamedTuple):
    """Row numbers of words, their order, and a sentence about how many there are."""

    rows: list[int]
    sort: str
    note: str


def words(run: Record, find: str = "", sort: str = "") -> WordWindow:
    """Return the words that contain `find`; `sort`: one of `SORTS`, and "" for an order that fits the corpus.

    In the order "changed first" the window is by count: the frames name the words that a step changed.

    >>> from bpe_core import Settings, train
    >>> words(train("low lower low", Settings("whitespace", vocab_size=256)), "E")
    WordWindow(rows=[1], sort='as in the text', note='1 of 2 words matches.')
    """
    return cached(run, ("words", find, sort), lambda: _words(run, find, sort))


def _words(run: Record, find: str, sort: str) -> WordWindow:
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
    note += _matching(len(order), total) if find else counted(total, "different word")
    return WordWindow(order[:WINDOW].tolist(), sort, f"{note}.")


def _matching(matching: int, total: int) -> str:
    """Return how many of `total` words match a search.

    >>> _matching(0, 5), _matching(1, 5), _matching(2, 5)
    ('No match in 5 words', '1 of 5 words matches', '2 of 5 words match')
    """
    if not matching:
        return f"No match in {counted(total, 'word')}"
    return f"{matching:,} of {counted(total, 'word')} {'matches' if matching == 1 else 'match'}"
