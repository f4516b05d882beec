"""The merges that follow from ranks: `joined_by_rank` joins one token, `merges_of` finds the merges of all tokens.

`merges_of` has the tokens in one text, the longest first, so that tokens with many parts are at the front of the text.
A boundary has the number of the byte after it. Each remaining boundary stores the numbers of the next boundary and of
the boundary before:

    text        l o w e r l o w         the tokens `lower` and `low`, with two parts each: low er, lo w
    boundary    0 1 2 3 4 5 6 7 8       0, 5 and 8 are ends of tokens and stay
    after       3 . . 5 . 7 . 8
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bpe_core.files.format import FormatError
from bpe_core.files.reading import MAX_ID
from bpe_core.text.arrays import Bytes, Indexes, Integers, Offsets, indexes_of, list_of, numbers_in, repeated, starts_of
from bpe_core.tokenizer.merging_arrays import HashTable

MAX_WORK = 1 << 27  # the sum of the squared lengths of the tokens
BLOCK = 1 << 17  # bytes of tokens at a time: their arrays fit into the processor's cache
BASE = secrets.randbits(64) | 1  # odd, so it has an inverse modulo 2^64; drawn, so no file can be made against it
NEVER = MAX_ID << 32  # the key of a boundary between parts that are not a token together


def joined_by_rank(token: bytes, ranks: dict[bytes, int]) -> list[bytes]:
    """Return the parts of a token: join its bytes by rank, until two parts remain or no neighbours make a token.

    >>> joined_by_rank(b"abc", {b"bc": 256, b"ab": 257, b"abc": 258}), joined_by_rank(b"abc", {b"abc": 256})
    ([b'a', b'bc'], [b'a', b'b', b'c'])
    """
    ends = list(range(len(token) + 1))  # part k is token[ends[k] : ends[k + 1]]
    found = [ranks.get(token[i : i + 2], MAX_ID) for i in range(len(token) - 1)]
    while len(found) > 1 and (best := min(found)) < MAX_ID:
        i = found.index(best)
        del found[i], ends[i + 1]
        if i:
            found[i - 1] = ranks.get(token[ends[i - 1] : ends[i + 1]], MAX_ID)
        if i < len(found):
            found[i] = ranks.get(token[ends[i] : ends[i + 2]], MAX_ID)
    return [token[start:end] for start, end in pairwise(ends)]


def merges_one_by_one(order: Sequence[tuple[bytes, int]]) -> tuple[tuple[int, int, int], ...]:
    """Return the same merges as `merges_of`, but find them token by token."""
    ranks = dict(order)
    merges = []
    for token, rank in order:
        if len(token) > 1:
            parts = joined_by_rank(token, ranks)
            if len(parts) == 2 and all(part in ranks for part in parts):
                merges.append((ranks[parts[0]], ranks[parts[1]], rank))
    return tuple(merges)


def merges_of(order: Sequence[tuple[bytes, int]]) -> tuple[tuple[int, int, int], ...]:
    """Return the merges (left id, right id, new id) that follow from ranks, one for each token that merges make.

    `order`: (token, id) in the order of the ids, single bytes included. The same merge makes a token in every text:
    until that merge, the token's bytes join as they do alone. A token without a merge can only be a whole pretoken.

    >>> merges_of([(b"a", 0), (b"b", 1), (b"ab", 2), (b"aba", 3), (b"bbb", 4)])
    ((0, 1, 2), (2, 0, 3))
    """
    if sum(len(token) ** 2 for token, _ in order) > MAX_WORK:
        raise FormatError("the tokens are too long for their merges to be found from their ranks")
    order = [row for row in order if row[0]]
    lengths = numbers_in((len(token) for token, _ in order), len(order)).astype(np.int64)
    places = np.argsort(-lengths, kind="stable")
    tokens = _RankedTokens(b"".join([order[i][0] for i in list_of(places)]), lengths[places])
    if not tokens.hashes_differ:  # perhaps because a token is given twice
        return merges_one_by_one(order)
    ids = np.array([i for _, i in order], np.int64)[places]
    ranks = np.append(ids, MAX_ID)  # the last rank is for bytes that are no token
    blocks = [_halves(tokens, rows, ranks) for rows in tokens.blocks]
    left, right = (np.concatenate([found[side] for found in blocks] or [places]) for side in (0, 1))
    whole = np.flatnonzero((left < len(ids)) & (right < len(ids)))
    whole = whole[np.argsort(places[whole])]
    return tuple(zip(*(list_of(ids[rows]) for rows in (left[whole], right[whole], whole)), strict=True))


class _Spans:
    """The hashes of the spans of a text. A span a b c has the hash a + b * BASE + c * BASE^2 modulo 2^63.

    a, b and c are the bytes plus 1. The hash is the difference of two sums over the text, divided by the power of
    `BASE` of the span's first byte.
    """

    def __init__(self, text: Bytes) -> None:
        self._sums = np.append(0, np.cumsum((text + np.int64(1)) * _powers(BASE, len(text))))
        self._inverse = _powers(pow(BASE, -1, 1 << 64), len(text))

    def hashes(self, start: Integers, end: Integers) -> Offsets:
        """Return the hash of each span."""
        found: Offsets = (self._sums[end] - self._sums[start]) * self._inverse[start] & np.iinfo(np.int64).max
        return found


def _powers(base: int, number: int) -> Offsets:
    """Return the first `number` powers of `base`, modulo 2^64."""
    powers = np.full(number, base, np.uint64)
    powers[:1] = 1
    return np.cumprod(powers).view(np.int64)


class _RankedTokens:
    """Tokens one after another, the longest first; token `row` is `text[starts[row] : starts[row] + lengths[row]]`.

    A token is found by its hash, if all tokens have different hashes (`hashes_differ`).
    `blocks`: slices of the rows, each of about `BLOCK` bytes.
    """

    def __init__(self, text: bytes, lengths: Offsets) -> None:
        self.text: Bytes = np.frombuffer(text, np.uint8)
        self.lengths, self.starts = lengths, starts_of(lengths)
        firsts = np.flatnonzero(np.diff(self.starts // BLOCK, prepend=-1)).tolist()
        self.blocks = [slice(*ends) for ends in pairwise([*firsts, len(lengths)])]
        hashes = np.empty(len(lengths), np.int64)
        for rows in self.blocks:
            text_here, starts, ends = self.block(rows)
            hashes[rows] = _Spans(text_here).hashes(starts, ends)
        self.hashes_differ = len(np.unique(hashes)) == len(hashes)
        if self.hashes_differ:
            self._table = HashTable(hashes, np.arange(len(hashes), dtype=np.int32))

    def block(self, rows: slice) -> tuple[Bytes, Offsets, Offsets]:
        """Return the text of some tokens, and the offsets in that text where each token starts and ends."""
        first = self.starts[rows][0]
        ends = self.starts[rows] + self.lengths[rows]
        return self.text[first : ends[-1]], self.starts[rows] - first, ends - first

    def rows(self, hashes: Offsets, starts: Offsets, lengths: Offsets) -> Indexes:
        """Return for each span the row of the token that the span spells; the number of tokens if it spells none.

        A token is found by its hash, and then compared byte by byte.
        """
        none = len(self.lengths)
        row = np.minimum(self._table.look_up(hashes), none).astype(np.intp)
        found = np.flatnonzero(row < none)
        as_long = self.lengths[row[found]] == lengths[found]
        row[found[~as_long]] = none
        found = found[as_long]
        each = lengths[found]
        differ = self.text[indexes_of(starts[found], each)] != self.text[indexes_of(self.starts[row[found]], each)]
        if differ.any():
            row[repeated(found, each)[differ]] = none
        return row


def _halves(tokens: _RankedTokens, rows: slice, ranks: Offsets) -> tuple[Indexes, Indexes]:
    """Join the bytes of some tokens by rank. Return the rows of the left and of the right half of each token.

    A token that does not end as two parts gets the number of all tokens in place of both rows. Each round removes one
    boundary in each token of more than two parts: the boundary with the lowest key. The key is the rank of the two
    parts together, then the boundary's number.
    """
    text, starts, ends = tokens.block(rows)
    spans, offset = _Spans(text), tokens.starts[rows][0]

    def look_up(start: Integers, end: Integers) -> Indexes:
        return tokens.rows(spans.hashes(start, end), start + offset, end - start)

    before, after = np.arange(-1, len(text)), np.arange(1, len(text) + 2)
    inner = np.ones(len(text) + 1, bool)
    inner[starts] = inner[-1] = False
    changed = np.flatnonzero(inner)
    key = np.full(len(text), NEVER)
    parts = 2
    while True:
        key[changed] = ranks[look_up(before[changed], after[changed])] << 32 | changed
        going = np.count_nonzero(tokens.lengths[rows] > parts)
        best = np.minimum.reduceat(key[: ends[going - 1]], starts[:going]) if going else key[:0]
        joined = best[best < NEVER] & 0xFFFFFFFF
        if not len(joined):
            break
        key[joined] = NEVER
        start, end = before[joined], after[joined]
        after[start], before[end] = end, start
        changed = np.concatenate((start, end))
        changed = changed[inner[changed]]
        parts += 1
    middle = after[starts]
    two = np.flatnonzero((middle < ends) & (after[middle] == ends))
    left, right = np.full((2, len(starts)), len(tokens.lengths))
    left[two], right[two] = look_up(starts[two], middle[two]), look_up(middle[two], ends[two])
    return left, right
