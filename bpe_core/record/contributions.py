"""Where a pair's count comes from: the words that it occurs in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory


class Contribution(NamedTuple):
    """How often a pair occurs in one word: `count` in the whole corpus. `row`: of the word; `tokens`: at that step."""

    tokens: tuple[bytes, ...]
    count: int
    row: int


def contributing_words(corpus: CorpusHistory, step: int, left: int, right: int) -> tuple[list[int], list[int]]:
    """(row numbers of the words, the pair's occurrences in each) after `step` merges, those that give most first.

    >>> from bpe_core import Settings, train
    >>> run = train("low low lower", Settings("whitespace", vocab_size=256))
    >>> contributing_words(run.corpus, 0, ord("l"), ord("o"))
    ([0, 1], [2, 1])
    """
    rows, times = np.unique(corpus.rows_of(corpus.pair_sites(step, left, right)), return_counts=True)
    counts = times * corpus.word_counts[rows]
    order = np.lexsort((rows, -counts))
    return rows[order].tolist(), counts[order].tolist()
