"""All the segmentations of many words at once, as arrays: what Unigram's training computes with.

A word's nodes are the gaps between its characters, and its two ends. An edge leads from one node to another where
the text between them is a token; a way from the first node to the last is a segmentation:

    #   h   u   g   s           edges: h, u, g, s, hu, ug, hug
    # 0   1   2   3   4         ways:  h-u-g-s, hu-g-s, h-ug-s, hug-s

The edges of all words are laid out once. Pruning tokens only removes some. A sweep visits the nodes of all words
together, those at the same distance from the start at once.

Not here: where the tokens and their probabilities come from (see `unigram_trainer`).
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bpe_core.text.arrays import starts_of


@dataclass(frozen=True)
class Sweep:
    """Edges in the order of their targets' depth, then of the target, then of the source.

    `heads`: where the edges of each target begin; `levels`: where the heads of each depth begin. Both end with the end.
    The words "hug" (nodes 0 to 3) and "ug" (nodes 4 to 6):

        depth         1     2            3           of the targets: how far they are from the start of their word
        target        1  5  2  2  6  6   3   3  3
        source        0  4  0  1  4  5   0   1  2
        token         h  u  hu u  ug g   hug ug g
        edge          0  1  2  3  4  5   6   7  8
        heads         0  1  2     4      6           and 9
        levels        0     2            4           and 5: numbers of heads

    >>> Lattice(["hug", "ug"], {"h": 0, "u": 1, "g": 2, "hu": 3, "ug": 4, "hug": 5}).forward.levels.tolist()
    [0, 2, 4, 5]
    """

    source: np.ndarray
    target: np.ndarray
    token: np.ndarray
    heads: np.ndarray
    levels: np.ndarray

    @classmethod
    def of(cls, source: np.ndarray, target: np.ndarray, token: np.ndarray, depth: np.ndarray) -> Sweep:
        """From edges that are in order already; `depth` is that of each node."""
        heads = np.flatnonzero(np.diff(target, prepend=-1))
        levels = np.flatnonzero(np.diff(depth[target[heads]], prepend=-1))
        return cls(source, target, token, np.append(heads, len(source)), np.append(levels, len(heads)))

    def run(self, nodes: int, logs: np.ndarray, best: bool) -> tuple[np.ndarray, np.ndarray]:
        """For every node the log of the sum over all ways to it, or that of the best way and its last edge."""
        value, last = np.zeros(nodes), np.full(nodes, -1, np.int64)
        weight, number = logs[self.token], np.arange(len(self.source))
        for first, end in zip(self.levels[:-1].tolist(), self.levels[1:].tolist(), strict=True):
            low, high = self.heads[first], self.heads[end]
            heads, sizes = self.heads[first:end] - low, np.diff(self.heads[first : end + 1])
            ways = value[self.source[low:high]] + weight[low:high]
            target, most = self.target[low + heads], np.maximum.reduceat(ways, heads)
            if best:
                winner = np.where(ways == np.repeat(most, sizes), number[low:high], len(number))
                last[target] = np.minimum.reduceat(winner, heads)
                value[target] = most
            else:
                value[target] = most + np.log(np.add.reduceat(np.exp(ways - np.repeat(most, sizes)), heads))
        return value, last


class Lattice:
    """The edges of `words`; `ids` numbers the tokens. `whole` also has the edges that span a whole word.

    >>> lattice = Lattice(["hug"], {"h": 0, "u": 1, "g": 2, "ug": 3})
    >>> words, tokens, begins = lattice.best(np.log([0.3, 0.2, 0.2, 0.3]))  # the last token first
    >>> tokens.tolist(), begins.tolist()
    ([3, 0], [True, True, False])
    """

    def __init__(self, words: Sequence[str], ids: Mapping[str, int], whole: bool = True) -> None:
        """Find everywhere in the words where a token fits."""
        longest = max(map(len, ids), default=0)
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        self.first = starts_of(lengths + 1)  # each word's first node
        self.last = self.first + lengths
        self.nodes = int((lengths + 1).sum())
        self.word_of = np.repeat(np.arange(len(words)), lengths + 1)
        edges = array("q")
        for word, at in zip(words, self.first.tolist(), strict=True):
            size = len(word)
            for start in range(size):
                for end in range(start + 1, min(start + longest, size) + 1):
                    token = ids.get(word[start:end])
                    if token is not None and (whole or end - start < size):
                        edges.extend((at + start, at + end, token))
        start, end, token = np.frombuffer(edges, np.int64).reshape(-1, 3).T
        offset = np.arange(self.nodes) - np.repeat(self.first, lengths + 1)
        self._from_start, self._from_end = offset, np.repeat(lengths, lengths + 1) - offset
        order = np.lexsort((start, end, self._from_start[end]))
        self.forward = Sweep.of(start[order], end[order], token[order], self._from_start)
        order = np.lexsort((end, start, self._from_end[start]))
        self.backward = Sweep.of(end[order], start[order], token[order], self._from_end)

    def prune(self, alive: np.ndarray) -> None:
        """Keep only the edges of the tokens that are `alive`."""
        for name, depth in (("forward", self._from_start), ("backward", self._from_end)):
            sweep = getattr(self, name)
            kept = alive[sweep.token]
            columns = (column[kept] for column in (sweep.source, sweep.target, sweep.token))
            setattr(self, name, Sweep.of(*columns, depth))

    def expected(self, logs: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, float]:
        """(how often each token is expected over all segmentations, the log-likelihood of all words).

        `logs`: the log-probability of every token; `weights`: how often each word occurs.
        """
        to, _ = self.forward.run(self.nodes, logs, best=False)
        onward, _ = self.backward.run(self.nodes, logs, best=False)
        total, sweep = to[self.last], self.forward
        word = self.word_of[sweep.target]
        chance = np.exp(to[sweep.source] + logs[sweep.token] + onward[sweep.target] - total[word])
        return np.bincount(sweep.token, chance * weights[word], len(logs)), float(total @ weights)

    def likelihood(self, logs: np.ndarray, weights: np.ndarray) -> float:
        """The log-likelihood of all words: each one's probability is the sum over its segmentations."""
        to, _ = self.forward.run(self.nodes, logs, best=False)
        return float(to[self.last] @ weights)

    def best(self, logs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The best segmentation of every word: (word, token) of all tokens, and at which characters a token begins.

        Where two are equally good, the last token is the longer one, as in Hugging Face's Unigram model.
        """
        _, last = self.forward.run(self.nodes, logs, best=True)
        begins = np.zeros(self.nodes, bool)
        words, tokens = [], []
        now = self.last[last[self.last] >= 0]
        while len(now):
            edge = last[now]
            words.append(self.word_of[now])
            tokens.append(self.forward.token[edge])
            now = self.forward.source[edge]
            begins[now] = True
            now = now[last[now] >= 0]
        none = [np.zeros(0, np.int64)]
        return np.concatenate(words or none), np.concatenate(tokens or none), np.delete(begins, self.last)
