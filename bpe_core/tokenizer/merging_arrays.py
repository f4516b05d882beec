"""Merging many words at a time, and one very long word.

The words are in one flat array. In each round every word joins its pair of lowest rank, at all sites of that pair in
the word. The rounds end when no merge joins a pair of any word:

    ids     h u g . p u g s      words `hug.` and `pugs`
    rank    7 3 - - 9 3 5 -      of each symbol with the next symbol of its word; - is none
    round 1 h ug .  p ug s       both words join u and g
    rank    4 -  -  6 8  -
    round 2 hug .  pug s

Joining at all sites halves a run of equal symbols in each round. Words that still have pairs to join after many rounds
are merged with a queue.

The ranks of all pairs are a hash table in arrays, so that many pairs are looked up at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bpe_core.text.arrays import (
    PIECE,
    Ids,
    Indexes,
    Integers,
    Mask,
    Offsets,
    Steps,
    indexes_of,
    repeated,
    starts_of,
    without_overlaps,
)
from bpe_core.tokenizer.merging import Ranks, merge_by_queue

NONE = int(np.iinfo(np.int32).max)  # the rank of a pair that no merge joins
EMPTY = -1  # no key


class HashTable:
    """A table with the rank of each key. No two keys are equal, and no key is below 0.

    Each key is stored in its first slot. If that slot is taken, the key is stored in the next free slot:

        slot        0      1      2      3      4      5      6      7
        keys        -      a+b    -      -      b+b    ab+b   -      -       b+b and ab+b have the same first slot
        ranks       -      0      -      -      2      1      -      -

    At least seven of eight slots are empty, so most pairs are found at the first slot.

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
    return (spread >> np.uint64(65 - slots.bit_length())).astype(np.intp)


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


SEGMENT = 32  # symbols
ROUNDS = 128  # rounds of arrays; after them a queue is as fast


class TokenArrays(NamedTuple):
    """Tokens in order: for each the offset of its first base symbol, and its id."""

    at: Offsets
    ids: Ids


class _Words(NamedTuple):
    """The tokens of all words, one word after another. Word `w` has `sizes[w]` tokens.

    `rank`: the rank of each token with the next token of its word.
    """

    at: Offsets
    ids: Ids
    rank: Steps
    sizes: Offsets

    def split(self, chosen: Mask) -> tuple[TokenArrays, _Words]:
        """Return the tokens of the words that are not chosen, and the chosen words."""
        stays = repeated(chosen, self.sizes)
        gone, left = np.flatnonzero(~stays), np.flatnonzero(stays)  # for several arrays, indexes are faster than a mask
        others = TokenArrays(self.at.take(gone), self.ids.take(gone))
        return others, _Words(self.at.take(left), self.ids.take(left), self.rank.take(left), self.sizes[chosen])


