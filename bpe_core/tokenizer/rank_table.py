"""The ranks of all pairs as a hash table in arrays, to look up many pairs at a time.

Each pair has one number, its key. A key is stored in its first slot. If that slot is taken, the key is stored in the
next free slot:

    slot        0      1      2      3      4      5      6      7
    keys        -      a+b    -      -      b+b    ab+b   -      -       b+b and ab+b have the same first slot
    ranks       -      0      -      -      2      1      -      -

At least seven of eight slots are empty, so most pairs are found at the first slot.
"""

from __future__ import annotations

import numpy as np

from bpe_core.text.arrays import Ids, Indexes, Integers, Mask, Offsets
from bpe_core.tokenizer.merging import Ranks

NONE = int(np.iinfo(np.int32).max)  # the rank of a pair that no merge joins
EMPTY = -1  # no key


class HashTable:
    """A table with the rank of each key. No two keys are equal, and no key is below 0.

    >>> table = HashTable(np.array([7, 1 << 40]), np.array([0, 1], np.int32))
    >>> table.look_up(np.array([1 << 40, 8])).tolist() == [1, NONE]
    True
    """

    def __init__(self, keys: Offsets, ranks: Ids) -> None:
        """Place the keys."""
        self._keys, self._ranks = _slots(keys, ranks)

    def look_up(self, keys: Offsets) -> Ids:
        """Return the rank of each key; `NONE` where the table lacks it."""
        slot = _first_slot(keys, len(self._keys))
        found = self._keys.take(slot)
        differs = found != keys
        # NONE is above every rank, so `np.maximum` gives NONE where the slot has another key. `np.where` takes several
        # times as long.
        rank: Ids = np.maximum(self._ranks.take(slot), differs * np.int32(NONE))
        going = np.flatnonzero(differs & (found != EMPTY))  # another key has the slot
        slot = slot[going]
        while len(going):
            slot = (slot + 1) % len(self._keys)
            found, wanted = self._keys[slot], keys[going]
            rank[going] = np.where(found == wanted, self._ranks[slot], NONE)
            stays = (found != wanted) & (found != EMPTY)
            going, slot = going[stays], slot[stays]
        return rank


class RankTable:
    """The rank of each pair, and the token that each rank makes (`made`). Ranks are numbered without gaps.

    `at_once`: for each rank, whether all pairs that contain the rank's token have later ranks. If so, joining at one
    site changes nothing at the other sites of this rank. In a trained vocabulary this holds for all ranks.

    >>> table = RankTable({(0, 1): (5, 9), (1, 1): (3, 8)})
    >>> table.look_up(np.array([0, 1, 1]), np.array([1, 1, 0])).tolist() == [1, 0, NONE]
    True
    >>> table.made.tolist(), table.at_once.tolist()
    ([8, 9], [True, True])
    """

    def __init__(self, ranks: Ranks) -> None:
        """Sort the pairs, and number their ranks; merges of one rank make one token."""
        # A generator, since it lets other threads run; `chain` would not.
        numbers = (number for pair, found in ranks.items() for number in (*pair, *found))
        rows = np.fromiter(numbers, np.int64, 4 * len(ranks)).reshape(-1, 4)  # left, right, rank, new
        keys = _keys(rows[:, 0], rows[:, 1])
        order = np.argsort(keys)
        _, first, rank = np.unique(rows[order, 2], return_index=True, return_inverse=True)
        self._table = HashTable(keys[order], rank.astype(np.int32))
        self.made: Ids = rows[order, 3][first].astype(np.int32)
        self.at_once: Mask = self._first_use(rows[order, :2], rank)[self.made] > np.arange(len(self.made))

    def _first_use(self, pairs: Offsets, rank: Indexes) -> Offsets:
        """Return for each token the lowest rank of the pairs that contain the token."""
        used = np.full(max(pairs.max(initial=0), self.made.max(initial=0)) + 1, NONE)
        np.minimum.at(used, pairs.ravel(), np.repeat(rank, 2))
        return used

    def look_up(self, left: Integers, right: Integers) -> Ids:
        """Return the rank of each pair; `NONE` where no merge joins it."""
        return self._table.look_up(_keys(left, right))


def _keys(left: Integers, right: Integers) -> Offsets:
    return (left.astype(np.int64) << 32) + right


def _first_slot(keys: Offsets, slots: int) -> Offsets:
    """Return the first slot of each key. `slots`: how many slots the hash table has, a power of two."""
    spread = keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # 2^64 / the golden ratio: spreads keys well
    return (spread >> np.uint64(65 - slots.bit_length())).astype(np.int64)


def _slots(keys: Offsets, ranks: Ids) -> tuple[Offsets, Ids]:
    """Return the keys and the ranks of a hash table, as drawn at the top of the module."""
    slots = 1 << (8 * len(keys) + 1).bit_length()
    table, found = np.full(slots, EMPTY, np.int64), np.full(slots, NONE, np.int32)
    slot = _first_slot(keys, slots)
    while len(keys):
        free = np.flatnonzero(table[slot] == EMPTY)
        taken = free[np.unique(slot[free], return_index=True)[1]]
        table[slot[taken]], found[slot[taken]] = keys[taken], ranks[taken]
        rest = np.ones(len(keys), bool)
        rest[taken] = False
        keys, ranks, slot = keys[rest], ranks[rest], (slot[rest] + 1) % slots
    return table, found
