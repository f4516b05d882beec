"""The element types of arrays, and rows of different lengths in one flat array.

    symbols     h u g s p u g a         the words "hugs", "pug" and "a"
    lengths     4       3     1
    starts      0       4     7         `starts_of(lengths)`
    indexes     4 5 6 0 1 2 3           `indexes_of` the rows 1 and 0: symbols[indexes] is p u g h u g s

A sum over each row is `np.add.reduceat` at its start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Ids: TypeAlias = NDArray[np.int32]  # ids of tokens; -1 is a separator or an unknown symbol
Steps: TypeAlias = NDArray[np.int32]  # steps of a training, such as `merged_at`
Counts: TypeAlias = NDArray[np.int64]  # how often something occurs
Offsets: TypeAlias = NDArray[np.intp]  # positions in a text, in bytes or in characters
ShortOffsets: TypeAlias = NDArray[np.int32]  # offsets in a text of less than 2 GB
Indexes: TypeAlias = NDArray[np.intp]  # positions in another array: what NumPy's own functions return
Mask: TypeAlias = NDArray[np.bool_]
Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.signedinteger[Any]]  # where 32 and 64 bits are both right

Number = TypeVar("Number", bound=np.generic)

PIECE = 1 << 14  # numbers in one NumPy call; more of them would hold up other threads noticeably
FEW_NUMBERS = 2048  # numbers; fewer are sorted fast


def starts_of(lengths: Integers) -> Offsets:
    """Return the offset at which each row starts.

    >>> starts_of(np.array([4, 3, 1])).tolist()
    [0, 4, 7]
    """
    starts: Offsets = np.cumsum(lengths) - lengths
    return starts


def repeated(values: NDArray[Number], lengths: Integers) -> NDArray[Number]:
    """Return each value repeated as often as its length says. Unlike `np.repeat`, this lets other threads go on.

    >>> repeated(np.array([7, 8, 9]), np.array([2, 0, 1])).tolist()
    [7, 7, 9]
    """
    if len(values) <= PIECE:
        return np.repeat(values, lengths)
    ends = np.append(0, np.cumsum(lengths))
    found = np.empty(ends[-1], values.dtype)
    for first in range(0, len(values), PIECE):
        piece = slice(first, first + PIECE)
        found[ends[first] : ends[min(first + PIECE, len(values))]] = np.repeat(values[piece], lengths[piece])
    return found


def list_of(numbers: NDArray[np.generic]) -> list[Any]:
    """Return the numbers of an array as a list. Unlike `tolist`, this lets other threads go on.

    >>> list_of(np.array([1, 2]))
    [1, 2]
    """
    found: list[Any] = []
    for first in range(0, len(numbers), PIECE):
        found += numbers[first : first + PIECE].tolist()
    return found


def listed_ids(ids: Ids) -> list[int]:
    """Return ids, each -1 or more, as a list. Equal ids are one object, which takes less time and memory than many.

    >>> listed_ids(np.array([1, 0, -1, 1], np.int32))
    [1, 0, -1, 1]
    """
    most = int(ids.max(initial=0))
    if len(ids) <= 4 * most:  # making the objects would take longer
        return list_of(ids)
    objects = np.append(np.arange(most + 1), -1).astype(object)  # the id -1 is the index of the last entry
    found: list[int] = []
    for first in range(0, len(ids), PIECE):
        found += objects.take(ids[first : first + PIECE]).tolist()
    return found


def numbers_in(numbers: Iterable[int], size: int) -> NDArray[np.int32]:
    """Return the first `size` numbers as an array. Unlike `np.fromiter`, this lets other threads go on.

    >>> numbers_in([7, 8, 9], 2).tolist()
    [7, 8]
    """
    found, rest = np.empty(size, np.int32), iter(numbers)
    for first in range(0, size, PIECE):
        piece = min(PIECE, size - first)
        found[first : first + piece] = np.fromiter(rest, np.int32, piece)
    return found


def indexes_of(starts: Integers, lengths: Integers) -> Offsets:
    """Return the indexes of all entries of some rows. Row `i` has `lengths[i]` entries, from the index `starts[i]` on.

    >>> indexes_of(np.array([4, 0]), np.array([3, 4])).tolist()
    [4, 5, 6, 0, 1, 2, 3]
    """
    shift = repeated(starts - starts_of(lengths), lengths)
    indexes: Offsets = shift + np.arange(len(shift))
    return indexes


def without_overlaps(sites: Integers, distance: int = 1) -> Integers:
    """Drop each site of a pair that overlaps the site before: every second, if sites stand `distance` apart in a row.

    A pair of equal tokens is joined from left to right. In `aaaa` the pair a + a has the sites 1, 2 and 3:

        sites       1 2 3   6           with another site further on
        follows     - x x   -           at `distance` after the site before
        in a row    0 1 2   0           even numbers stay

    >>> without_overlaps(np.array([1, 2, 3, 6])).tolist()
    [1, 3, 6]
    """
    follows = np.diff(sites, prepend=-distance - 1) == distance
    if not follows.any():
        return sites
    number = np.arange(len(sites))
    in_row = number - np.maximum.accumulate(np.where(follows, 0, number))
    remaining: Integers = sites[in_row % 2 == 0]
    return remaining


class Rows(NamedTuple, Generic[Number]):
    """Rows of numbers in one array; row `i` has `lengths[i]` entries. An entry may have several columns."""

    numbers: NDArray[Number]
    lengths: Integers

    def gathered(self, which: Integers) -> Rows[Number]:
        """Return the rows with the numbers `which`, in the order of `which`.

        >>> Rows(np.array([7, 8, 9]), np.array([1, 2])).gathered(np.array([1, 0, 1])).numbers.tolist()
        [8, 9, 7, 8, 9]
        """
        starts, lengths = starts_of(self.lengths), self.lengths.take(which)
        numbers, done = np.empty((int(lengths.sum()), *self.numbers.shape[1:]), self.numbers.dtype), 0
        for first in range(0, len(which), PIECE):  # the indexes of a piece stay in the processor's cache
            piece = slice(first, first + PIECE)
            indexes = indexes_of(starts.take(which[piece]), lengths[piece])
            numbers[done : done + len(indexes)] = self.numbers.take(indexes, 0)  # `take` is fast for columns as well
            done += len(indexes)
        return Rows(numbers, lengths)

    def followed_by(self, other: Rows[Number]) -> Rows[Number]:
        """Return these rows, followed by the rows of `other`.

        >>> Rows(np.array([7]), np.array([1])).followed_by(Rows(np.array([8, 9]), np.array([2]))).tuples()
        [(7,), (8, 9)]
        """
        return Rows(np.concatenate((self.numbers, other.numbers)), np.concatenate((self.lengths, other.lengths)))

    def tuples(self) -> list[tuple[int, ...]]:
        """Return each row as a tuple.

        >>> Rows(np.array([7, 8, 9]), np.array([1, 2])).tuples()
        [(7,), (8, 9)]
        """
        numbers, ends = list_of(self.numbers), list_of(np.cumsum(self.lengths))
        return [tuple(numbers[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def rows_of(tuples: Sequence[tuple[int, ...]]) -> Rows[np.int32]:
    """Return tuples of ids as rows.

    >>> rows_of([(7,), (8, 9)]).numbers.tolist()
    [7, 8, 9]
    """
    lengths = np.fromiter(map(len, tuples), np.intp, len(tuples))
    return Rows(numbers_in(chain.from_iterable(tuples), int(lengths.sum())), lengths)


def distinct(values: Integers) -> tuple[Integers, Indexes]:
    """Return the different values in ascending order, and for each value its index among the different values.

    Values are 0 or more. `FEW_NUMBERS` values or more are not sorted, but marked in an array of all possible values.

    >>> distinct(np.array([7, 2, 7]))[1].tolist()
    [1, 0, 1]
    """
    if len(values) < FEW_NUMBERS:
        return np.unique(values, return_inverse=True)
    indexes = values.astype(np.intp)
    seen = np.zeros(int(indexes.max()) + 1, bool)
    seen[indexes] = True
    different = np.flatnonzero(seen)
    number = np.empty(len(seen), np.intp)
    number[different] = np.arange(len(different))
    return different, number.take(indexes)
