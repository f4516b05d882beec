"""The loop of a training in plain loops over arrays, which numba turns into machine code.

It does what `trainer` does, on the same cells (see `working_corpus`). Each pair has a number, and its sites are next to
each other in one array, in ascending order. A pair is born with all its sites, so they are laid out once:

    left, right    (u, g)         (h, ug)          of pair 0 and pair 1
    begin, length  0, 2           2, 1             its part of `sites`
    sites          3 8            2                the position after the boundary between its two tokens
    heap           [-15, 3, 0]    [-10, 2, 1]      minus the count, the tie rule's key, the number of the pair

`lay_out` finds the pairs of the corpus, and `advance` merges. The smallest row of the heap is the next pair. A new
token counts its neighbours in rows of two entries, the left and the right neighbour of each token: `total`
(occurrences), `number` (sites) and `slot` (the pair, once it has a number).

Nothing here takes memory: `compiled_trainer` makes room when `ROOM` is returned. Without numba the functions are plain
Python, and slow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from bpe_core.text.arrays import Counts, Ids, Steps
from bpe_core.training.lifetimes import NEVER
from bpe_core.training.working_corpus import DEAD

Function = TypeVar("Function", bound=Callable[..., Any])


def part(function: Function) -> Function:
    """Let compiled functions call this function too. Without numba it stays plain Python."""
    try:
        from numba.extending import register_jitable
    except ImportError:
        return function
    found: Function = register_jitable(function)
    return found


# Why `advance` returns: all merges are made, no pair is left, the pair is too rare, room is needed, or it is time.
DONE, EMPTY, RARE, ROOM, PAUSE = range(5)

# What the array `at` contains: how many entries are used of the pairs, `sites` and `heap`, how many merges are made,
# how many symbols all tokens have, how many sites this slice has looked at, and the pair that is forced (or -1).
PAIRS, SITES, HEAP, MERGES, SYMBOLS, WORK, FORCED = range(7)


class Arrays(NamedTuple):
    """The arrays of a training; see the module."""

    at: Counts
    cells: Ids
    weights: Counts  # the count of each cell's word
    merged_at: Steps
    merges: Counts  # rows: left, right, count
    size: Ids  # how many symbols each token has
    names: Counts  # what a rule by name compares of each token; empty for a rule by site
    left: Ids
    right: Ids
    begin: Counts
    length: Ids
    sites: Ids
    heap: Counts
    starts: Ids  # where the new token starts
    total: Counts
    number: Ids
    slot: Ids
    seen: Ids  # the entries of these rows that are in use


@part
def _before(heap: Counts, count: int, key: int, other: int) -> bool:
    return count < heap[other, 0] or (count == heap[other, 0] and key < heap[other, 1])  # type: ignore[no-any-return]


@part
def _put(heap: Counts, i: int, count: int, key: int, pair: int) -> None:
    heap[i, 0], heap[i, 1], heap[i, 2] = count, key, pair  # a row at once would be slower


@part
def _rise(heap: Counts, i: int, count: int, key: int, pair: int) -> None:
    """Put a row into the heap at `i` or above."""
    while i > 0:
        up = (i - 1) >> 1
        if not _before(heap, count, key, up):
            break
        _put(heap, i, heap[up, 0], heap[up, 1], heap[up, 2])
        i = up
    _put(heap, i, count, key, pair)


@part
def _sink(heap: Counts, used: int, count: int, key: int, pair: int) -> None:
    """Put a row into the heap in place of the first one."""
    i = 0
    while True:
        down = 2 * i + 1
        if down >= used:
            break
        if down + 1 < used and _before(heap, heap[down + 1, 0], heap[down + 1, 1], down):
            down += 1
        if _before(heap, count, key, down):
            break
        _put(heap, i, heap[down, 0], heap[down, 1], heap[down, 2])
        i = down
    _put(heap, i, count, key, pair)


@part
def _pop(a: Arrays) -> None:
    used = a.at[HEAP] = a.at[HEAP] - 1
    _sink(a.heap, used, a.heap[used, 0], a.heap[used, 1], a.heap[used, 2])


@part
def _key(a: Arrays, pair: int) -> int:
    """Return what the tie rule compares: the first site of the pair, or the names of its two tokens."""
    if len(a.names):
        return (a.names[a.left[pair]] << 32) + a.names[a.right[pair]]  # type: ignore[no-any-return]
    return a.sites[a.begin[pair]]  # type: ignore[no-any-return]


@part
def _count(a: Arrays, pair: int) -> int:
    """Count a pair where it still occurs, and drop its other sites."""
    left, right, begin = a.left[pair], a.right[pair], a.begin[pair]
    count = kept = 0
    for i in range(begin, begin + a.length[pair]):
        j = a.sites[i]
        if a.cells[j] == right and a.cells[j - 1] == left:
            count += a.weights[j]
            a.sites[begin + kept] = j
            kept += 1
    a.length[pair] = kept
    return count


@part
def _join(a: Arrays, pair: int, new: int) -> int:
    """Join a pair into the token `new`, the leftmost of overlapping sites first. Return how often; fill `starts`."""
    left, right, begin = a.left[pair], a.right[pair], a.begin[pair]
    before, last, step, joined = a.size[left], a.size[right] - 1, a.at[MERGES], 0
    for i in range(begin, begin + a.length[pair]):
        j = a.sites[i]
        if a.cells[j] == right and a.cells[j - 1] == left:
            a.merged_at[j] = step
            a.cells[j - 1] = a.cells[j] = DEAD
            a.cells[j - before] = a.cells[j + last] = new
            a.starts[joined] = j - before
            joined += 1
    a.size[new] = before + last + 1
    a.at[SYMBOLS] += a.size[new]
    return joined


@part
def _neighbour(cells: Ids, new: int, at: int, side: int) -> int:
    """Return the row entry of the token in the cell `at`, a neighbour of `new`: left (side 0) or right; -1 for none."""
    token = cells[at]
    if token < 0 or (side and token == new):  # `new` + `new` is counted on the left side
        return -1
    return 2 * token + side  # type: ignore[no-any-return]


@part
def _bear(a: Arrays, new: int, joined: int, least: int) -> None:
    """Make the pairs of `new` and its neighbours that occur `least` times or more."""
    cells, starts, total, number, slot, size = a.cells, a.starts, a.total, a.number, a.slot, a.size[new]
    seen, first = 0, a.at[PAIRS]
    for i in range(joined):
        start = starts[i]
        weight = a.weights[start]
        for side in range(2):
            entry = _neighbour(cells, new, start + size if side else start - 1, side)
            if entry >= 0:
                if not number[entry]:
                    a.seen[seen] = entry
                    seen += 1
                number[entry] += 1
                total[entry] += weight
    pair, sites = first, a.at[SITES]
    for i in range(seen):
        entry = a.seen[i]
        if total[entry] >= least:
            token, side = entry >> 1, entry & 1
            a.left[pair], a.right[pair] = (new, token) if side else (token, new)
            a.begin[pair], a.length[pair], slot[entry] = sites, 0, pair
            pair += 1
            sites += number[entry]
    a.at[PAIRS], a.at[SITES] = pair, sites
    if pair > first:
        for i in range(joined):
            start = starts[i]
            for side in range(2):
                entry = _neighbour(cells, new, start + size if side else start - 1, side)
                if entry >= 0 and slot[entry] >= 0:
                    pair = slot[entry]
                    a.sites[a.begin[pair] + a.length[pair]] = start + size if side else start
                    a.length[pair] += 1
    for i in range(seen):
        entry = a.seen[i]
        if slot[entry] >= 0:
            pair, used = slot[entry], a.at[HEAP]
            a.at[HEAP] = used + 1
            _rise(a.heap, used, -total[entry], _key(a, pair), pair)
        total[entry], number[entry], slot[entry] = 0, 0, -1


@part
def _begins(rows: Counts) -> None:
    """Turn how many there are of each token into where each begins."""
    done = 0
    for token in range(len(rows)):
        number = rows[token]
        rows[token] = done
        done += number


def lay_out(a: Arrays, tokens: int, least: int) -> None:
    """Search the corpus for pairs, and queue those that occur `least` times or more.

    The sites of all pairs are sorted by the id to the right, and then by the id to the left. `starts` and `total` are
    in use meanwhile.
    """
    cells, starts, sites, used = a.cells, a.starts, a.sites, 0
    rights, lefts = a.total[:tokens], a.total[tokens : 2 * tokens]
    for j in range(1, len(cells)):
        if cells[j] >= 0 and cells[j - 1] >= 0 and a.merged_at[j] == NEVER:
            rights[cells[j]] += 1
            lefts[cells[j - 1]] += 1
            used += 1
    _begins(rights)
    _begins(lefts)
    for j in range(1, len(cells)):
        if cells[j] >= 0 and cells[j - 1] >= 0 and a.merged_at[j] == NEVER:
            starts[rights[cells[j]]] = j
            rights[cells[j]] += 1
    for i in range(used):
        left = cells[starts[i] - 1]
        sites[lefts[left]] = starts[i]
        lefts[left] += 1
    end = pair = 0
    for left in range(tokens):
        while end < lefts[left]:  # where the sites of this id end
            begin, right, count = end, cells[sites[end]], 0
            while end < lefts[left] and cells[sites[end]] == right:
                count += a.weights[sites[end]]
                end += 1
            if count >= least:
                a.left[pair], a.right[pair], a.begin[pair], a.length[pair] = left, right, begin, end - begin
                _rise(a.heap, pair, -count, _key(a, pair), pair)
                pair += 1
    a.total[: 2 * tokens] = 0
    a.at[SITES] = used
    a.at[PAIRS] = a.at[HEAP] = pair


@part
def _has_room(a: Arrays, sites: int, tokens: int) -> bool:
    """Return whether there is room for the pairs of a new token that occurs `sites` times at most."""
    pairs = 2 * min(sites, tokens)
    return (  # type: ignore[no-any-return]
        a.at[PAIRS] + pairs <= len(a.left)
        and a.at[HEAP] + pairs <= len(a.heap)
        and a.at[SITES] + 2 * sites <= len(a.sites)
    )


def advance(a: Arrays, base: int, until: int, least: int, min_count: int, most_symbols: int, most_work: int) -> int:
    """Merge on, and return why it stops.

    `base`: how many base symbols there are. `until`: how many merges to make. Pairs that occur fewer than `least` times
    are not made. `most_symbols`: how many symbols all tokens may have. `most_work`: where `at[WORK]` pauses.
    """
    while a.at[MERGES] < until and a.at[SYMBOLS] <= most_symbols:
        forced = a.at[FORCED] >= 0
        if not forced and not a.at[HEAP]:
            return EMPTY
        pair = a.at[FORCED] if forced else a.heap[0, 2]
        sites, new = a.length[pair], base + a.at[MERGES]
        if a.at[WORK] >= most_work:
            return PAUSE
        if not _has_room(a, sites, new + 1):
            return ROOM
        count = _count(a, pair)
        a.at[WORK] += sites + 8  # a heap costs as much as a few sites
        if not forced and count != -a.heap[0, 0]:
            if count >= least and count:
                _sink(a.heap, a.at[HEAP], -count, _key(a, pair), pair)
            else:
                _pop(a)
            continue
        if not forced:
            if count < min_count:
                return RARE
            _pop(a)
        a.at[FORCED] = -1
        merge = a.at[MERGES]
        a.merges[merge, 0], a.merges[merge, 1], a.merges[merge, 2] = a.left[pair], a.right[pair], count
        a.at[MERGES] += 1
        _bear(a, new, _join(a, pair, new), least)
    return DONE


class Loop(NamedTuple):
    """The functions of the loop, in plain Python or compiled."""

    lay_out: Callable[[Arrays, int, int], None] = lay_out
    advance: Callable[[Arrays, int, int, int, int, int, int], int] = advance
