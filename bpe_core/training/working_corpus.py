"""The corpus while it is being merged: one flat array of symbols in which pairs are found and joined.

A token's id stands in its first and in its last cell, so the neighbours of any boundary are the two cells beside it:

    position    0  1  2  3  4  5  6  7  8  9
    cells       |  h  u  g  s  |  p  u  g  |        the words "hugs" and "pug"; | is a separator
    cells       |  h  T  T  s  |  p  T  T  |        after u + g → T
    cells       |  U  .  U  s  |  p  T  T  |        after h + T → U; a cell inside a token is dead

A pair's sites are the boundaries that it stands across, named by the position behind them: h + T has the site 2. A pair
is born with all its sites, at the step that makes the younger of its two tokens, and only loses some from then on. So
its sites are listed once, at its birth, and looked through again when the pair comes up.

Everything exists twice, in plain Python for few sites and in numpy for many: a call of numpy costs more than a short
loop, and most merges have few sites.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from bpe_core.text.alphabet import SEPARATOR, FlatCorpus
from bpe_core.text.arrays import without_overlaps
from bpe_core.training.lifetimes import NEVER

DEAD = -2
NOBODY = 0xFFFF  # the separator in two bytes
MOST_SYMBOLS = 1 << 24  # that all tokens together may have; 32,000 tokens of English have 0.2 million
FEW = 48  # sites; up to here plain Python is faster

# Ascending. A tuple where there are few: of a tuple of numbers Python's garbage collector takes no notice, of a list it
# does, and there are very many.
Sites = tuple[int, ...] | np.ndarray
NewPair = tuple[int, int, int, Sites]  # left id, right id, count, sites


def _few_as_tuple(sites: np.ndarray) -> Sites:
    return sites if len(sites) > FEW else tuple(sites.tolist())


class WorkingCorpus:
    """The symbols of a corpus, word by word, and the step at which each boundary fell (`merged_at`).

    >>> from bpe_core.text.alphabet import flatten
    >>> corpus = WorkingCorpus(flatten(["hugs", "pug"], "characters", "none"), [1, 2])
    >>> corpus.flat.tokens
    (b'g', b'h', b'p', b's', b'u')
    >>> list(corpus.pairs(3))
    [(4, 0, 3, (3, 8))]
    >>> starts = corpus.merge(4, 0, (3, 8), step=1)
    >>> corpus.cells.tolist(), list(corpus.born(5, starts, 1))
    ([-1, 1, 5, 5, 3, -1, 2, 5, 5, -1], [(1, 5, 1, (2,)), (5, 3, 1, (4,)), (2, 5, 2, (7,))])
    """

    def __init__(self, flat: FlatCorpus, word_counts: Sequence[int]) -> None:
        """Lay out the symbols of `flat`; `word_counts` weighs each word."""
        self.flat = flat
        self.cells = flat.symbols.copy()
        self.merged_at = np.full(len(self.cells), NEVER, np.int32)
        self.weights = np.zeros(len(self.cells), np.int64)
        lengths = np.diff(np.append(flat.starts, len(self.cells)))
        self.weights[1:] = np.repeat(np.asarray(word_counts, np.int64), lengths)
        self.size = [1] * len(flat.tokens)  # of each token, in symbols
        self.size_of_all = len(flat.tokens)
        # single cells are read and written through these, faster than through the arrays
        self._cell, self._weight, self._fallen = map(memoryview, (self.cells, self.weights, self.merged_at))

    @property
    def tokens_too_long(self) -> bool:
        """Whether the tokens take so much memory that no more should be made.

        Where only pairs are left that occur once, each merge just lengthens one long token, so the bytes of all tokens
        grow with the square of the corpus.
        """
        return self.size_of_all > MOST_SYMBOLS

    def pairs(self, least: int) -> Iterator[NewPair]:
        """All pairs that occur at least `least` times, from a look through the whole corpus."""
        sites = np.flatnonzero((self.cells[:-1] >= 0) & (self.cells[1:] >= 0) & (self.merged_at[1:] == NEVER)) + 1
        tokens = len(self.size)
        keys = self.cells[sites - 1].astype(np.int64) * tokens + self.cells[sites]
        keys = keys.astype(np.min_scalar_type(tokens * tokens - 1))  # numbers of two bytes are sorted ten times as fast
        for key, count, found in self._grouped(keys, sites, least):
            yield (*divmod(key, tokens), count, found)

    def still(self, left: int, right: int, sites: Sites) -> Sites:
        """Those of a pair's sites at which it still stands."""
        if isinstance(sites, tuple):
            cell = self._cell
            return tuple([j for j in sites if cell[j] == right and cell[j - 1] == left])
        return _few_as_tuple(sites[(self.cells.take(sites) == right) & (self.cells.take(sites - 1) == left)])

    def find(self, left: int, right: int) -> Sites:
        """The sites of any pair, from a look through the whole corpus."""
        here = (self.cells[1:] == right) & (self.cells[:-1] == left) & (self.merged_at[1:] == NEVER)
        return _few_as_tuple(np.flatnonzero(here) + 1)

    def count(self, sites: Sites) -> int:
        """How often a pair with these sites occurs in the corpus."""
        if isinstance(sites, tuple):
            weight = self._weight
            return sum([weight[j] for j in sites])
        return int(self.weights.take(sites).sum())

    def merge(self, left: int, right: int, sites: Sites, step: int) -> Sites:
        """Join `left` and `right` at `sites` into a new token, whose id is the next free one; gives where it starts.

        Where occurrences overlap, as in `aaa`, the leftmost is joined first.
        """
        if left == right:
            sites = _few_as_tuple(without_overlaps(np.asarray(sites), self.size[left]))
        before, behind = self.size[left], self.size[right] - 1
        new = len(self.size)
        self.size.append(before + behind + 1)
        self.size_of_all += self.size[new]
        if isinstance(sites, tuple):
            cell, fallen = self._cell, self._fallen
            for j in sites:
                fallen[j] = step
                cell[j - 1] = cell[j] = DEAD
                cell[j - before] = cell[j + behind] = new
            return tuple([j - before for j in sites])
        self.merged_at[sites] = step
        self.cells[sites - 1] = self.cells[sites] = DEAD
        starts = sites - before
        self.cells[starts] = self.cells[sites + behind] = new
        return starts

    def born(self, token: int, starts: Sites, least: int) -> Iterable[NewPair]:
        """The pairs that a new token, which starts at `starts`, forms with its neighbours, if `least` times or more."""
        return (self._born_few if isinstance(starts, tuple) else self._born_many)(token, starts, least)

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
        pairs = []
        for (left, right), sites in sites_of.items():
            count = sum([weight[j] for j in sites])
            if count >= least:
                pairs.append((left, right, count, tuple(sites)))
        return pairs

    def _born_many(self, token: int, starts: np.ndarray, least: int) -> Iterator[NewPair]:
        ends = starts + self.size[token]
        narrow = np.uint16 if token < NOBODY else np.int32  # numbers of two bytes are sorted ten times as fast
        for left, count, sites in self._grouped(self.cells.take(starts - 1).astype(narrow), starts, least):
            if left not in (NOBODY, SEPARATOR):
                yield left, token, count, sites
        for right, count, sites in self._grouped(self.cells.take(ends).astype(narrow), ends, least):
            if right not in (NOBODY, SEPARATOR, token):
                yield token, right, count, sites  # token + token stands in front of the second one, counted there

    def _grouped(self, keys: np.ndarray, sites: np.ndarray, least: int) -> Iterator[tuple[int, int, Sites]]:
        """The same, for many sites."""
        if not len(keys):
            return
        order = np.argsort(keys, kind="stable")
        keys, sites = keys.take(order), sites.take(order)
        heads = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
        counts = np.add.reduceat(self.weights.take(sites), heads)
        ends = np.append(heads[1:], len(keys))
        often = counts >= least
        columns = (keys[heads[often]], counts[often], heads[often], ends[often])
        for key, count, start, end in zip(*(column.tolist() for column in columns), strict=True):
            yield key, count, _few_as_tuple(sites[start:end])