class MergeTable:
    """A table of all merges, for merging words in arrays."""

    def __init__(self, ranks: Ranks) -> None:
        """Make a table of the ranks."""
        self._ranks, self._table = ranks, RankTable(ranks)

    def merge(self, ids: Ids, starts: Offsets, ends: Offsets) -> TokenArrays:
        """Merge each word by itself: `ids[starts[w] : ends[w]]` are the symbols of word `w`. Starts are in order.

        As many words are merged together as the processor's cache has room for.

        >>> table = MergeTable({(0, 1): (5, 9)})
        >>> table.merge(np.array([0, 1, 1, 0, 1]), np.array([0, 3]), np.array([3, 5])).ids.tolist()
        [9, 1, 9]
        """
        pieces = [slice(first, first + PIECE) for first in range(0, max(1, len(starts)), PIECE)]
        at, tokens = zip(*(self._merge_piece(ids, starts[piece], ends[piece]) for piece in pieces), strict=True)
        return TokenArrays(np.concatenate(at), np.concatenate(tokens))

    def _merge_piece(self, ids: Ids, starts: Offsets, ends: Offsets) -> TokenArrays:
        sizes = ends - starts
        at = indexes_of(starts, sizes)
        done = self._merge_rounds(at, ids[at], sizes[sizes > 0])
        return _in_order([tokens.at for tokens in done], [tokens.ids for tokens in done])

    def _merge_by_queue(self, at: Offsets, ids: Ids) -> TokenArrays:
        cells, merged = zip(*merge_by_queue(ids.tolist(), self._ranks), strict=True)
        return TokenArrays(at[list(cells)], np.array(merged, np.int32))

    def _merge_rounds(self, at: Offsets, ids: Ids, sizes: Offsets) -> list[TokenArrays]:
        """Merge words in rounds; word `w` has `sizes[w]` symbols. Return arrays of tokens, the first finished first."""
        done = [TokenArrays(at[:0], ids[:0])]
        words = _Words(at, ids, self._ranks_within(ids, sizes), sizes)
        for _ in range(ROUNDS):
            if not len(words.sizes):
                return done
            best = np.minimum.reduceat(words.rank, starts_of(words.sizes))
            still_open = best != NONE
            if np.count_nonzero(still_open) < 0.8 * len(best):  # finished words leave
                at_end, words = words.split(still_open)
                best = best[still_open]
                done.append(at_end)
            words = self._joined_once(words, best)
        starts = starts_of(words.sizes)
        spans = zip(starts.tolist(), (starts + words.sizes).tolist(), strict=True)
        return done + [self._merge_by_queue(words.at[a:b], words.ids[a:b]) for a, b in spans]

    def _ranks_within(self, ids: Ids, sizes: Offsets) -> Steps:
        """Return the rank of each token with the next token of its word; `NONE` for a word's last token."""
        rank = np.full(len(ids), NONE, np.int32)
        rank[:-1] = self._table.look_up(ids[:-1], ids[1:])
        rank[starts_of(sizes)[1:] - 1] = NONE
        return rank

    def _joined_once(self, words: _Words, best: Steps) -> _Words:
        """Do one round: in each word, join the pair of rank `best` at all sites of the pair.

            ids      h u g . p u g s         the words "hug." and "pugs"; best is 3 in both
            rank     7 3 - - 9 3 5 -
            sites      ^       ^             the left halves of the pairs that are joined
            ids      h T   . p T   s         T takes the cell of its left half; the other cell goes
            rank     ? ?   - ? ?   -         to be looked up anew: on both sides of a T

        If joining at one site may change other sites of this rank, only the first site of each word is joined.
        """
        at, ids, rank, sizes = words
        first = starts_of(sizes)
        of_word = best if len(best) == 1 else repeated(best, sizes)
        sites = without_overlaps(np.flatnonzero((rank == of_word) & (rank != NONE)))
        word = np.searchsorted(first, sites, "right") - 1
        allowed = self._table.at_once[rank[sites]] | (np.diff(word, prepend=-1) > 0)
        sites, word = sites[allowed], word[allowed]
        ids[sites] = self._table.made[rank[sites]]
        rank[sites] = np.where(sites + 2 < first[word] + sizes[word], 0, NONE)  # 0: to be looked up
        keep = np.ones(len(ids), bool)
        keep[sites + 1] = False
        kept = np.flatnonzero(keep)
        at, ids, rank = at.take(kept), ids.take(kept), rank.take(kept)
        sizes = sizes - np.bincount(word, minlength=len(sizes))
        sites -= np.arange(len(sites))
        changed = np.concatenate((sites[rank[sites] == 0], sites[sites > starts_of(sizes)[word]] - 1))
        rank[changed] = self._table.look_up(ids[changed], ids[changed + 1])
        return _Words(at, ids, rank, sizes)

    def merge_long(self, ids: Ids) -> TokenArrays:
        """Merge one long word; n symbols cost n log n at most, and n on most texts.

            segments      |-------|-------|-------|     each merged by itself
            windows           |-------|-------|         each merged by itself, around the borders of segments
            taken         sssssswwwssssswwwssssssss     from one shared token to the next

        A row of tokens is right if every two neighbours, merged alone, stay the same two tokens: a merge across the two
        has the same rank there as in the whole word. So where a segment and a window share a token, the result can
        change from the segment's tokens to the window's tokens. At the next shared token the result can change back. A
        border without a shared token before it or after it is removed, and its two segments are merged as one. Each
        further round removes more borders around the removed border: one on each side, then two, then four.
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
            rest = borders[~_widened(bad, reach)]
            starts, ends = np.append(0, rest), np.append(rest, len(ids))
            joined = np.searchsorted(borders, ends) > np.searchsorted(
                borders, starts, "right"
            )  # segments with a removed border inside
            segments = _replaced(segments, self.merge(ids, starts[joined], ends[joined]), starts[joined], ends[joined])
            borders, reach = rest, max(1, 2 * reach)


def _widened(marked: Mask, reach: int) -> Mask:
    """Return a wider mask: around each entry of `marked`, the `reach` entries before and after it are marked too.

    >>> _widened(np.array([True, False, False]), 1).tolist()
    [True, True, False]
    """
    before = np.append(0, np.cumsum(marked))
    at = np.arange(len(marked))
    return before[np.minimum(at + reach + 1, len(marked))] > before[np.maximum(at - reach, 0)]


def _shared_around(borders: Offsets, segments: TokenArrays, windows: TokenArrays, size: int) -> tuple[Offsets, Offsets]:
    """Return for each border the end of a shared token before it, and the start of a shared token after it, or -1.

    A border is between two segments; a shared token is in both `segments` and `windows` (see `MergeTable.merge_long`).
    Here segments have 4 symbols, and the merges are t + o and b + e:

        symbols     t o ␠ b e ␠ t o ␠ b e ␠
        segments    to  ␠ b|e ␠ to |␠ be  ␠       the borders are 4 and 8
        windows         ␠ be  ␠|to  ␠ b           2 symbols on both sides of a border
        shared          ␠     ␠ to  ␠             the same token of the same symbols
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


