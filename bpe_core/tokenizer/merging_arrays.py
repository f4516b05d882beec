"""Merging many words at a time, and one word that is very long.

All words lie one after the other. In each round every word joins its pair of lowest rank, wherever it stands in the
word, until no word has a pair that a merge joins:

    ids     h u g . p u g s      words `hug.` and `pugs`
    rank    7 3 - - 9 3 5 -      of each symbol with the next of its word; - is none
    round 1 h ug .  p ug s       both words join u and g
    rank    4 -  -  6 8  -
    round 2 hug .  pug s

So a run of equal symbols is halved in each round. Words that are still open after many rounds go on with a queue.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bpe_core.text.flat_arrays import indexes_of, starts_of, without_overlaps
from bpe_core.tokenizer.merging import Ranks, merge_by_queue

NONE = np.iinfo(np.int32).max
SEGMENT = 32  # symbols
ROUNDS = 128  # after so many rounds a queue is as fast
EMPTY = -1  # no key


class Tokens(NamedTuple):
    """Tokens in order: the offset of the base symbol that each starts with, and its id."""

    at: np.ndarray
    ids: np.ndarray


class MergeTable:
    """The ranks of all pairs, to be looked up in arrays."""

    def __init__(self, ranks: Ranks) -> None:
        """Sort the pairs, and number the ranks without gaps; merges of one rank make one token."""
        self.ranks = ranks
        rows = np.array([(left, right, *found) for (left, right), found in ranks.items()], np.int64).reshape(-1, 4)
        keys = (rows[:, 0] << 32) + rows[:, 1]
        order = np.argsort(keys)
        _, first, rank = np.unique(rows[order, 2], return_index=True, return_inverse=True)
        self._keys, self._rank = _slots(keys[order], rank.astype(np.int32))
        self._made = rows[order, 3][first].astype(np.int32)
        self._at_once = self._made_before_used(rows[order, :2], rank)

    def _made_before_used(self, pairs: np.ndarray, rank: np.ndarray) -> np.ndarray:
        """For each rank whether all pairs with the token that it makes have later ranks.

        Then what is joined at one site changes nothing at the others of this rank. Trained merges are all so.
        """
        used = np.full(max(pairs.max(initial=0), self._made.max(initial=0)) + 1, NONE)
        np.minimum.at(used, pairs.ravel(), np.repeat(rank, 2))
        return used[self._made] > np.arange(len(self._made))

    def look_up(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """The rank of each pair; NONE where no merge joins it.

        >>> MergeTable({(0, 1): (5, 9), (1, 1): (3, 8)}).look_up(np.array([0]), np.array([1])).tolist()
        [1]
        """
        keys = (left.astype(np.int64) << 32) + right
        slot = _first_slot(keys, len(self._keys))
        found = self._keys[slot]
        rank = np.where(found == keys, self._rank[slot], NONE)
        going = np.flatnonzero((found != keys) & (found != EMPTY))  # another pair has the slot
        slot = slot[going]
        while len(going):
            slot = (slot + 1) % len(self._keys)
            found, wanted = self._keys[slot], keys[going]
            rank[going] = np.where(found == wanted, self._rank[slot], NONE)
            stays = (found != wanted) & (found != EMPTY)
            going, slot = going[stays], slot[stays]
        return rank

    def merge(self, ids: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> Tokens:
        """The tokens of words, each merged by itself: `ids[starts[w] : ends[w]]` are the symbols of word `w`.

        >>> table = MergeTable({(0, 1): (5, 9)})
        >>> table.merge(np.array([0, 1, 1, 0, 1]), np.array([0, 3]), np.array([3, 5])).ids.tolist()
        [9, 1, 9]
        """
        sizes = ends - starts
        at = indexes_of(starts, sizes)
        done = self._merge_rounds(at, ids[at], sizes[sizes > 0])
        return _in_order([tokens.at for tokens in done], [tokens.ids for tokens in done])

    def _merge_by_queue(self, at: np.ndarray, ids: np.ndarray) -> Tokens:
        merged = merge_by_queue(ids.tolist(), self.ranks)
        kept = [i for i, token in enumerate(merged) if token is not None]
        return Tokens(at[kept], np.array([merged[i] for i in kept], np.int32))

    def _merge_rounds(self, at: np.ndarray, ids: np.ndarray, sizes: np.ndarray) -> list[Tokens]:
        """The tokens of words of these sizes, in the order in which the words come to their end."""
        done = [Tokens(at[:0], ids[:0])]
        if not len(sizes):
            return done
        first = starts_of(sizes)
        rank = np.full(len(ids), NONE, np.int32)
        rank[:-1] = self.look_up(ids[:-1], ids[1:])
        rank[first[1:] - 1] = NONE
        for _ in range(ROUNDS):
            best = np.minimum.reduceat(rank, first)
            open_words = best != NONE
            if np.count_nonzero(open_words) < 0.8 * len(sizes):  # those at their end leave
                stay = np.repeat(open_words, sizes)
                done.append(Tokens(at[~stay], ids[~stay]))
                at, ids, rank = at[stay], ids[stay], rank[stay]
                sizes, best = sizes[open_words], best[open_words]
                first = starts_of(sizes)
                if not len(sizes):
                    return done
            sites = without_overlaps(np.flatnonzero((rank == np.repeat(best, sizes)) & (rank != NONE)))
            word = np.searchsorted(first, sites, "right") - 1
            allowed = self._at_once[rank[sites]] | (np.diff(word, prepend=-1) > 0)
            sites, word = sites[allowed], word[allowed]
            ids[sites] = self._made[rank[sites]]
            keep = np.ones(len(ids), bool)
            keep[sites + 1] = False
            rank[sites] = np.where(sites + 2 < first[word] + sizes[word], 0, NONE)  # 0: to be looked up
            sizes = sizes - np.bincount(word, minlength=len(sizes))
            at, ids, rank = at[keep], ids[keep], rank[keep]
            sites -= np.arange(len(sites))
            first = starts_of(sizes)
            changed = np.concatenate((sites[rank[sites] == 0], sites[sites > first[word]] - 1))
            rank[changed] = self.look_up(ids[changed], ids[changed + 1])
        spans = zip(first.tolist(), (first + sizes).tolist(), strict=True)
        return done + [self._merge_by_queue(at[a:b], ids[a:b]) for a, b in spans]

    def merge_long(self, ids: np.ndarray) -> Tokens:
        """The tokens of one long word; n symbols cost n log n at most, and n on most texts.

            segments      |-------|-------|-------|     each merged by itself
            windows           |-------|-------|         each merged by itself, around the borders of segments
            taken         sssssswwwssssswwwssssssss     from one shared token to the next

        A row of tokens is right if every two neighbours, merged by themselves, stay two: a merge across them would have
        the same rank there. So wherever a segment and a window have the same token, the result may change from one to
        the other. A border without such a token on both sides is removed and its two segments are merged as one. Each
        further round also removes twice as many borders around it.
        """
        borders = np.arange(SEGMENT, len(ids), SEGMENT)
        half = SEGMENT // 2
        windows = self.merge(ids, borders - half, np.minimum(borders + half, len(ids)))
        starts, ends = np.append(0, borders), np.append(borders, len(ids))
        segments = self.merge(ids, starts, ends)
        reach = 0  # borders
        while True:
            left, right = _shared_around(borders, segments, windows, len(ids))
            bad = (left < 0) | (right < 0)
            if not bad.any():
                return _alternated(segments, windows, left, right)
            kept = borders[~_widened(bad, reach)]
            starts, ends = np.append(0, kept), np.append(kept, len(ids))
            joined = np.searchsorted(borders, ends) > np.searchsorted(borders, starts, "right")  # holds one that went
            segments = _replaced(segments, self.merge(ids, starts[joined], ends[joined]), starts[joined], ends[joined])
            borders, reach = kept, max(1, 2 * reach)


def _first_slot(keys: np.ndarray, slots: int) -> np.ndarray:
    """Where to look for each key in a hash table of `slots`, a power of two."""
    spread = keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # 2^64 / the golden ratio: spreads keys well
    return (spread >> np.uint64(65 - slots.bit_length())).astype(np.int64)


def _slots(keys: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(keys, values) of a hash table: a key is in its first slot, or in the next free one behind it."""
    slots = 1 << (8 * len(keys) + 1).bit_length()
    table, found = np.full(slots, EMPTY, np.int64), np.full(slots, NONE, np.int32)
    slot = _first_slot(keys, slots)
    while len(keys):
        free = np.flatnonzero(table[slot] == EMPTY)
        taken = free[np.unique(slot[free], return_index=True)[1]]
        table[slot[taken]], found[slot[taken]] = keys[taken], values[taken]
        rest = np.ones(len(keys), bool)
        rest[taken] = False
        keys, values, slot = keys[rest], values[rest], (slot[rest] + 1) % slots
    return table, found


