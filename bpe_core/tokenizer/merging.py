"""Merging the symbols of a word in the order in which merges were learnt: what encoding is.

The rank of a merge is its number in that order. Of all pairs in the word the one with the lowest rank is joined, again
and again, until no pair has a rank. With the merges l + o (rank 0), lo + w (1), e + r (2):

    symbols   l   o   w   e   r
    ranks       0   –   –   2          – : no merge joins this pair
    symbols   lo  w   e   r
    ranks       1   –   2
    symbols   low e   r
    ranks       –   2
    symbols   low er
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import pairwise
from sys import maxsize
from typing import NamedTuple

SHORT_WORD = 64  # symbols; up to here looking through all pairs is faster than keeping a queue
NO_MERGE = (maxsize, 0)  # the rank of a pair that no merge joins

Ranks = dict[tuple[int, int], tuple[int, int]]  # (left id, right id) → (rank, new id)


def ranks_of(merges: Iterable[tuple[int, int, int]], shared: bool = False) -> Ranks:
    """The rank of every pair, from merges (left id, right id, new id). `shared`: merges to one token share a rank.

    >>> ranks_of([(0, 1, 3), (1, 2, 4), (3, 2, 5), (0, 4, 5)], shared=True)
    {(0, 1): (0, 3), (1, 2): (1, 4), (3, 2): (2, 5), (0, 4): (2, 5)}
    """
    first: dict[int, int] = {}
    return {
        (left, right): (first.setdefault(new, rank) if shared else rank, new)
        for rank, (left, right, new) in enumerate(merges)
    }


def merged(ids: list[int], ranks: Ranks) -> list[int]:
    """The ids after all merges, the lowest rank first and of equal ones the leftmost. May change the list `ids`.

    >>> merged([0, 1, 2], ranks_of([(1, 2, 4), (0, 1, 3)]))
    [0, 4]
    """
    if len(ids) > SHORT_WORD:
        return [i for i in merge_by_queue(ids, ranks) if i is not None]
    found = [ranks.get(pair, NO_MERGE) for pair in pairwise(ids)]
    while found and (best := min(found)) is not NO_MERGE:
        i = found.index(best)
        ids[i : i + 2] = [best[1]]
        del found[i]
        if i:
            found[i - 1] = ranks.get((ids[i - 1], ids[i]), NO_MERGE)
        if i < len(found):
            found[i] = ranks.get((ids[i], ids[i + 1]), NO_MERGE)
    return ids


def merge_by_queue(ids: list[int], ranks: Ranks) -> list[int | None]:
    """The same with a queue, for a long word: n symbols cost n log n.

    A joined token takes the cell of its left half; the other cell is None. `before` and `behind` lead from a cell to
    its neighbours that are in use.

    >>> merge_by_queue([0, 1, 2], ranks_of([(1, 2, 4), (0, 1, 3)]))
    [0, 4, None]
    """
    size = len(ids)
    behind, before = list(range(1, size + 1)), list(range(-1, size - 1))
    queue = [(*ranks[pair], i, *pair) for i, pair in enumerate(pairwise(ids)) if pair in ranks]
    queue = [(rank, i, left, right, new) for rank, new, i, left, right in queue]
    heapq.heapify(queue)
    while queue:
        _, i, left, right, new = heapq.heappop(queue)
        j = behind[i]
        if j == size or ids[i] != left or ids[j] != right:
            continue  # one of the two has been merged since
        ids[i], ids[j] = new, None
        behind[i] = k = behind[j]
        if k < size:
            before[k] = i
        for a, b in ((before[i], i), (i, k)):
            if a >= 0 and b < size and (made := ranks.get((ids[a], ids[b]))):
                heapq.heappush(queue, (made[0], a, ids[a], ids[b], made[1]))
    return ids


class Made(NamedTuple):
    """How merges make a token: the steps of the boundaries inside it, and its last merge (left id, right id, step)."""

    inside: tuple[int, ...] = ()
    last: tuple[int, int, int] | None = None


def joined_alone(ids: Iterable[int], ranks: Ranks) -> list[tuple[int, Made]]:
    """The tokens that symbols become by the merges of lowest rank first, each with how it was made.

    Where a half comes later than the whole, its boundaries count as fallen with the whole.

    >>> joined_alone([0, 1, 2], {(1, 2): (0, 3), (0, 3): (1, 4)})
    [(4, Made(inside=(2, 1), last=(0, 3, 2)))]
    """
    parts = [(i, Made()) for i in ids]
    while True:
        pairs = pairwise(parts)
        found = [(*ranks[pair], k) for k, ((a, _), (b, _)) in enumerate(pairs) if (pair := (a, b)) in ranks]
        if not found:
            return parts
        rank, new, k = min(found, key=lambda row: (row[0], row[2]))
        (left, before), (right, behind) = parts[k : k + 2]
        step = rank + 1
        inside = (*(min(s, step) for s in before.inside), step, *(min(s, step) for s in behind.inside))
        parts[k : k + 2] = [(new, Made(inside, (left, right, step)))]