def _alternated(segments: TokenArrays, windows: TokenArrays, left: Offsets, right: Offsets) -> TokenArrays:
    """Return the tokens of `windows` from each `left` to its `right`, and the tokens of `segments` elsewhere.

        left, right       3 5   8,8
        inside            be                      tokens of windows
        outside     to  ␠     ␠ to  ␠ be  ␠       tokens of segments

    >>> segments = TokenArrays(np.arange(3), np.array([5, 6, 7]))
    >>> windows = TokenArrays(np.arange(3), np.array([1, 2, 3]))
    >>> _alternated(segments, windows, np.array([1]), np.array([2])).ids.tolist()
    [5, 2, 7]
    """

    def within(at: Offsets) -> Mask:
        span = np.searchsorted(left, at, "right") - 1
        return (span >= 0) & (at < np.append(right, 0)[span])

    inside = within(windows.at)
    outside = ~within(segments.at)
    return _in_order([segments.at[outside], windows.at[inside]], [segments.ids[outside], windows.ids[inside]])


def _replaced(old: TokenArrays, new: TokenArrays, starts: Offsets, ends: Offsets) -> TokenArrays:
    """Return the new tokens in the spans (start, end), and the old tokens elsewhere."""
    span = np.searchsorted(starts, old.at, "right") - 1
    outside = ~((span >= 0) & (old.at < np.append(ends, 0)[span]))
    return _in_order([old.at[outside], new.at], [old.ids[outside], new.ids])


def _in_order(at: list[Offsets], ids: list[Ids]) -> TokenArrays:
    order = np.argsort(np.concatenate(at), kind="stable")
    return TokenArrays(np.concatenate(at)[order], np.concatenate(ids)[order])
