"""What a step of a training shows beyond its words: plain values for a screen that plays a run step after step.

The words of a step follow from the lifetimes of their boundaries, wherever those are known. What does not follow from
them stands in a frame: the most frequent pairs, the words that the merged pair's count comes from, what it tied with.
Every list is bounded; the figures beside it count all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bpe_core.record.run import Record

PAIRS, WORDS = 15, 8  # the most that a frame lists


class FramePair(NamedTuple):
    """A pair of token ids and its count. `role`: "next" for the pair that is merged next, "tied" if as frequent."""

    left: int
    right: int
    count: int
    role: str


class Frame(NamedTuple):
    """One step. What step 0 does not have is empty or 0.

    `pairs`: the most frequent pairs after this step, ties in the order of the rule; `different_pairs`: of all.
    `parts`: (row of a word, how many of the merged pair's occurrences it held), those that held most first;
    `changed`: how many words this step changed. `tied`: the pairs (left id, right id) that it chose from, in the order
    of the rule. `tokens`: how many the corpus has.
    """

    step: int
    pairs: tuple[FramePair, ...]
    different_pairs: int
    parts: tuple[tuple[int, int], ...]
    changed: int
    tied: tuple[tuple[int, int], ...]
    tokens: int


def frames(run: Record, first: int, last: int) -> list[Frame]:
    """The frames of steps `first` to `last`, both included; `ValueError` where the run has no such step.

    >>> from bpe_core import Settings, train
    >>> run = train("low low lower", Settings("whitespace", vocab_size=258))
    >>> frame = frames(run, 1, 1)[0]
    >>> [(run.tokens[a] + b" " + run.tokens[b], count, role) for a, b, count, role in frame.pairs[:2]]
    [(b'lo w', 3, 'next'), (b'w e', 1, 'other')]
    >>> frame.parts, frame.changed
    (((0, 2), (1, 1)), 2)
    """
    run.check_step(first)
    run.check_step(last)
    made = []
    before = _pairs(run, first - 1) if first else ()
    for step, rows in zip(range(first, last + 1), _rows_merged(run, first, last), strict=True):
        pairs = _pairs(run, step)
        tied = tuple((left, right) for left, right, _, role in before if role != "other")
        different, tokens = run.history.occurring(step), int(run.corpus_tokens[step])
        made.append(Frame(step, pairs, different, _parts(run, step, rows), len(np.unique(rows)), tied, tokens))
        before = pairs
    return made


def _pairs(run: Record, step: int) -> tuple[FramePair, ...]:
    """The most frequent pairs after `step` merges, with their roles."""
    rows, counts = run.history.most_frequent(step, PAIRS)
    if not len(rows):
        return ()
    left, right = run.history.left[rows], run.history.right[rows]
    order = run.ranked(step, left, right, counts, PAIRS)
    ahead = (int(run.film.left[step]), int(run.film.right[step])) if step < run.steps else None
    best = run.film.counts[step] if ahead else -1
    return tuple(
        FramePair(a, b, count, "next" if (a, b) == ahead else "tied" if count == best else "other")
        for a, b, count in zip(left[order].tolist(), right[order].tolist(), counts[order].tolist(), strict=True)
    )


def _rows_merged(run: Record, first: int, last: int) -> list[np.ndarray]:
    """For each step the rows of the words in which it merged, a row once a merge.

    merged_at   [N 1 3 N 1 2 N]   sites of steps 1 and 2: [1 4 5], steps [1 1 2], rows [0 1 1]
    starts       1     4          so step 1 → [0 1], step 2 → [1]
    """
    merged_at = run.film.merged_at
    sites = np.flatnonzero((merged_at >= max(first, 1)) & (merged_at <= last))
    steps, rows = merged_at[sites], run.corpus.rows_of(sites)
    order = np.argsort(steps, kind="stable")
    bounds = np.searchsorted(steps[order], np.arange(first, last + 2))
    return [rows[order[a:b]] for a, b in pairwise(bounds.tolist())]


def _parts(run: Record, step: int, rows: np.ndarray) -> tuple[tuple[int, int], ...]:
    """The words that held most of the merged pair's occurrences; `rows`: those in which it was merged."""
    if not step:
        return ()
    left, right = int(run.film.left[step - 1]), int(run.film.right[step - 1])
    if left == right:  # in `aaa` the pair occurs twice and is merged once
        rows = run.corpus.rows_of(run.corpus.pair_sites(step - 1, left, right))
    words, times = np.unique(rows, return_counts=True)
    counts = times * run.pretoken_counts[words]
    if len(counts) > WORDS:
        enough = counts >= np.partition(counts, -WORDS)[-WORDS]
        words, counts = words[enough], counts[enough]
    order = np.lexsort((words, -counts))[:WORDS]
    return tuple(zip(words[order].tolist(), counts[order].tolist(), strict=True))


def counts_of(run: Record, step: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """How often each of some pairs (left id, right id) occurs after `step` merges.

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
