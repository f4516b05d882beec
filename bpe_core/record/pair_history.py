"""The count and the first site of every pair at every step, computed from the lifetimes after training.

A pair is born at one step with all its occurrences; after that it only loses occurrences. So its history is its count
at birth, a list of losses, and a list of its sites: the positions where its right token begins.

The words "ab" ×2, "xa" ×3 and "xab"; x + a was merged at step 1 and a + b at step 2:

    row              0      1           2          the most frequent at birth first
    left, right      x, a   a, b        xa, b
    birth_step       0      0           1
    gone             1      2           ∞
    birth_count      4      3           1
    first_loss       0      1           3    3     the losses of row 1 are entries 1 and 2 below:
    loss_step        1      1, 2
    count_after      0      2, 0                   a + b: 3 occurrences at first, 2 from step 1 on, none from step 2 on
    first_site       0      2           4     5    the sites of row 1 are entries 2 and 3 below:
    site             5, 8   2, 9        9          in | a b | x a | x a b |, where | is a separator
    site_until       1, 1   2, 1        ∞          the step that ends the occurrence
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.text.arrays import Counts, Ids, Indexes, Integers, Mask, Steps, indexes_of, repeated
from bpe_core.training.lifetimes import NEVER


class PairIntervals(NamedTuple):
    """One row for each interval, in the order of `site` and then of `since`.

    The tokens with the ids `left` and `right` met at the boundary before position `site`, from step `since` to step
    `until`; `until` is `NEVER` if no merge replaced one of the two tokens or removed the boundary.
    """

    site: Indexes
    left: Counts
    right: Counts
    since: Counts
    until: Counts


def opens_group(*columns: Integers) -> Mask:
    """Return for each row whether it differs from the row before it, in any of the columns.

    >>> opens_group(np.array([1, 1, 2, 2]), np.array([5, 5, 5, 6])).tolist()
    [True, False, True, True]
    """
    opens = np.ones(len(columns[0]), bool)
    opens[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return opens


def closes_group(*columns: Integers) -> Mask:
    """Return for each row whether it differs from the row after it, in any of the columns.

    >>> closes_group(np.array([1, 1, 2])).tolist()
    [False, True, True]
    """
    return np.append(opens_group(*columns)[1:], True)[: len(columns[0])]


def pair_intervals(corpus: CorpusHistory) -> PairIntervals:
    """Return all intervals of a training.

    Two tokens meet at a boundary until a merge removes it. Before that, each merge next to the boundary replaces one of
    the two tokens. The word "hugs", where u + g was merged at step 1 and h + ug at step 2:

        position     1   2   3   4            site   left  right  since  until
        symbol       h   u   g   s               2   h     u          0      1
        merged_at    ∞   2   1   ∞               2   h     ug         1      2
                                                 3   u     g          0      1
                                                 4   g     s          0      1
                                                 4   ug    s          1      2
                                                 4   hug   s          2      ∞

    >>> from bpe_core import Settings, train
    >>> found = pair_intervals(train("hugs pug", Settings("whitespace", "characters", vocab_size=6)).corpus)  # u + g
    >>> np.array(found)[:, :3].tolist()  # in positions 2 and 3; ids: g 0, h 1, p 2, s 3, u 4, ug 5
    [[2, 2, 3], [1, 1, 4], [4, 5, 0], [0, 1, 0], [1, 2147483647, 1]]
    """
    site, since, left, right = _arrivals(corpus)
    order = np.argsort(site * (corpus.steps + 1) + since, kind="stable")
    site, since, left, right = site[order], since[order], left[order], right[order]
    # On each side of a boundary ids only grow, so the largest so far is the token that is there now.
    width = corpus.base + corpus.steps
    left = np.maximum.accumulate(site * width + left) - site * width
    right = np.maximum.accumulate(site * width + right) - site * width
    both = closes_group(site, since)  # where one step replaces both tokens, the later of two rows has both new tokens
    site, since, left, right = site[both], since[both], left[both], right[both]
    until = np.append(since[1:], 0)[: len(site)]  # until the next interval at the same site …
    last = closes_group(site)
    until[last] = corpus.lifetimes.merged_at[site[last]]  # … or until the boundary is removed
    return PairIntervals(site, left, right, since, until)


def _arrivals(corpus: CorpusHistory) -> tuple[Indexes, Counts, Counts, Counts]:
    """Return each new token next to a boundary: (site, since, left id, right id); the id is 0 on an unchanged side.

    A merge at boundary `j` makes a token that reaches from `j - size[left]` to `j + size[right]`. The token is the new
    right side of the boundary where it starts, and the new left side of the boundary where it ends.
    """
    symbols, lifetimes, size = corpus.flat.symbols, corpus.lifetimes, corpus.sizes
    inside = np.zeros(len(symbols) + 1, bool)  # whether there is a boundary between two symbols of one word
    inside[1:-1] = (symbols[1:] >= 0) & (symbols[:-1] >= 0)
    first = np.flatnonzero(inside)
    removed = np.flatnonzero(lifetimes.merged_at != NEVER)
    step = lifetimes.merged_at[removed].astype(np.int64)
    token = corpus.base + step - 1
    starts, ends = removed - size[lifetimes.left[step - 1]], removed + size[lifetimes.right[step - 1]]
    opening, closing = inside[starts], inside[ends]
    at_start, at_end = np.zeros_like(starts[opening]), np.zeros_like(ends[closing])
    return (
        np.concatenate([first, ends[closing], starts[opening]]),
        np.concatenate([np.zeros_like(first), step[closing], step[opening]]),
        np.concatenate([symbols[first - 1], token[closing], at_start]),
        np.concatenate([symbols[first], at_end, token[opening]]),
    )


WINDOW = 2048  # rows that are searched first for the most frequent pairs; each further search takes four times as many


@dataclass(frozen=True)
class PairHistory:
    """All pairs that ever occurred, the most frequent at birth first, and their losses.

    Pair `p` has the token ids `left[p]` and `right[p]`. It is born at step `birth_step[p]` with `birth_count[p]`
    occurrences, and gone at step `gone[p]`, which may be `NEVER`. Its losses are the entries from `first_loss[p]` up to
    `first_loss[p + 1]`: from step `loss_step[i]` on the pair occurs `count_after[i]` times. Its sites are the entries
    from `first_site[p]` up to `first_site[p + 1]`, in the order of the corpus: at `site[i]` it occurs until step
    `site_until[i]`. A site stands for all occurrences of its word.
    """

    left: Ids
    right: Ids
    birth_step: Steps
    gone: Steps
    birth_count: Counts
    first_loss: Indexes
    loss_step: Steps
    count_after: Counts
    first_site: Indexes
    site: Integers
    site_until: Steps

    def counts_at(self, step: int, pairs: Indexes) -> Counts:
        """Return the counts of `pairs` (row numbers) after `step` merges; 0 for a pair not born yet or gone already.

        A binary search, for all pairs at once, finds how many of a pair's losses have happened by `step`.
        """
        low, high = self.first_loss[pairs].astype(np.int64), self.first_loss[pairs + 1].astype(np.int64)
        first = low.copy()
        for _ in range(int((high - low).max(initial=0)).bit_length()):
            middle = (low + high) // 2
            passed = (low < high) & (self.loss_step[np.minimum(middle, len(self.loss_step) - 1)] <= step)
            low, high = np.where(passed, middle + 1, low), np.where(passed, high, middle)
        counts = self.birth_count[pairs]
        lost = low > first
        counts[lost] = self.count_after[low[lost] - 1]
        return np.where(self.birth_step[pairs] <= step, counts, 0)

    def rows_of(self, left: Integers, right: Integers) -> Indexes:
        """Return the row number of each pair (ids `left`, `right`); -1 for a pair that never occurs."""
        width = int(max(column.max(initial=0) for column in (self.left, self.right, left, right))) + 1
        wanted, at = np.unique(left.astype(np.int64) * width + right, return_inverse=True)
        found = np.full(len(wanted), -1, np.intp)
        if len(wanted):
            every = self.left.astype(np.int64) * width + self.right
            where = np.minimum(np.searchsorted(wanted, every), len(wanted) - 1)
            rows = np.flatnonzero(wanted[where] == every)
            found[where[rows]] = rows
        return found[at]

    def sites_at(self, steps: Steps | Counts, pairs: Indexes) -> tuple[Indexes, Integers]:
        """Return the sites of each pair (row number) after as many merges as `steps` says for it.

        Each site is (index in `pairs`, position), in the order of `pairs` and then of the corpus.
        """
        sizes = self.first_site[pairs + 1] - self.first_site[pairs]
        at, pair = indexes_of(self.first_site[pairs], sizes), repeated(np.arange(len(pairs)), sizes)
        there = self.site_until[at] > steps[pair]
        return pair[there], self.site[at[there]]

    def occurring(self, step: int) -> int:
        """Count the different pairs that occur after `step` merges."""
        return int(self._occurring_at[min(step, len(self._occurring_at) - 1)])

    @cached_property
    def _occurring_at(self) -> Counts:
        """How many different pairs occur after each step, up to the last step that changes the number."""
        ends = self.gone[self.gone != NEVER]
        size = int(max(self.birth_step.max(initial=0), ends.max(initial=0))) + 1
        return np.cumsum(np.bincount(self.birth_step, minlength=size) - np.bincount(ends, minlength=size))

    def most_frequent(self, step: int, top: int | None = None) -> tuple[Indexes, Counts]:
        """Return the row numbers and the counts of the pairs that occur after `step` merges, unsorted.

        With `top`, the result has the `top` most frequent pairs, and every other pair with the count of the last one.
        """
        if top is None:
            return self._occurring(step, len(self.left))
        window = WINDOW
        rows, counts = self._occurring(step, window)
        # a pair outside the window never occurs more often than the first pair outside the window did at its birth
        while window < len(self.left) and np.count_nonzero(counts > self.birth_count[window]) < top:
            window *= 4
            rows, counts = self._occurring(step, window)
        if len(counts) > top:
            least = np.partition(counts, -top)[-top]
            rows, counts = rows[counts >= least], counts[counts >= least]
        return rows, counts

    def with_count(self, step: int, count: int) -> Indexes:
        """Return the row numbers of the pairs that occur `count` times after `step` merges.

        A pair that was rarer at its birth cannot be in the result. Those rows come last, and are not looked at.

        >>> from bpe_core import Settings, train
        >>> history = train("ab ab xa xa xa xab", Settings("whitespace", "characters", vocab_size=5)).history
        >>> history.with_count(0, 3).tolist(), history.with_count(1, 1).tolist()  # see the example above
        ([1], [2])
        """
        rarer = int(np.searchsorted(self.birth_count[::-1], count))
        rows, counts = self._occurring(step, len(self.birth_count) - rarer)
        found: Indexes = rows[counts == count]
        return found

    def _occurring(self, step: int, window: int) -> tuple[Indexes, Counts]:
        """Return the row numbers and the counts of the pairs that occur at a step, among the first `window` rows."""
        rows = np.flatnonzero((self.birth_step[:window] <= step) & (self.gone[:window] > step))
        return rows, self.counts_at(step, rows)

    def ties(self, counts: Counts) -> Counts:
        """Return for each merge how many pairs had the merged pair's count. `counts`: the counts of the merges.

        Between two changes a pair has one count for a span of steps. The number of pairs with a given count at step s
        is the number of spans with that count that have begun by s, less the number that have ended by s. To do this
        for all counts at once, the begin and the end of a span become numbers that sort by count first:
        count * unit + step. In the example of the module, where unit is 4:

            spans      4 from 0 to 1, 2 from 1 to 2, …
            begun      2·4 + 1   4·4 + 0          sorted
            ended      2·4 + 2   4·4 + 1
            now        4·4 + 0   2·4 + 1          the merges: of count 4 after step 0, of count 2 after step 1
            ties       2 - 1     1 - 0            begun by now, less ended by now
        """
        relevant = np.unique(counts)
        starts, ends, values = self._spans()
        wanted = np.isin(values, relevant) & (ends > starts)
        unit = len(counts) + 2
        begun = np.sort(values[wanted] * unit + starts[wanted])
        ended = np.sort(values[wanted] * unit + np.minimum(ends[wanted], unit - 1))
        now = counts * unit + np.arange(len(counts))
        return np.searchsorted(begun, now, side="right") - np.searchsorted(ended, now, side="right")

    def _spans(self) -> tuple[Counts, Counts, Counts]:
        """Return the spans of steps in which a pair's count stays the same: (first step, step after the last, count).

            pair       0  0   1  1  1   2         each pair's birth, then its losses
            starts     0  1   0  1  2   1
            ends       1  ∞   1  2  ∞   ∞         the next start of the same pair
            values     4  0   3  2  0   1

        A span is empty where the next span of its pair starts at the same step.
        """
        losses = np.diff(self.first_loss)
        pair = np.concatenate([np.arange(len(losses)), repeated(np.arange(len(losses)), losses)])
        starts = np.concatenate([self.birth_step, self.loss_step]).astype(np.int64)
        values = np.concatenate([self.birth_count, self.count_after])
        order = np.argsort(pair, kind="stable")  # each pair's birth, then its losses
        pair, starts, values = pair[order], starts[order], values[order]
        ends = np.where(closes_group(pair), NEVER, np.append(starts[1:], NEVER)[: len(starts)])
        return starts, ends, values


def pair_history(corpus: CorpusHistory) -> PairHistory:
    """Return the history of each pair: the sum of the pair's intervals at all boundaries.

    >>> from bpe_core import Settings, train
    >>> corpus = train("ab ab xa xa xa xab", Settings("whitespace", "characters", vocab_size=5)).corpus
    >>> found = pair_history(corpus)  # the example above
    >>> found.birth_count.tolist(), found.first_loss.tolist(), found.loss_step.tolist(), found.count_after.tolist()
    ([4, 3, 1], [0, 1, 3, 3], [1, 1, 2], [0, 2, 0])
    >>> found.first_site.tolist(), found.site.tolist()
    ([0, 2, 4, 5], [5, 8, 2, 9, 9])
    """
    met = pair_intervals(corpus)
    width = corpus.base + corpus.steps
    pair, weight = met.left * width + met.right, corpus.weights[met.site].astype(np.int64)
    order = np.lexsort((met.until, pair))
    pair, weight, since, until = pair[order], weight[order], met.since[order], met.until[order]

    heads = opens_group(pair)
    births = _sums(weight, heads)
    rank = np.argsort(-births, kind="stable")  # the most frequent at birth first
    keys, births = pair[heads][rank], births[rank]
    row = np.argsort(rank)[np.cumsum(heads) - 1]  # of every interval, the row of its pair
    row_met = np.empty(len(row), np.int32)  # the same of every interval in the order of `met`, the order of sites
    row_met[order] = row
    by_row = np.argsort(row_met, kind="stable")
    row, step, after = _losses(row, until, weight, births)
    gone = np.full(len(rank), NEVER, np.int64)
    gone[row[after == 0]] = step[after == 0]
    return PairHistory(
        left=(keys // width).astype(np.int32),
        right=(keys % width).astype(np.int32),
        birth_step=since[heads][rank].astype(np.int32),
        gone=gone.astype(np.int32),
        birth_count=births,
        first_loss=np.searchsorted(row, np.arange(len(rank) + 1)),
        loss_step=step.astype(np.int32),
        count_after=after,
        first_site=np.searchsorted(row_met[by_row], np.arange(len(rank) + 1)),
        site=met.site[by_row].astype(np.int32 if len(corpus.flat.symbols) < NEVER else np.int64),
        site_until=met.until[by_row].astype(np.int32),
    )


def _losses(row: Indexes, until: Counts, weight: Counts, births: Counts) -> tuple[Indexes, Counts, Counts]:
    """Return the losses of all pairs, in the order of rows and steps: (row of the pair, step, count after the loss).

    `row`, `until` and `weight` have an entry for each interval, grouped by pair, then in the order of `until`. When an
    interval ends, its pair loses the interval's weight.

        row        1  1  0  0  2        a + b was in "xab" and "ab", x + a in "xa" and "xab", xa + b in "xab"
        until      1  2  1  1  ∞
        weight     1  2  3  1  1
        lost       1  2  4     1        the sum where row and step are the same

        row        0  1  1  2           in the order of rows
        step       1  1  2  ∞
        lost       4  1  2  1
        total      4  5  7  8
        before     0  4  4  7           the total where the row begins
        after      0  2  0  0           births (4 3 3 1) less the losses of the row so far: total - before
    """
    heads = opens_group(row, until)
    lost, row, step = _sums(weight, heads), row[heads], until[heads]
    order = np.argsort(row, kind="stable")
    lost, row, step = lost[order], row[order], step[order]
    total = np.cumsum(lost)
    # each pair has a loss, if only at NEVER, so group n has the losses of row n
    before = (total - lost)[opens_group(row)][row] if len(row) else total
    after = births[row] - (total - before)
    real = step != NEVER
    return row[real], step[real], after[real]


def _sums(values: Counts, heads: Mask) -> Counts:
    """Return the sum of each group of values; `heads`: whether a value is the first of its group."""
    if not len(values):
        return values
    sums: Counts = np.add.reduceat(values, np.flatnonzero(heads))
    return sums
