"""The order of pairs at a step: the most frequent first, ties as the tie rule prefers them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.record.pair_history import PairHistory
from bpe_core.text.arrays import Counts, Indexes, Integers, starts_of
from bpe_core.ties import TieRule


@dataclass(frozen=True, eq=False)
class PairOrder:
    """The order of pairs under a tie rule, at any step. `alphabet` and `tokens` are the record's.

    A pair is given by its row number in `history`.

    >>> from bpe_core import Settings, train
    >>> from bpe_core.ties import TIE_RULES
    >>> (stage,) = train("ab xa xab", Settings("whitespace", "characters", vocab_size=3)).stages
    >>> rows = stage.history.rows_of(np.array([0, 2]), np.array([1, 0]))  # a + b and x + a: twice each
    >>> for rule in ("first-seen", "greatest"):
    ...     order = PairOrder(stage.corpus, stage.history, TIE_RULES[rule], "characters", stage.tokens)
    ...     order.of(0, rows, np.array([2, 2]), None).tolist()
    [0, 1]
    [1, 0]
    """

    corpus: CorpusHistory
    history: PairHistory
    rule: TieRule
    alphabet: str
    tokens: tuple[bytes, ...]

    def of(self, step: int, rows: Indexes, counts: Counts, top: int | None) -> Indexes:
        """Return the indexes of all pairs in `rows`, or the first `top`, in order after `step` merges."""
        keys = self._site_keys(step, rows, counts) if self.names is None else self.names[rows]
        return np.lexsort((keys, -counts))[:top]

    def _site_keys(self, step: int, rows: Indexes, counts: Counts) -> Counts:
        """Return the key of each pair that ties with another; 0 for a pair without a tie."""
        _, group, size = np.unique(counts, return_inverse=True, return_counts=True)
        tied = size[group] > 1
        keys = np.zeros(len(counts), np.int64)
        keys[tied] = first_sites(self.corpus, self.history, step, rows[tied])
        return keys

    @cached_property
    def names(self) -> Counts | None:
        """The key of each pair of the history under a rule by name, for all steps; None under a rule by site."""
        if not self.rule.name_key:
            return None
        keys: list[Any] = [self.rule.name_key(self.alphabet, i, token) for i, token in enumerate(self.tokens)]
        rank = np.empty(len(keys), np.int64)
        rank[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
        return rank[self.history.left] * len(keys) + rank[self.history.right]


def first_sites(corpus: CorpusHistory, history: PairHistory, step: int, rows: Indexes) -> Counts:
    """Return for each pair (row number) a number that grows with the position of its first site after `step` merges.

    Each pair has to occur at that step. If words move to the end of the corpus, the number is the word's turn (its
    number in the order of reading) times the length of the corpus, plus the position.

    >>> from bpe_core import Settings, train
    >>> (stage,) = train("ab xa xab", Settings("whitespace", "characters", vocab_size=3)).stages  # ids: a 0, b 1, x 2
    >>> first_sites(stage.corpus, stage.history, 0, stage.history.rows_of(np.array([0, 2]), np.array([1, 0]))).tolist()
    [2, 5]
    """
    if not len(rows):
        return np.zeros(0, np.int64)
    pair, sites = history.sites_at(np.full(len(rows), step), rows)
    firsts = starts_of(np.bincount(pair, minlength=len(rows)))
    if not len(corpus.lifetimes.moved_words):
        return sites[firsts].astype(np.int64)  # the sites of a pair are in the order of the corpus
    keys: Counts = np.minimum.reduceat(site_keys(corpus, word_turns(corpus, step), sites), firsts)
    return keys


def site_keys(corpus: CorpusHistory, turns: Counts, sites: Integers) -> Counts:
    """Return for each site a number that grows in the order of reading. `turns`: see `word_turns`."""
    keys: Counts = TieRule.site_key(turns[corpus.rows_of(sites)], sites, len(corpus.flat.symbols))
    return keys


def word_turns(corpus: CorpusHistory, step: int) -> Counts:
    """Return each word's number in the order of reading, in a corpus where a merge moves changed words to the end."""
    turns = np.arange(len(corpus.word_counts), dtype=np.int64)
    moved = corpus.lifetimes.moved_words[: corpus.lifetimes.moved_until[step]]
    turns[moved] = len(turns) + np.arange(len(moved))  # of several moves of a word, the last move counts
    return turns
