"""All segmentations of many words at once, as arrays, for Unigram's training.

A word's nodes are the gaps between its characters, and its two ends. An edge joins two nodes if the text between them
is a token. A way from the first node to the last is a segmentation:

    #   h   u   g   s           edges: h, u, g, s, hu, ug, hug
    # 0   1   2   3   4         ways:  h-u-g-s, hu-g-s, h-ug-s, hug-s

The edges of all words are found once; pruning tokens only removes edges. A sweep visits the nodes of all words
together, level by level: first the nodes one character from the start of their word, then two, and so on.

Not here: where the tokens and their probabilities come from (see `unigram_trainer`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bpe_core.text.arrays import Counts, Floats, Indexes, Mask, Offsets, starts_of


class Level(NamedTuple):
    """The edges of a sweep that end at one depth: at `nodes` that are equally far from the start of their word.

    `heads`: the index of each node's first edge. `sizes`: how many edges each node has.
    """

    edges: slice
    heads: Indexes
    sizes: Indexes
    nodes: Offsets


@dataclass(frozen=True)
class Sweep:
    """The edges of a lattice, sorted by the depth of the target, by target, by source. `depth`: each node's depth.

    The words "hug" (nodes 0 to 3) and "ug" (nodes 4 to 6):

        depth         1     2            3           how far each target is from the start of their word
        target        1  5  2  2  6  6   3   3  3
        source        0  4  0  1  4  5   0   1  2
        token         h  u  hu u  ug g   hug ug g
        edge          0  1  2  3  4  5   6   7  8
        heads         0  1  2     4      6           and 9, the number of edges
        levels        0     2            4           and 5, the number of targets

    >>> Lattice(["hug", "ug"], {"h": 0, "u": 1, "g": 2, "hu": 3, "ug": 4, "hug": 5}).forward.levels.tolist()
    [0, 2, 4, 5]
    """

    source: Offsets
    target: Offsets
    token: Offsets
    depth: Offsets

    @classmethod
    def of(cls, source: Offsets, target: Offsets, token: Offsets, depth: Offsets) -> Sweep:
        """Return a sweep of edges, which may be in any order."""
        order = np.lexsort((source, target, depth[target]))
        return cls(source[order], target[order], token[order], depth)

    @cached_property
    def heads(self) -> Indexes:
        """Where the edges of each target begin, and where the edges of the last target end."""
        return np.append(np.flatnonzero(np.diff(self.target, prepend=-1)), len(self.target))

    @cached_property
    def levels(self) -> Indexes:
        """Where the heads of each depth begin, and where the heads of the last depth end."""
        depths = self.depth[self.target[self.heads[:-1]]]
        return np.append(np.flatnonzero(np.diff(depths, prepend=-1)), len(depths))

    def pruned(self, alive: Mask) -> Sweep:
        """Return the sweep with only the edges whose tokens are `alive`."""
        rest = alive[self.token]
        return Sweep(self.source[rest], self.target[rest], self.token[rest], self.depth)

    def _by_level(self) -> Iterator[Level]:
        for first, end in zip(self.levels[:-1].tolist(), self.levels[1:].tolist(), strict=True):
            bounds = self.heads[first : end + 1]
            heads = bounds[:-1]
            yield Level(slice(bounds[0], bounds[-1]), heads - bounds[0], np.diff(bounds), self.target[heads])

    def sums(self, logs: Floats) -> Floats:
        """Return for each node the log of the sum over all ways to that node. `logs`: each token's log-probability."""
        value, weight = np.zeros(len(self.depth)), logs[self.token]
        for edges, heads, sizes, nodes in self._by_level():
            ways = value[self.source[edges]] + weight[edges]
            most = np.maximum.reduceat(ways, heads)
            value[nodes] = most + np.log(np.add.reduceat(np.exp(ways - np.repeat(most, sizes)), heads))
        return value

    def best_edges(self, logs: Floats) -> Offsets:
        """Return for every node the last edge of the most probable way to that node; -1 for the first node of a word.

        Of equally probable ways, the way whose last edge comes first is taken.
        """
        value, last = np.zeros(len(self.depth)), np.full(len(self.depth), -1, np.int64)
        weight, number = logs[self.token], np.arange(len(self.source))
        for edges, heads, sizes, nodes in self._by_level():
            ways = value[self.source[edges]] + weight[edges]
            value[nodes] = np.maximum.reduceat(ways, heads)
            winner = np.where(ways == np.repeat(value[nodes], sizes), number[edges], len(number))
            last[nodes] = np.minimum.reduceat(winner, heads)
        return last


