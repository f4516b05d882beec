"""Intervals of pairs: which two tokens met at which boundary, and from which step to which.

Intervals follow from the lifetimes. Two tokens meet at a boundary until a merge removes it. Before that, each merge
next to the boundary replaces one of the two tokens. The word "hugs", where u + g was merged at step 1 and h + ug at
step 2:

    position     1   2   3   4            site   left  right  since  until
    symbol       h   u   g   s               2   h     u          0      1
    merged_at    ∞   2   1   ∞               2   h     ug         1      2
                                             3   u     g          0      1
                                             4   g     s          0      1
                                             4   ug    s          1      2
                                             4   hug   s          2      ∞
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.text.arrays import Counts, Indexes, Integers, Mask
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
