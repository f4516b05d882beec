"""How often every pair occurred at every step, worked out from the lifetimes once training is over.

A pair is born at one step with all its occurrences, and from then on only loses some. So its history is its count at
birth and a list of losses. The words "ab" ×2, "xa" ×3 and "xab", where x + a was merged at step 1 and a + b at step 2:

    row              0      1           2          the most frequent at birth first
    left, right      x, a   a, b        xa, b
    born             0      0           1
    gone             1      2           ∞
    birth_count      4      3           1
    first_loss       0      1           3    3     the losses of row 1 are entries 1 and 2 of these:
    loss_step        1      1, 2
    count_after      0      2, 0                   a + b: 3 occurrences at first, 2 from step 1 on, none from step 2 on
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.record.meetings import closes_group, meetings, opens_group
from bpe_core.training.lifetimes import NEVER


@dataclass(frozen=True)
class PairHistory:
    """All pairs that ever occurred, the most frequent at birth first, and their losses.

    Pair `p` is `left[p]` and `right[p]` (token ids), born at step `born[p]` with `birth_count[p]` occurrences, and gone
    at step `gone[p]`, which may be `NEVER`. Its losses are the entries from `first_loss[p]` to `first_loss[p + 1]`:
    from step `loss_step` on it occurs `count_after` times.
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
        # how many of a pair's losses have happened by `step`: a binary search, for all pairs at once
        for _ in range(int((high - low).max(initial=0)).bit_length()):
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
        """Row numbers and counts of the pairs that occur after `step` merges, unsorted.

        With `top`, the `top` most frequent ones, and besides all that are as frequent as the last of these.
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
        """For each merge k (its count is `counts[k]`), how many pairs had exactly that count at that moment.

        A pair has a count from one step to another. It had it at step s if that span has begun by s and not ended, so
        the spans that have ended are taken from those that have begun. A number, count * unit + step, orders both by
        their counts and then by their steps. In the example above, where unit is 4:

            spans      4 from 0 to 1, 2 from 1 to 2, …
            opened     2·4 + 1   4·4 + 0          sorted
            closed     2·4 + 2   4·4 + 1
            now        4·4 + 0   2·4 + 1          the merges: of count 4 after step 0, of count 2 after step 1
            ties       2 - 1     1 - 0            opened up to now, less closed up to now
        """
        relevant = np.unique(counts)
        starts, ends, values = self._spans()
        keep = np.isin(values, relevant) & (ends > starts)
        unit = len(counts) + 2
        opened = np.sort(values[keep] * unit + starts[keep])
        closed = np.sort(values[keep] * unit + np.minimum(ends[keep], unit - 1))
        now = counts * unit + np.arange(len(counts))
        return np.searchsorted(opened, now, side="right") - np.searchsorted(closed, now, side="right")

    def _spans(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(from step, to step, count) of every pair between two changes.

            pair       0  0   1  1  1   2         each pair's birth, then its losses
            starts     0  1   0  1  2   1
            ends       1  ∞   1  2  ∞   ∞         the next start of the same pair
            values     4  0   3  2  0   1

        Each entry is a span of steps in which the count stays the same; of no steps, where the next one starts at once.
        """
        losses = np.diff(self.first_loss)
        pair = np.concatenate([np.arange(len(losses)), np.repeat(np.arange(len(losses)), losses)])
        starts = np.concatenate([self.born, self.loss_step]).astype(np.int64)
        values = np.concatenate([self.birth_count, self.count_after])
        order = np.argsort(pair, kind="stable")  # each pair's birth, then its losses
        pair, starts, values = pair[order], starts[order], values[order]
        ends = np.where(closes_group(pair), NEVER, np.append(starts[1:], NEVER)[: len(starts)])
        return starts, ends, values


def pair_history(corpus: CorpusHistory) -> PairHistory:
    """Sum the meetings of all boundaries to the history of each pair.

    >>> from bpe_core import Settings, train
    >>> corpus = train("ab ab xa xa xa xab", Settings("whitespace", "characters", vocab_size=5)).corpus
    >>> found = pair_history(corpus)  # the example above
    >>> found.birth_count.tolist(), found.first_loss.tolist(), found.loss_step.tolist(), found.count_after.tolist()
    ([4, 3, 1], [0, 1, 3, 3], [1, 1, 2], [0, 2, 0])
    """
    met = meetings(corpus)
    width = corpus.base + corpus.steps
    pair, weight = met.left * width + met.right, corpus.weights[met.site].astype(np.int64)
    order = np.lexsort((met.until, pair))
    pair, weight, since, until = pair[order], weight[order], met.since[order], met.until[order]

    heads = opens_group(pair)
    births = _sums(weight, heads)
    rank = np.argsort(-births, kind="stable")  # the most frequent at birth first
    keys, births = pair[heads][rank], births[rank]
    row = np.argsort(rank)[np.cumsum(heads) - 1]  # of every meeting, the row of its pair
    row, step, after = _losses(row, until, weight, births)
    gone = np.full(len(rank), NEVER, np.int64)
    gone[row[after == 0]] = step[after == 0]
    return PairHistory(
        left=(keys // width).astype(np.int32),
        right=(keys % width).astype(np.int32),
        born=since[heads][rank].astype(np.int32),
        gone=gone.astype(np.int32),
        birth_count=births,
        first_loss=np.searchsorted(row, np.arange(len(rank) + 1)),
        loss_step=step.astype(np.int32),
        count_after=after,
    )


def _losses(
    row: np.ndarray, until: np.ndarray, weight: np.ndarray, births: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The losses of all pairs, as (row of the pair, step, its count from then on), in the order of rows and steps.

    From the meetings, grouped by pair and then in the order of `until`: a meeting that ends is a loss of its weight.

        row        1  1  0  0  2        a + b was in "xab" and "ab", x + a in "xa" and "xab", xa + b in "xab"
        until      1  2  1  1  ∞
        weight     1  2  3  1  1
        lost       1  2  4     1        added up where row and step are the same

        row        0  1  1  2           in the order of rows
        step       1  1  2  ∞
        lost       4  1  2  1
        total      4  5  7  8
        before     0  4  4  7           the total where the row begins
        after      0  2  0  0           births (4 3 3 1) less what the row has lost so far: total - before
    """
    heads = opens_group(row, until)
    lost, row, step = _sums(weight, heads), row[heads], until[heads]
    order = np.argsort(row, kind="stable")
    lost, row, step = lost[order], row[order], step[order]
    total = np.cumsum(lost)
    # every pair has a loss, if only at NEVER, so the n-th group is that of row n
    before = (total - lost)[opens_group(row)][row] if len(row) else total
    after = births[row] - (total - before)
    real = step != NEVER
    return row[real], step[real], after[real]


def _sums(values: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """The sum of each group of values; `heads`: whether a value is the first of its group."""
    return np.add.reduceat(values, np.flatnonzero(heads)) if len(values) else values
