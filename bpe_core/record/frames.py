"""Frames: the data that a film needs for each step of a run, besides the words.

The words of a step follow from the lifetimes. A frame has the rest: the most frequent pairs, the words in which the
merged pair occurred, and the pairs that tied with the merged pair. The lists of a frame are bounded; its numbers count
everything.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.record.pair_history import PairHistory, opens_group
from bpe_core.record.pair_order import PairOrder, site_keys, word_turns
from bpe_core.record.record import Record
from bpe_core.text.arrays import Counts
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

    A pair's place among the pairs only falls after its birth: its count falls, and its first site moves towards the end
    of the corpus. So a pair waits in a heap with the place that it had when it was looked at last. A pair can come up
    too early, never too late; when it comes up, it is looked at again. Between two steps few of the leading pairs
    change, and most pairs never come up.

    The two leading pairs of each step, for a corpus of the words "ab" ×2, "xa" ×3 and "xab" ×1:

        step   leading
        0      x a 4, a b 3
        1      a b 2, xa b 1      x + a was merged: a + b occurs once less, and xa + b is born
        2      xa b 1             a + b was merged

    >>> from bpe_core import Settings, train
    >>> (stage,) = train("ab ab xa xa xa xab", Settings("whitespace", "characters", vocab_size=5)).stages
    >>> list(leading_pairs(stage.pair_order, stage.steps, 2))
    [[(0, 4), (1, 3)], [(1, 2), (2, 1)], [(2, 1)]]
    """
    history = order.history
    names = None if order.names is None else order.names.data
    sites = _Sites(order.corpus, history) if names is None else None
    counts = _Counts(history)
    leading: list[Place] = []
    waiting: list[Place] = []
    births = np.argsort(history.birth_step, kind="stable")
    bounds = np.searchsorted(history.birth_step[births], np.arange(steps + 2))
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


PAIRS, WORDS = 15, 8  # the most pairs and the most words that a frame lists


Role = Literal["next", "tied", "other"]


def role_of(pair: tuple[object, ...], best: bool, ahead: tuple[object, ...] | None) -> Role:
    """Return the role of a pair: "next" if the next step joins it, "tied" if it is as good, else "other".

    `best`: whether the pair has the highest count, or score. `ahead`: the pair that the next step joins, if any.

    >>> role_of((1, 2), True, (1, 2)), role_of((3, 4), True, (1, 2)), role_of((5, 6), False, (1, 2))
    ('next', 'tied', 'other')
    """
    return "next" if pair == ahead else "tied" if best and ahead else "other"


class FramePair(NamedTuple):
    """A pair of token ids, its count and its role."""

    left: int
    right: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody calls on a pair
    role: Role


class Frame(NamedTuple):
    """What a film needs for one step, besides the words. At step 0, which merges nothing, `parts` and `tied` are empty.

    `pairs`: the most frequent pairs after this step, ties in the order of the tie rule.
    `different_pairs`: how many different pairs there are.
    `parts`: (row of a word, occurrences of the merged pair in that word), the word with most occurrences first.
    `changed`: how many words this step changed.
    `tied`: the pairs (left id, right id) that this step chose from, in the order of the tie rule.
    `tokens`: how many tokens the corpus has.
    """

    step: int
    pairs: tuple[FramePair, ...]
    different_pairs: int
    parts: tuple[tuple[int, int], ...]
    changed: int
    tied: tuple[tuple[int, int], ...]
    tokens: int


def frames(record: Record, first: int, last: int) -> list[Frame]:
    """Return the frames of steps `first` to `last`, both included; `ValueError` where the run has no such step.

    >>> from bpe_core import Settings, train
    >>> run = train("low low lower", Settings("whitespace", vocab_size=258))
    >>> frame = frames(run, 1, 1)[0]
    >>> [(run.tokens[a] + b" " + run.tokens[b], count, role) for a, b, count, role in frame.pairs[:2]]
    [(b'lo w', 3, 'next'), (b'w e', 1, 'other')]
    >>> frame.parts, frame.changed
    (((0, 2), (1, 1)), 2)
    """
    record.at(first)  # raises
    record.at(last)  # raises
    pairs = (
        _pairs(record, step, *(column.tolist() for column in record.pair_ids(step, PAIRS)))
        for step in range(max(first - 1, 0), last + 1)
    )
    return list(_frames(record, first, last, pairs))


def all_frames(record: Record, last: int) -> Iterator[Frame]:
    """Yield the frames of steps 0 to `last`, as `frames` returns them, by one pass over the record.

    >>> from bpe_core import Settings, train
    >>> stage = train("low low lower", Settings("whitespace", vocab_size=258)).stages[0]
    >>> list(all_frames(stage, 2)) == frames(stage, 0, 2)
    True
    """
    record.at(last)  # raises
    left, right = record.history.left.data, record.history.right.data
    leading = leading_pairs(record.pair_order, last, PAIRS)
    pairs = (
        _pairs(record, step, [left[row] for row, _ in first], [right[row] for row, _ in first], [n for _, n in first])
        for step, first in enumerate(leading)
    )
    return _frames(record, 0, last, pairs)


