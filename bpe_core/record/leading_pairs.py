"""The most frequent pairs of every step in one pass, from the first step to the last.

A pair's place among the pairs only falls after its birth: its count falls, and its first site moves towards the end of
the corpus. So a pair waits in a heap with the place that it had when it was looked at last. A pair can come up too
early, never too late; when it comes up, it is looked at again. Between two steps few of the leading pairs change, and
most pairs never come up.

The two leading pairs of each step, for a corpus of the words "ab" ×2, "xa" ×3 and "xab" ×1:

    step   leading
    0      x a 4, a b 3
    1      a b 2, xa b 1      x + a was merged: a + b occurs once less, and xa + b is born
    2      xa b 1             a + b was merged
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.record.pair_history import PairHistory
from bpe_core.record.pair_order import PairOrder, site_keys, word_turns
from bpe_core.training.lifetimes import NEVER

NOT_LOOKED_UP = -1


class Place(NamedTuple):
    """The place of a pair among the pairs: the smallest place is the first.

    `key`: the key of the tie rule. `row`: the pair's row number in the history. `until`: the step that changes the
    count. `word`: the row number of the word with the first site, if words can move; `NOT_LOOKED_UP` if the key may be
    too small.
    """

    negative_count: int
    key: int
    row: int
    until: int
    word: int


def leading_pairs(order: PairOrder, steps: int, top: int) -> Iterator[list[tuple[int, int]]]:
    """Yield for each step from 0 to `steps` the `top` first pairs, as (row number in the history, count).

    >>> from bpe_core import Settings, train
    >>> (run,) = train("ab ab xa xa xa xab", Settings("whitespace", "characters", vocab_size=5)).stages
    >>> list(leading_pairs(run.pair_order, run.steps, 2))
    [[(0, 4), (1, 3)], [(1, 2), (2, 1)], [(2, 1)]]
    """
    history = order.history
    names = None if order.names is None else order.names.data
    sites = _Sites(order.corpus, history) if names is None else None
    counts = _Counts(history)
    leading: list[Place] = []
    waiting: list[Place] = []
    births = np.argsort(history.born, kind="stable")
    bounds = np.searchsorted(history.born[births], np.arange(steps + 2))
    for step, (first, last) in enumerate(pairwise(bounds.tolist())):
        if sites and sites.moves and step:
            sites.move_words(step)
        for row in births[first:last].tolist():
            negative_count, until = counts.at(row, step)
            heappush(waiting, Place(negative_count, names[row] if names else 0, row, until, NOT_LOOKED_UP))
        stay: list[Place] = []
        for place in leading:
            if place.until > step and (sites is None or sites.is_sure(place)):
                stay.append(place)
            else:
                heappush(waiting, place)
        leading = stay
        while waiting and (len(leading) < top or waiting[0] < leading[-1]):
            place = heappop(waiting)
            if place.until <= step:
                negative_count, until = counts.at(place.row, step)
                if until:
                    heappush(waiting, Place(negative_count, place.key, place.row, until, NOT_LOOKED_UP))
            elif sites and not sites.is_sure(place):
                key, word = sites.first(place.row, step)
                heappush(waiting, place._replace(key=key, word=word))
            else:
                insort(leading, place)
                if len(leading) > top:
                    heappush(waiting, leading.pop())
        yield [(place.row, -place.negative_count) for place in leading]


class _Counts:
    """The counts of single pairs: `PairHistory.counts_at`, without the cost of arrays."""

    def __init__(self, history: PairHistory) -> None:
        self.birth_count, self.gone = history.birth_count.data, history.gone.data
        self.first_loss, self.loss_step = history.first_loss.data, history.loss_step.data
        self.count_after = history.count_after.data

    def at(self, row: int, step: int) -> tuple[int, int]:
        """Return the negative count of a pair, and the step that changes it; 0 for a pair that is gone."""
        if self.gone[row] <= step:
            return 0, 0
        first, last = self.first_loss[row], self.first_loss[row + 1]
        after = bisect_right(self.loss_step, step, first, last)
        count = self.count_after[after - 1] if after > first else self.birth_count[row]
        return -count, self.loss_step[after] if after < last else NEVER


class _Sites:
    """The first sites of single pairs at a step that only grows: `first_sites`, without the cost for many pairs."""

    def __init__(self, corpus: CorpusHistory, history: PairHistory) -> None:
        self.corpus, self.history, self.size = corpus, history, len(corpus.flat.symbols)
        self.moves = len(corpus.lifetimes.moved_words) > 0
        self.turns = word_turns(corpus, 0)
        self.turn_of = self.turns.data

    def move_words(self, step: int) -> None:
        """Move the words that the step moves to the end of the corpus."""
        lifetimes, words = self.corpus.lifetimes, len(self.turns)
        first, last = lifetimes.moved_until[step - 1 : step + 1].tolist()
        self.turns[lifetimes.moved_words[first:last]] = words + np.arange(first, last)

    def is_sure(self, place: Place) -> bool:
        """Return whether the key of a place was looked up, and its word has not moved since."""
        return place.word >= 0 and not (self.moves and place.key // self.size != self.turn_of[place.word])

    def first(self, row: int, step: int) -> tuple[int, int]:
        """Return the key of a pair after `step` merges, and the word with its first site."""
        history = self.history
        sites = slice(*history.first_site[row : row + 2].tolist())
        there = history.site_until[sites] > step
        if not self.moves:
            return int(history.site[sites][there.argmax()]), 0
        found = history.site[sites][there]
        keys = site_keys(self.corpus, self.turns, found)
        first = int(keys.argmin())
        return int(keys[first]), int(self.corpus.rows_of(found[first : first + 1])[0])
