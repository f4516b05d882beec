"""The order of pairs at a step: the most frequent first, ties as the tie rule prefers them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.text.arrays import Counts, Ids, Indexes, Integers
from bpe_core.ties import TieRule

NOT_SEEN = int(np.iinfo(np.int64).max)
FIRST_WORDS = 512  # words that are read first; each further reading takes twice as many


@dataclass(frozen=True, eq=False)
class PairOrder:
    """The order of pairs under a tie rule, at any step. `alphabet` and `tokens` are the record's.

    >>> from bpe_core import Settings, train
    >>> from bpe_core.ties import TIE_RULES
    >>> run = train("ab xa xab", Settings("whitespace", "characters", vocab_size=3))  # a + b and x + a: twice each
    >>> left, right, counts = np.array([0, 2]), np.array([1, 0]), np.array([2, 2])
    >>> for rule in ("first-seen", "greatest"):
    ...     PairOrder(run.corpus, TIE_RULES[rule], "characters", run.tokens).of(0, left, right, counts, None).tolist()
    [0, 1]
    [1, 0]
    """

    corpus: CorpusHistory
    rule: TieRule
    alphabet: str
    tokens: tuple[bytes, ...]

    def of(self, step: int, left: Integers, right: Integers, counts: Counts, top: int | None) -> Indexes:
        """Return the indexes of all pairs (ids `left`, `right`), or the first `top`, in order after `step` merges."""
        if not len(counts):
            return np.zeros(0, np.intp)
        if self._name_rank is not None:
            return np.lexsort((self._name_rank[right], self._name_rank[left], -counts))[:top]
        return np.lexsort((self._sites(step, left, right, counts, top or len(counts)), -counts))[:top]

    def _sites(self, step: int, left: Integers, right: Integers, counts: Counts, top: int) -> Counts:
        """Return the first site of each pair that ties with another; 0 for a pair without a tie."""
        _, group, size = np.unique(counts, return_inverse=True, return_counts=True)
        tied = size[group] > 1
        sites = np.zeros(len(counts), np.int64)
        least = np.partition(counts, -top)[-top] if top < len(counts) else 0
        wanted = top - int(np.count_nonzero(~tied & (counts >= least)))  # how many of the first `top` are tied
        if wanted > 0 and tied.any():
            sites[tied] = first_sites(self.corpus, step, left[tied], right[tied], counts[tied], wanted)
        return sites

    @cached_property
    def _name_rank(self) -> Indexes | None:
        """The rank of each token in the order of a rule by name; None for a rule by site."""
        if not self.rule.name_key:
            return None
        keys: list[Any] = [self.rule.name_key(self.alphabet, i, token) for i, token in enumerate(self.tokens)]
        rank = np.empty(len(keys), np.intp)
        rank[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
        return rank


def first_sites(corpus: CorpusHistory, step: int, left: Integers, right: Integers, counts: Counts, top: int) -> Counts:
    """Return for each pair (ids `left`, `right`) a number that grows with the position of its first occurrence.

    The corpus is read from its start, more and more of it, until the first `top` pairs by count and site are certain.
    The number of any other pair may be `NOT_SEEN`.

        position     0 1 2 3 4 5 6 7 8 9 10
        tokens       | a b | x a | x a b |        | is a separator
        pairs            0     1     1 0          a + b is pair 0, x + a is pair 1
        sites        2 5                          the lowest position of each pair

    If words move to the end of the corpus, the number is the word's turn (its number in the order of reading)
    times the length of the corpus, plus the position.

    >>> from bpe_core import Settings, train
    >>> corpus = train("ab xa xab", Settings("whitespace", "characters", vocab_size=3)).corpus  # ids: a 0, b 1, x 2
    >>> first_sites(corpus, 0, np.array([0, 2]), np.array([1, 0]), np.array([2, 2]), top=2).tolist()
    [2, 5]
    """
    least = np.partition(counts, -top)[-top] if top < len(counts) else 0
    certain = counts > least  # surely among the first `top`; the other pairs compete for the places that are left
    places = min(top, len(counts)) - np.count_nonzero(certain)
    turns = _word_turns(corpus, step) if len(corpus.lifetimes.moved_words) else None
    sites = np.full(len(counts), NOT_SEEN, np.int64)
    row, words = 0, len(corpus.word_counts)
    batch = words if turns is not None else FIRST_WORDS
    while row < words and not ((seen := sites < NOT_SEEN)[certain].all() and (seen & ~certain).sum() >= places):
        end = min(row + batch, words)
        starts, ids = corpus.tokens_at(step, corpus.flat.starts[row] - 1, corpus.flat.ends[end - 1] + 1)
        pair, found = _pairs_among(left, right, starts, ids, corpus.base + corpus.steps)
        if turns is not None:
            found = turns[corpus.rows_of(found)] * len(corpus.flat.symbols) + found
        np.minimum.at(sites, pair, found)
        row, batch = end, 2 * batch
    return sites


def _pairs_among(left: Integers, right: Integers, starts: Indexes, ids: Ids, width: int) -> tuple[Indexes, Indexes]:
    """Find pairs among the tokens `ids`, which begin at `starts`; return each occurrence as (index of pair, site)."""
    is_left, is_right = np.zeros(width + 1, bool), np.zeros(width + 1, bool)  # the last entry is the separator's, -1
    is_left[left] = is_right[right] = True
    likely = np.flatnonzero(is_left[ids[:-1]] & is_right[ids[1:]])  # few; only these indexes are looked up
    wanted = left.astype(np.int64) * width + right
    order = np.argsort(wanted)
    keys = ids[likely].astype(np.int64) * width + ids[likely + 1]
    pair = order[np.minimum(np.searchsorted(wanted, keys, sorter=order), len(wanted) - 1)]
    hit = wanted[pair] == keys
    return pair[hit], starts[likely[hit] + 1]


def _word_turns(corpus: CorpusHistory, step: int) -> Counts:
    """Return each word's number in the order of reading, in a corpus where a merge moves changed words to the end."""
    turns = np.arange(len(corpus.word_counts), dtype=np.int64)
    moved = corpus.lifetimes.moved_words[: corpus.lifetimes.moved_until[step]]
    turns[moved] = len(turns) + np.arange(len(moved))  # of several moves of a word, the last move counts
    return turns
