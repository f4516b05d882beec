"""Merging the symbols of a word in the order in which merges were learnt. This is how a word is encoded.

The rank of a merge is its number in that order. The pair with the lowest rank in the word is joined, again and again,
until no pair has a rank. With the merges l + o (rank 0), lo + w (1), e + r (2):

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
from typing import NamedTuple, TypeAlias

SHORT_WORD = 64  # symbols; up to here looking through all pairs is faster than a queue
NO_MERGE = (maxsize, 0)  # the rank of a pair that no merge joins

IdMerge: TypeAlias = tuple[int, int, int]  # (left id, right id, new id)
Ranks: TypeAlias = dict[tuple[int, int], tuple[int, int]]  # (left id, right id) → (rank, new id)


def ranks_of(merges: Iterable[IdMerge], shared: bool = False) -> Ranks:
    """Return the rank of every pair. `shared`: whether all merges that make one token share the earliest rank.

    >>> ranks_of([(0, 1, 3), (1, 2, 4), (3, 2, 5), (0, 4, 5)], shared=True)
    {(0, 1): (0, 3), (1, 2): (1, 4), (3, 2): (2, 5), (0, 4): (2, 5)}
    """
    first: dict[int, int] = {}
    return {
        (left, right): (first.setdefault(new, rank) if shared else rank, new)
        for rank, (left, right, new) in enumerate(merges)
    }


def merged(ids: list[int], ranks: Ranks) -> list[int]:
    """Return the ids after all merges: the lowest rank first, then the leftmost pair. May change the list `ids`.

    >>> merged([0, 1, 2], ranks_of([(1, 2, 4), (0, 1, 3)]))
    [0, 4]
    """
    if len(ids) > SHORT_WORD:
        return [token.id for token in merge_by_queue(ids, ranks)]
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


class PlacedToken(NamedTuple):
    """A token in a word: the index of its first symbol, and its id."""

    at: int
    id: int


def merge_by_queue(ids: list[int], ranks: Ranks) -> list[PlacedToken]:
    """Merge a long word with a queue: n symbols cost n log n. Changes the list `ids`.

    A joined token takes the index of its left half in `ids`; the index of the right half is no longer in use. `before`
    and `after` lead from an index to the neighbouring indexes in use.

    >>> merge_by_queue([0, 1, 2], ranks_of([(1, 2, 4), (0, 1, 3)]))
    [PlacedToken(at=0, id=0), PlacedToken(at=1, id=4)]
    """
    size = len(ids)
    after, before = list(range(1, size + 1)), list(range(-1, size - 1))
    used = [True] * size
    ranked = [(i, pair, ranks[pair]) for i, pair in enumerate(pairwise(ids)) if pair in ranks]
    queue = [(rank, i, left, right, new) for i, (left, right), (rank, new) in ranked]
    heapq.heapify(queue)
    while queue:
        _, i, left, right, new = heapq.heappop(queue)
        j = after[i]
        if not used[i] or j == size or ids[i] != left or ids[j] != right:
            continue  # one of the two tokens has been merged since
        ids[i], used[j] = new, False
        after[i] = k = after[j]
        if k < size:
            before[k] = i
        for a, b in ((before[i], i), (i, k)):
            if a >= 0 and b < size and (made := ranks.get((ids[a], ids[b]))):
                heapq.heappush(queue, (made[0], a, ids[a], ids[b], made[1]))
    return [PlacedToken(i, ids[i]) for i in range(size) if used[i]]