def _widened(marked: np.ndarray, reach: int) -> np.ndarray:
    """What is marked, and what stands up to `reach` beside it.

    >>> _widened(np.array([True, False, False]), 1).tolist()
    [True, True, False]
    """
    before = np.append(0, np.cumsum(marked))
    at = np.arange(len(marked))
    return before[np.minimum(at + reach + 1, len(marked))] > before[np.maximum(at - reach, 0)]


def _shared_around(borders: np.ndarray, segments: Tokens, windows: Tokens, size: int) -> tuple[np.ndarray, np.ndarray]:
    """(end of a token before each border, start of one behind it) that segment and window share; -1: there is none.

    Here segments have 4 symbols, and the merges are t + o and b + e:

        symbols     t o ␠ b e ␠ t o ␠ b e ␠
        segments    to  ␠ b|e ␠ to |␠ be  ␠       the borders are 4 and 8
        windows         ␠ be  ␠|to  ␠ b           2 symbols on both sides of a border
        shared          ␠     ␠ to  ␠             the same token, from the same symbol to the same
        left, right       3 5   8,8               around border 4, and around border 8
    """
    half = SEGMENT // 2
    found = np.minimum(np.searchsorted(segments.at, windows.at), len(segments.at) - 1)
    segment_end, window_end = np.append(segments.at[1:], size)[found], np.append(windows.at[1:], size)
    same = (segments.at[found] == windows.at) & (segments.ids[found] == windows.ids) & (segment_end == window_end)
    starts, ends = np.append(windows.at[same], size + half), np.append(-1, window_end[same])
    left = ends[np.searchsorted(ends, borders, "right") - 1]
    right = starts[np.searchsorted(starts, borders)]
    return np.where(left > borders - half, left, -1), np.where(right < borders + half, right, -1)


