"""The corpus while it is being merged: one flat array of symbols in which pairs are found and joined.

A token's id is in its first cell and in its last cell. So the two cells next to a boundary have the ids of the tokens
on both sides:

    position    0  1  2  3  4  5  6  7  8  9
    cells       |  h  u  g  s  |  p  u  g  |        the words "hugs" and "pug"; | is a separator
    cells       |  h  T  T  s  |  p  T  T  |        after u + g → T
    cells       |  U  .  U  s  |  p  T  T  |        after h + T → U; a cell inside a token is dead

Wherever a pair occurs there is a boundary between its two tokens. The position after that boundary is a site of the
pair: h + T has the site 2. A pair is born with all its sites, at the step that makes the younger of its two tokens;
after that it only loses sites. So its sites are listed once, at its birth, and checked when the queue returns the pair.

The code of a merge is written twice, in plain Python for few sites and in NumPy for many: a call of NumPy costs
more than a short loop, and most merges have few sites.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_core.text.alphabet import SEPARATOR, FlatCorpus
from bpe_core.text.arrays import Counts, Ids, Indexes, Steps, without_overlaps
from bpe_core.training.lifetimes import NEVER

DEAD = -2  # a cell inside a token
SEPARATOR_IN_TWO_BYTES = 0xFFFF
MOST_SYMBOLS = 1 << 24  # in all tokens together; 32,000 tokens of English have 0.2 million symbols
FEW = 48  # sites; up to here plain Python is faster

# Sites are ascending. A pair with few sites has them in a tuple, not in a list. Very many pairs have few sites, and
# Python's garbage collector visits every list, but no tuple of numbers.
Sites = tuple[int, ...] | Indexes
NewPair = tuple[int, int, int, Sites]  # left id, right id, count, sites
Keys = NDArray[np.integer[Any]]  # keys of pairs or of tokens, in as few bytes as the keys need


def _few_as_tuple(sites: Indexes) -> Sites:
    return sites if len(sites) > FEW else tuple(sites.tolist())


class WorkingCorpus:
    """The symbols of a corpus, word by word (`cells`), and the step that removed each boundary (`merged_at`).

    >>> from bpe_core.text.alphabet import flatten
    >>> from bpe_core.text.byte_strings import byte_strings
    >>> corpus = WorkingCorpus(flatten(byte_strings([b"hugs", b"pug"]), "characters", "none"), np.array([1, 2]))
    >>> corpus.flat.tokens
    (b'g', b'h', b'p', b's', b'u')
    >>> list(corpus.pairs(3))
    [(4, 0, 3, (3, 8))]
    >>> starts = corpus.merge(4, 0, (3, 8), step=1)
    >>> corpus.cells.tolist(), list(corpus.born(5, starts, 1))
    ([-1, 1, 5, 5, 3, -1, 2, 5, 5, -1], [(1, 5, 1, (2,)), (5, 3, 1, (4,)), (2, 5, 2, (7,))])
    """

    def __init__(self, flat: FlatCorpus, word_counts: Counts) -> None:
        """Lay out the symbols of `flat`; `word_counts`: how often each word occurs."""
        self.flat = flat
        self.cells: Ids = flat.symbols.copy()
        self.merged_at: Steps = np.full(len(self.cells), NEVER, np.int32)
        self.weights: Counts = np.zeros(len(self.cells), np.int64)  # the count of each position's word
        self.weights[1:] = np.repeat(word_counts, flat.lengths)
        self.size = [1] * len(flat.tokens)  # how many symbols each token has
        self.size_of_all = len(flat.tokens)
        # views of the same memory, in which single cells are read and written faster than in the arrays
        self._cell = self.cells.data
        self._weight = self.weights.data
        self._merged_at = self.merged_at.data

    @property
    def tokens_too_long(self) -> bool:
        """Whether the tokens take so much memory that training has to end.

        When every pair that is left occurs once, each merge makes one long token a bit longer. So the bytes of all
        tokens grow with the square of the corpus.
        """
        return self.size_of_all > MOST_SYMBOLS

    def pairs(self, least: int) -> Iterator[NewPair]:
        """Search the corpus for pairs that occur `least` times or more. Yield (left id, right id, count, sites)."""
        sites = np.flatnonzero((self.cells[:-1] >= 0) & (self.cells[1:] >= 0) & (self.merged_at[1:] == NEVER)) + 1
        tokens = len(self.size)
        keys = self.cells[sites - 1].astype(np.int64) * tokens + self.cells[sites]
        keys = keys.astype(np.min_scalar_type(tokens * tokens - 1))  # numbers of two bytes are sorted ten times as fast
        for key, count, found in _grouped(keys, sites, self.weights.take(sites), least):
            yield (*divmod(key, tokens), count, found)

    def still(self, left: int, right: int, sites: Sites) -> Sites:
        """Return the sites at which a pair still occurs; `sites`: sites at which the pair once occurred."""
        if isinstance(sites, tuple):
            cell = self._cell
            return tuple([j for j in sites if cell[j] == right and cell[j - 1] == left])
        return _few_as_tuple(sites[(self.cells.take(sites) == right) & (self.cells.take(sites - 1) == left)])

    def find(self, left: int, right: int) -> Sites:
        """Search the whole corpus for the sites of a pair."""
        here = (self.cells[1:] == right) & (self.cells[:-1] == left) & (self.merged_at[1:] == NEVER)
        return _few_as_tuple(np.flatnonzero(here) + 1)

    def count(self, sites: Sites) -> int:
        """Count the occurrences of a pair in the corpus, from its sites."""
        if isinstance(sites, tuple):
            weight = self._weight
            return sum([weight[j] for j in sites])
        return int(self.weights.take(sites).sum())

    def merge(self, left: int, right: int, sites: Sites, step: int) -> Sites:
        """Join `left` and `right` at `sites` into a new token, with the next free id. Return where the token starts.

        Where occurrences overlap, as in `aaa`, the leftmost is joined first.
        """
        if left == right:
            sites = _few_as_tuple(without_overlaps(np.asarray(sites), self.size[left]))
        before, last = self.size[left], self.size[right] - 1  # from the site to the token's first and last cell
        new = len(self.size)
        self.size.append(before + last + 1)
        self.size_of_all += self.size[new]
        if isinstance(sites, tuple):
            cell, merged_at = self._cell, self._merged_at
            for j in sites:
                merged_at[j] = step
                cell[j - 1] = cell[j] = DEAD
                cell[j - before] = cell[j + last] = new
            return tuple([j - before for j in sites])
        self.merged_at[sites] = step
        self.cells[sites - 1] = self.cells[sites] = DEAD
        starts = sites - before
        self.cells[starts] = self.cells[sites + last] = new
        return starts

    def born(self, token: int, starts: Sites, least: int) -> Iterable[NewPair]:
        """Return the pairs that a new token forms with its neighbours, if they occur `least` times or more.

        `starts`: where the token starts.
        """
        if isinstance(starts, tuple):
            return self._born_few(token, starts, least)
        return self._born_many(token, starts, least)

    def _born_few(self, token: int, starts: tuple[int, ...], least: int) -> list[NewPair]:
        cell, weight, size = self._cell, self._weight, self.size[token]
        sites_of: dict[tuple[int, int], list[int]] = {}
        for start in starts:
            end = start + size
            left, right = cell[start - 1], cell[end]
            if left >= 0:
                sites_of.setdefault((left, token), []).append(start)
            if right >= 0 and right != token:
                sites_of.setdefault((token, right), []).append(end)
        pairs: list[NewPair] = []
        for (left, right), sites in sites_of.items():
            count = sum([weight[j] for j in sites])
            if count >= least:
                pairs.append((left, right, count, tuple(sites)))
        return pairs

    def _born_many(self, token: int, starts: Indexes, least: int) -> Iterator[NewPair]:
        ends, weights = starts + self.size[token], self.weights.take(starts)
        # numbers of two bytes are sorted ten times as fast
        narrow = np.uint16 if token < SEPARATOR_IN_TWO_BYTES else np.int32
        for left, count, sites in _grouped(self.cells.take(starts - 1).astype(narrow), starts, weights, least):
            if left not in (SEPARATOR_IN_TWO_BYTES, SEPARATOR):
                yield left, token, count, sites
        for right, count, sites in _grouped(self.cells.take(ends).astype(narrow), ends, weights, least):
            if right not in (SEPARATOR_IN_TWO_BYTES, SEPARATOR, token):  # token + token is among the pairs above
                yield token, right, count, sites


def _grouped(keys: Keys, sites: Indexes, weights: Counts, least: int) -> Iterator[tuple[int, int, Sites]]:
    """Group sites by their keys. Yield (key, sum of weights, sites) of each group whose sum is `least` or more.

    keys     7  2  7        of each site
    sites    3  8  9
    weights  1  5  1        how often each occurs
    order    1  0  2        sorts the keys: 2 7 7
    bounds   0  1  3        where each group begins in that order, and where the last one ends
    yields   (2, 5, (8,))  (7, 2, (3, 9))
    """
    if not len(keys):
        return
    order = keys.argsort(kind="stable")
    keys, sites = keys.take(order), sites.take(order)
    differs = np.empty(len(keys) + 1, bool)
    differs[0] = differs[-1] = True
    np.not_equal(keys[1:], keys[:-1], out=differs[1:-1])
    bounds = differs.nonzero()[0]
    counts = np.add.reduceat(weights.take(order), bounds[:-1])
    often = (counts >= least).nonzero()[0]
    starts = bounds.take(often)
    columns = keys.take(starts), counts.take(often), starts, bounds.take(often + 1)
    for key, count, start, end in zip(*(column.tolist() for column in columns), strict=True):
        yield key, count, _few_as_tuple(sites[start:end])
