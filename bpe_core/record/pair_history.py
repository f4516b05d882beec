"""How often every pair occurred at every step, worked out from the film once training is over.

Two symbols meet at a boundary until a merge removes it. Until then every merge beside it changes one of the two. So
the film gives, for every boundary, the pairs that stood there and from which step to which; summed over all boundaries
this is the log of changes: a pair is born at one step with all its occurrences, and from then on only loses some.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.training.film import NEVER


@dataclass(frozen=True)
class PairHistory:
    """All pairs that ever occurred, the most frequent at birth first, and the log of their losses.

    Pair `p` is `left[p]` and `right[p]` (token ids), born at step `born[p]` with `birth_count[p]` occurrences. Its
    losses are rows `first_loss[p]` to `first_loss[p + 1]`: from step `loss_step` on it occurs `count_after` times.
    """

    left: np.ndarray
    right: np.ndarray
    born: np.ndarray
    gone: np.ndarray
    birth_count: np.ndarray
    first_loss: np.ndarray
    loss_step: np.ndarray
    count_after: np.ndarray

    def counts_at(self, step: int, pairs: np.ndarray) -> np.ndarray:
        """The counts of `pairs` (row numbers) after `step` merges; 0 for those not yet born or gone."""
        low, high = self.first_loss[pairs].astype(np.int64), self.first_loss[pairs + 1].astype(np.int64)
        first = low.copy()
        for _ in range(int((high - low).max(initial=0)).bit_length()):  # bisect all rows at once
            middle = (low + high) // 2
            passed = (low < high) & (self.loss_step[np.minimum(middle, len(self.loss_step) - 1)] <= step)
            low, high = np.where(passed, middle + 1, low), np.where(passed, high, middle)
        counts = self.birth_count[pairs]
        lost = low > first
        counts[lost] = self.count_after[low[lost] - 1]
        return np.where(self.born[pairs] <= step, counts, 0)

    def occurring(self, step: int) -> int:
        """How many different pairs there are after `step` merges."""
        return int(np.count_nonzero((self.born <= step) & (self.gone > step)))

    def most_frequent(self, step: int, top: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Row numbers and counts of the pairs that occur after `step` merges: at least `top` where there are so many.

        All pairs as frequent as the last of the `top` are among them. Unsorted.
        """
        window = len(self.left) if top is None else 2048
        while True:
            rows = np.flatnonzero((self.born[:window] <= step) & (self.gone[:window] > step))
            counts = self.counts_at(step, rows)
            if window >= len(self.left):
                break
            bound = self.birth_count[window]  # no pair beyond the window ever occurred more often
            if np.count_nonzero(counts > bound) >= top:
                break
            window *= 4
        if top is not None and len(counts) > top:
            least = np.partition(counts, -top)[-top]
            rows, counts = rows[counts >= least], counts[counts >= least]
        return rows, counts

    def ties(self, counts: np.ndarray) -> np.ndarray:
        """For each merge k (its count is `counts[k]`), how many pairs had exactly that count at that moment."""
        relevant = np.unique(counts)
        starts, ends, values = self._spans()
        keep = np.isin(values, relevant) & (ends > starts)
        unit = len(counts) + 2
        opened = np.sort(values[keep] * unit + starts[keep])
        closed = np.sort(values[keep] * unit + np.minimum(ends[keep], unit - 1))
        now = counts * unit + np.arange(len(counts))
        return np.searchsorted(opened, now, side="right") - np.searchsorted(closed, now, side="right")

    def _spans(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(from step, to step, count) of every pair between two changes."""
        losses = np.diff(self.first_loss)
        pair = np.concatenate([np.arange(len(losses)), np.repeat(np.arange(len(losses)), losses)])
        starts = np.concatenate([self.born, self.loss_step]).astype(np.int64)
        values = np.concatenate([self.birth_count, self.count_after])
        order = np.argsort(pair, kind="stable")  # each pair's birth, then its losses
        pair, starts, values = pair[order], starts[order], values[order]
        ends = np.where(_closes_group(pair), NEVER, np.append(starts[1:], NEVER)[: len(starts)])
        return starts, ends, values


def _opens_group(*columns: np.ndarray) -> np.ndarray:
    """Whether each row differs from the row before it."""
    opens = np.ones(len(columns[0]), bool)
    opens[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return opens


def _closes_group(*columns: np.ndarray) -> np.ndarray:
    """Whether each row differs from the row behind it."""
    return np.append(_opens_group(*columns)[1:], True)[: len(columns[0])]


def _sums(values: np.ndarray, opens: np.ndarray) -> np.ndarray:
    """The sum of each group of rows."""
    return np.add.reduceat(values, np.flatnonzero(opens)) if len(values) else values


def _meetings(corpus: CorpusHistory) -> tuple[np.ndarray, ...]:
    """Every pair that stood at a boundary: (boundary, left id, right id, from step, to step).

    A merge at boundary `j` made the token that reaches from `j - size[left]` to `j + size[right]`; it is the new right
    neighbour of the boundary where it starts, and the new left one where it ends.
    """
    symbols, merged_at, size, base = corpus.flat.symbols, corpus.film.merged_at, corpus.sizes, corpus.base
    left, right = corpus.film.left, corpus.film.right
    inside = np.zeros(len(symbols) + 1, bool)
    inside[1:-1] = (symbols[1:] >= 0) & (symbols[:-1] >= 0)
    fallen = np.flatnonzero(merged_at != NEVER)
    step = merged_at[fallen].astype(np.int64)
    token = base + step - 1
    starts, ends = fallen - size[left[step - 1]], fallen + size[right[step - 1]]
    at, opening, closing = np.flatnonzero(inside), inside[starts], inside[ends]

    site = np.concatenate([at, ends[closing], starts[opening]])
    since = np.concatenate([np.zeros_like(at), step[closing], step[opening]])
    now_left = np.concatenate([symbols[at - 1], token[closing], np.zeros_like(starts[opening])])
    now_right = np.concatenate([symbols[at], np.zeros_like(ends[closing]), token[opening]])
    order = np.argsort(site * (len(left) + 1) + since, kind="stable")
    site, since, now_left, now_right = (column[order] for column in (site, since, now_left, now_right))

    # ids only grow at a boundary, so the largest so far is the one that stands there
    width = base + len(left)
    now_left = np.maximum.accumulate(site * width + now_left) - site * width
    now_right = np.maximum.accumulate(site * width + now_right) - site * width
    both = _closes_group(site, since)  # where both sides change in one step, the later row has it all
    site, since, now_left, now_right = (column[both] for column in (site, since, now_left, now_right))
    until = np.append(since[1:], 0)[: len(site)]
    last = _closes_group(site)
    until[last] = merged_at[site[last]]
    return site, now_left, now_right, since, until


def pair_history(corpus: CorpusHistory) -> PairHistory:
    """Sum the meetings of all boundaries to the log of pair-count changes."""
    site, pair_left, pair_right, since, until = _meetings(corpus)
    width = corpus.base + corpus.steps
    pair, weight = pair_left * width + pair_right, corpus.weights[site].astype(np.int64)
    order = np.lexsort((until, pair))
    pair, since, until, weight = (column[order] for column in (pair, since, until, weight))
    heads = _opens_group(pair)
    births = _sums(weight, heads)
    rank = np.argsort(-births, kind="stable")  # the most frequent at birth first
    keys, born, births = pair[heads][rank], since[heads][rank], births[rank]
    row = np.argsort(rank)[np.cumsum(heads) - 1]  # the new row number of every meeting's pair

    losses = _opens_group(row, until)
    lost, row, step = _sums(weight, losses), row[losses], until[losses]
    order = np.argsort(row, kind="stable")
    lost, row, step = lost[order], row[order], step[order]
    total = np.cumsum(lost)
    first = _opens_group(row)
    before = (total - lost)[first][row] if len(row) else total  # every pair has a row of losses, if only at NEVER
    after = births[row] - (total - before)
    real = step != NEVER
    row, step, after = row[real], step[real], after[real]
    gone = np.full(len(rank), NEVER, np.int64)
    gone[row[after == 0]] = step[after == 0]
    return PairHistory(
        left=(keys // width).astype(np.int32),
        right=(keys % width).astype(np.int32),
        born=born.astype(np.int32),
        gone=gone.astype(np.int32),
        birth_count=births,
        first_loss=np.searchsorted(row, np.arange(len(rank) + 1)),
        loss_step=step.astype(np.int32),
        count_after=after,
    )