class Lattice:
    """All segmentations of `words`. `ids`: token → id. `whole`: whether a token may span a whole word.

    >>> lattice = Lattice(["hug"], {"h": 0, "u": 1, "g": 2, "ug": 3})
    >>> words, tokens, begins = lattice.best(np.log([0.3, 0.2, 0.2, 0.3]))  # the last token first
    >>> tokens.tolist(), begins.tolist()
    ([3, 0], [True, True, False])
    """

    def __init__(self, words: Sequence[str], ids: Mapping[str, int], whole: bool = True) -> None:
        """Find all tokens in all words."""
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        self.first = starts_of(lengths + 1)  # each word's first node
        self.last = self.first + lengths
        self.word_of = np.repeat(np.arange(len(words)), lengths + 1)
        source, target, token = _edges(words, self.first.tolist(), ids, whole).T
        from_start = np.arange(len(self.word_of)) - self.first[self.word_of]
        self.forward = Sweep.of(source, target, token, from_start)
        self.backward = Sweep.of(target, source, token, lengths[self.word_of] - from_start)

    def prune(self, alive: Mask) -> None:
        """Remove the edges of the tokens that are not `alive`."""
        self.forward = self.forward.pruned(alive)
        self.backward = self.backward.pruned(alive)

    def expected(self, logs: Floats, weights: Counts) -> tuple[Floats, float]:
        """Return how often each token is expected over all segmentations, and the log-likelihood of all words.

        `logs`: the log-probability of every token; `weights`: how often each word occurs.
        """
        before, after, sweep = self.forward.sums(logs), self.backward.sums(logs), self.forward
        total, word = before[self.last], self.word_of[sweep.target]
        chance = np.exp(before[sweep.source] + logs[sweep.token] + after[sweep.target] - total[word])
        return sums_by(sweep.token, chance * weights[word], len(logs)), float(total @ weights)

    def likelihood(self, logs: Floats, weights: Counts) -> float:
        """Return the log-likelihood of all words: a word's probability is the sum over its segmentations."""
        return float(self.forward.sums(logs)[self.last] @ weights)

    def best(self, logs: Floats) -> tuple[Offsets, Offsets, Mask]:
        """Return each token's word and id in the best segmentations, and whether a token begins at each character.

        The first two arrays have an entry for each token, the last array an entry for each character of the words. Of
        two equally good segmentations, the segmentation with the longer last token is best, as in Hugging Face's
        Unigram model.
        """
        last = self.forward.best_edges(logs)
        begins = np.zeros(len(self.word_of), np.bool_)
        words, tokens = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        now = self.last[last[self.last] >= 0]
        while len(now):
            edge = last[now]
            words.append(self.word_of[now])
            tokens.append(self.forward.token[edge])
            now = self.forward.source[edge]
            begins[now] = True
            now = now[last[now] >= 0]
        return np.concatenate(words), np.concatenate(tokens), np.delete(begins, self.last)


def sums_by(ids: Indexes | Offsets, weights: Floats, size: int) -> Floats:
    """Return the sum of the weights of each id below `size`.

    >>> sums_by(np.array([0, 2, 0]), np.array([0.5, 1.5, 2.0]), 3).tolist()
    [2.5, 0.0, 1.5]
    """
    return np.bincount(ids, weights, size).astype(np.float64, copy=False)  # NumPy's types miss that weights are floats


def _edges(words: Sequence[str], firsts: Sequence[int], ids: Mapping[str, int], whole: bool) -> Offsets:
    """Return (source, target, token) of each edge of the words. `firsts`: the first node of each word."""
    longest = max(map(len, ids), default=0)
    edges = array("q")
    for word, first in zip(words, firsts, strict=True):
        size = len(word)
        for start in range(size):
            for end in range(start + 1, min(start + longest, size) + 1):
                token = ids.get(word[start:end])
                if token is not None and (whole or end - start < size):
                    edges.extend((first + start, first + end, token))
    return np.frombuffer(edges, np.int64).reshape(-1, 3)
