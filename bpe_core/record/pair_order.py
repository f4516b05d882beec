"""The order of pairs at a step: the most frequent first, ties as the tie rule prefers them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.ties import TieRule

NOT_SEEN = int(np.iinfo(np.int64).max)
FIRST_WORDS = 512  # that are read first; then twice as many each time


@dataclass(frozen=True, eq=False)
class PairOrder:
    """Sorts the pairs of any step by a tie rule. `alphabet` and `tokens` as in `Run`.

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

    def of(self, step: int, left: np.ndarray, right: np.ndarray, counts: np.ndarray, top: int | None) -> np.ndarray:
        """The numbers of some pairs (ids `left`, `right`) in their order after `step` merges; with `top` the first."""
        if not len(counts):
            return np.zeros(0, np.int64)
        if self.rule.by_site:
            preference = (self._sites(step, left, right, counts, top or len(counts)),)
        else:
            preference = (self._name_rank[right], self._name_rank[left])
        return np.lexsort((*preference, -counts))[:top]

    def _sites(self, step: int, left: np.ndarray, right: np.ndarray, counts: np.ndarray, top: int) -> np.ndarray:
        """The first site of each pair; only ties need it, so a pair with a count of its own keeps 0."""
        _, group, size = np.unique(counts, return_inverse=True, return_counts=True)
        tied = size[group] > 1
        sites = np.zeros(len(counts), np.int64)
        least = np.partition(counts, -top)[-top] if top < len(counts) else 0
        sought = top - np.count_nonzero(~tied & (counts >= least))  # of the first `top`, those that are tied
        if sought > 0 and tied.any():
            sites[tied] = first_sites(self.corpus, step, left[tied], right[tied], counts[tied], sought)
        return sites

    @cached_property
    def _name_rank(self) -> np.ndarray:
        """The rank of every token where tokens are sorted as the rule does."""
        keys = [self.rule.name_key(self.alphabet, i, token) for i, token in enumerate(self.tokens)]
        rank = np.empty(len(keys), np.int64)
        rank[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
        return rank


def first_sites(
    corpus: CorpusHistory, step: int, left: np.ndarray, right: np.ndarray, counts: np.ndarray, top: int
) -> np.ndarray:
    """For each pair (ids `left`, `right`) a number that says how early it is first seen in the corpus.

    Reads the corpus from its start, more and more of it, until it is certain which `top` pairs come first by count and
    then by site. A pair that is not among them may be left `NOT_SEEN`.

        position     0 1 2 3 4 5 6 7 8 9 10
        tokens       | a b | x a | x a b |        | is a separator
        pairs            0     1     1 0          a + b is pair 0, x + a is pair 1
        sites        2 5                          of each pair the lowest position

    Where words move to the end of the corpus, a site is the turn of its word, times the length of the corpus, plus its
    position.

    >>> from bpe_core import Settings, train
    >>> corpus = train("ab xa xab", Settings("whitespace", "characters", vocab_size=3)).corpus  # ids: a 0, b 1, x 2
    >>> first_sites(corpus, 0, np.array([0, 2]), np.array([1, 0]), np.array([2, 2]), top=2).tolist()
    [2, 5]
    """
    least = np.partition(counts, -top)[-top] if top < len(counts) else 0
    surely = counts > least  # among the first `top`, wherever they are; the others compete for what is left
    left_over = min(top, len(counts)) - np.count_nonzero(surely)
    turns = _word_turns(corpus, step) if len(corpus.film.moved_words) else None
    sites = np.full(len(counts), NOT_SEEN, np.int64)
    row, words = 0, len(corpus.word_counts)
    batch = words if turns is not None else FIRST_WORDS
    while row < words and not ((seen := sites < NOT_SEEN)[surely].all() and (seen & ~surely).sum() >= left_over):
        end = min(row + batch, words)
        starts, ids = corpus.tokens_at(step, corpus.flat.starts[row] - 1, corpus.flat.ends[end - 1] + 1)
        pair, found = _pairs_among(left, right, starts, ids, corpus.base + corpus.steps)
        if turns is not None:
            found = turns[corpus.rows_of(found)] * len(corpus.flat.symbols) + found
        np.minimum.at(sites, pair, found)
        row, batch = end, 2 * batch
    return sites


def _pairs_among(
    left: np.ndarray, right: np.ndarray, starts: np.ndarray, ids: np.ndarray, width: int
) -> tuple[np.ndarray, np.ndarray]:
    """Where the wanted pairs stand among tokens `ids`, which begin at `starts`: (number of the pair, site)."""
    is_left, is_right = np.zeros(width + 1, bool), np.zeros(width + 1, bool)  # the last entry is the separator's, -1
    is_left[left] = is_right[right] = True
    near = np.flatnonzero(is_left[ids[:-1]] & is_right[ids[1:]])  # few; only these are looked up
    wanted = left.astype(np.int64) * width + right
    order = np.argsort(wanted)
    keys = ids[near].astype(np.int64) * width + ids[near + 1]
    pair = order[np.minimum(np.searchsorted(wanted, keys, sorter=order), len(wanted) - 1)]
    hit = wanted[pair] == keys
    return pair[hit], starts[near[hit] + 1]


def _word_turns(corpus: CorpusHistory, step: int) -> np.ndarray:
    """The turn of each word in a corpus whose changed words move to its end."""
    turns = np.arange(len(corpus.word_counts), dtype=np.int64)
    moved = corpus.film.moved_words[: corpus.film.moved_until[step]]
    turns[moved] = len(turns) + np.arange(len(moved))  # of several moves the last one counts
    return turns
