"""Frames: the data that a film needs for each step of a run, besides the words.

The words of a step follow from the lifetimes. A frame has the rest: the most frequent pairs, the words in which the
merged pair occurred, and the pairs that tied with the merged pair. The lists of a frame are bounded; its numbers count
everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bpe_core.record.record import Record
from bpe_core.text.arrays import Counts, Indexes

PAIRS, WORDS = 15, 8  # a frame lists at most so many


class FramePair(NamedTuple):
    """A pair of token ids and its count.

    `role`: "next" for the pair that is merged next, "tied" for a pair with the same count, else "other".
    """

    left: int
    right: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody calls on a pair
    role: str


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


def frames(run: Record, first: int, last: int) -> list[Frame]:
    """Return the frames of steps `first` to `last`, both included; `ValueError` where the run has no such step.

    >>> from bpe_core import Settings, train
    >>> run = train("low low lower", Settings("whitespace", vocab_size=258))
    >>> frame = frames(run, 1, 1)[0]
    >>> [(run.tokens[a] + b" " + run.tokens[b], count, role) for a, b, count, role in frame.pairs[:2]]
    [(b'lo w', 3, 'next'), (b'w e', 1, 'other')]
    >>> frame.parts, frame.changed
    (((0, 2), (1, 1)), 2)
    """
    run.at(first)  # raises
    run.at(last)
    made = []
    before = _pairs(run, first - 1) if first else ()
    for step, rows in zip(range(first, last + 1), _rows_merged(run, first, last), strict=True):
        pairs = _pairs(run, step)
        tied = tuple((left, right) for left, right, _, role in before if role != "other")
        different, tokens = run.history.occurring(step), int(run.corpus_tokens[step])
        made.append(Frame(step, pairs, different, _parts(run, step, rows), len(np.unique(rows)), tied, tokens))
        before = pairs
    return made


def freed_pairs(before: Record | None, run: Record) -> Counts:
    """Return rows of two ids: the pairs that a stage can join at its first step and the stage before could not.

    These pairs were blocked in the stage before: their tokens touched, but were in two words. `before`: the record of
    the stage before; None for a first stage. All stages use the same ids.

    >>> from bpe_core import Settings, train
    >>> first, run = train("to be to be", Settings(vocab_size=259, then_across_words_from=257)).stages
    >>> [(run.tokens[left], run.tokens[right]) for left, right in freed_pairs(first, run).tolist()]
    [(b'e', b' '), (b'to', b' ')]
    """
    if before is None:
        return np.empty((0, 2), np.int64)
    width = len(run.tokens)
    keys = []
    for history, step in ((before.history, before.steps), (run.history, 0)):
        rows, _ = history.most_frequent(step)
        keys.append(history.left[rows].astype(np.int64) * width + history.right[rows])
    freed = np.setdiff1d(keys[1], keys[0])
    return np.stack([freed // width, freed % width], axis=1)


def words_merged(run: Record, step: int) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return two fields of a step's frame, `parts` and `changed`, without the rest, which costs more.

    >>> from bpe_core import Settings, train
    >>> words_merged(train("low low lower", Settings("whitespace", vocab_size=258)), 1)
    (((0, 2), (1, 1)), 2)
    """
    (rows,) = _rows_merged(run, step, step)
    return _parts(run, step, rows), len(np.unique(rows))


def _pairs(run: Record, step: int) -> tuple[FramePair, ...]:
    """Return the most frequent pairs after `step` merges, with their roles."""
    ahead = (int(run.lifetimes.left[step]), int(run.lifetimes.right[step])) if step < run.steps else None
    best = run.lifetimes.counts[step] if ahead else -1
    columns = (column.tolist() for column in run.pair_ids(step, PAIRS))
    return tuple(
        FramePair(left, right, count, "next" if (left, right) == ahead else "tied" if count == best else "other")
        for left, right, count in zip(*columns, strict=True)
    )


def _rows_merged(run: Record, first: int, last: int) -> list[Indexes]:
    """Return for each step an array: for each occurrence that was merged, the row number of the word.

    merged_at   [N 1 3 N 1 2 N]   sites of steps 1 and 2: [1 4 5], steps [1 1 2], rows [0 1 1]
    starts       1     4          so step 1 → [0 1], step 2 → [1]
    """
    merged_at = run.lifetimes.merged_at
    sites = np.flatnonzero((merged_at >= max(first, 1)) & (merged_at <= last))
    steps, rows = merged_at[sites], run.corpus.rows_of(sites)
    order = np.argsort(steps, kind="stable")
    bounds = np.searchsorted(steps[order], np.arange(first, last + 2))
    return [rows[order[a:b]] for a, b in pairwise(bounds.tolist())]


def _parts(run: Record, step: int, rows: Indexes) -> tuple[tuple[int, int], ...]:
    """Return the words with most occurrences of the merged pair; `rows`: the word of each merged occurrence."""
    if not step:
        return ()
    left, right = int(run.lifetimes.left[step - 1]), int(run.lifetimes.right[step - 1])
    if left == right:  # in `aaa` the pair occurs twice and is merged once
        rows = run.corpus.rows_of(run.corpus.pair_sites(step - 1, left, right))
    return tuple(zip(*run.corpus.most_in(rows, WORDS), strict=True))


def counts_of(run: Record, step: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Return how often each of some pairs (left id, right id) occurs after `step` merges.

    >>> from bpe_core import Settings, train
    >>> run = train("low low lower", Settings("whitespace", vocab_size=256))
    >>> counts_of(run, 0, [(ord("l"), ord("o")), (ord("w"), ord("e")), (ord("o"), ord("l"))])
    [3, 1, 0]
    """
    width = len(run.tokens)
    every = run.history.left.astype(np.int64) * width + run.history.right
    wanted = [left * width + right for left, right in pairs]
    rows = np.flatnonzero(np.isin(every, np.array(wanted, np.int64)))
    counts = dict(zip(every[rows].tolist(), run.history.counts_at(step, rows).tolist(), strict=True))
    return [counts.get(pair, 0) for pair in wanted]