def _frames(record: Record, first: int, last: int, pairs: Iterable[tuple[FramePair, ...]]) -> Iterator[Frame]:
    """Yield frames. `pairs`: the most frequent pairs of each step, from the step before `first` on, if there is one."""
    of_steps = iter(pairs)
    before = next(of_steps) if first else ()
    words = words_merged(record, np.arange(first, last + 1))
    for step, now, (parts, changed) in zip(range(first, last + 1), of_steps, words, strict=True):
        tied = tuple((pair.left, pair.right) for pair in before if pair.role != "other")
        tokens = int(record.corpus_tokens[step])
        yield Frame(step, now, record.history.occurring(step), parts, changed, tied, tokens)
        before = now


def freed_pairs(before: Record | None, record: Record) -> Counts:
    """Return rows of two ids: the pairs that a stage can join at its first step and the stage before could not.

    These pairs were blocked in the stage before: their tokens touched, but were in two words. `before`: the record of
    the stage before; None for a first stage. All stages use the same ids.

    >>> from bpe_core import Settings, train
    >>> first, second = train("to be to be", Settings(vocab_size=259, then_across_words_from=257)).stages
    >>> [(second.tokens[left], second.tokens[right]) for left, right in freed_pairs(first, second).tolist()]
    [(b'e', b' '), (b'to', b' ')]
    """
    if before is None:
        return np.empty((0, 2), np.int64)
    width = len(record.tokens)
    keys = []
    for history, step in ((before.history, before.steps), (record.history, 0)):
        rows, _ = history.most_frequent(step)
        keys.append(history.left[rows].astype(np.int64) * width + history.right[rows])
    freed = np.setdiff1d(keys[1], keys[0])
    return np.stack([freed // width, freed % width], axis=1)


def words_merged(record: Record, steps: np.ndarray, most: int = WORDS) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """Return two fields of a frame, `parts` and `changed`, for each of some steps, which ascend.

    `most`: how many words `parts` names at most.

        step     1   1   1   1   2        of each site of a merged pair, just before its merge
        word     0   0   3   4   2
        times    2       1   1   1        in a row
        share    8       9   1   5        times the count of the word

    So the parts of step 1 are (3, 9), (0, 8), (4, 1), and step 1 changed three words.

    >>> from bpe_core import Settings, train
    >>> words_merged(train("low low lower", Settings("whitespace", vocab_size=258)).stages[0], np.array([0, 1]))
    [((), 0), (((0, 2), (1, 1)), 2)]
    """
    merges = steps[steps > 0] - 1
    pairs = record.history.rows_of(record.lifetimes.left[merges], record.lifetimes.right[merges])
    at, sites = record.history.sites_at(merges, pairs)
    step, word = merges[at] + 1, record.corpus.rows_of(sites)
    heads = np.flatnonzero(opens_group(step, word))
    times = np.diff(np.append(heads, len(step)))
    step, word = step[heads], word[heads]
    share = times * record.pretoken_counts[word]
    order = np.lexsort((word, -share, step))
    bounds = zip(np.searchsorted(step, steps).tolist(), np.searchsorted(step, steps + 1).tolist(), strict=True)
    found = []
    for a, b in bounds:
        parts = order[a : min(b, a + most)]
        found.append((tuple(zip(word[parts].tolist(), share[parts].tolist(), strict=True)), b - a))
    return found


def _pairs(
    record: Record, step: int, left: Iterable[int], right: Iterable[int], counts: Iterable[int]
) -> tuple[FramePair, ...]:
    """Return the most frequent pairs after `step` merges, with their roles."""
    ahead = record.lifetimes.pair(step + 1) if step < record.steps else None
    best = record.lifetimes.counts[step] if ahead else None
    return tuple(
        FramePair(a, b, count, role_of((a, b), count == best, ahead))
        for a, b, count in zip(left, right, counts, strict=True)
    )


def counts_of(record: Record, step: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Return how often each of some pairs (left id, right id) occurs after `step` merges.

    >>> from bpe_core import Settings, train
    >>> run = train("low low lower", Settings("whitespace", vocab_size=256))
    >>> counts_of(run, 0, [(ord("l"), ord("o")), (ord("w"), ord("e")), (ord("o"), ord("l"))])
    [3, 1, 0]
    """
    left, right = np.array(pairs, np.int64).reshape(-1, 2).T
    rows = record.history.rows_of(left, right)
    counts = np.zeros(len(rows), np.int64)
    counts[rows >= 0] = record.history.counts_at(step, rows[rows >= 0])
    found: list[int] = counts.tolist()
    return found