def _alternated(segments: Tokens, windows: Tokens, left: np.ndarray, right: np.ndarray) -> Tokens:
    """Tokens of windows from each `left` to its `right`, and of segments elsewhere.

        left, right       3 5   8,8
        inside            be                      tokens of windows
        outside     to  ␠     ␠ to  ␠ be  ␠       tokens of segments

    >>> segments, windows = Tokens(np.arange(3), np.array([5, 6, 7])), Tokens(np.arange(3), np.array([1, 2, 3]))
    >>> _alternated(segments, windows, np.array([1]), np.array([2])).ids.tolist()
    [5, 2, 7]
    """

    def within(at: np.ndarray) -> np.ndarray:
        span = np.searchsorted(left, at, "right") - 1
        return (span >= 0) & (at < np.append(right, 0)[span])

    inside = within(windows.at)
    outside = ~within(segments.at)
    return _in_order([segments.at[outside], windows.at[inside]], [segments.ids[outside], windows.ids[inside]])


def _replaced(old: Tokens, new: Tokens, starts: np.ndarray, ends: np.ndarray) -> Tokens:
    """The old tokens, but the new ones in the spans (start, end)."""
    span = np.searchsorted(starts, old.at, "right") - 1
    kept = ~((span >= 0) & (old.at < np.append(ends, 0)[span]))
    return _in_order([old.at[kept], new.at], [old.ids[kept], new.ids])


def _in_order(at: list[np.ndarray], ids: list[np.ndarray]) -> Tokens:
    order = np.argsort(np.concatenate(at), kind="stable")
    return Tokens(np.concatenate(at)[order], np.concatenate(ids)[order])
