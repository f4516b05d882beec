"""A number for each of very many rows, in little memory: one byte where the numbers are small, as most are.

open      the latest rows, whose numbers may still grow: four bytes each
closed    chunks of rows whose numbers are known: one, two or four bytes each, as the largest of a chunk needs
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

CHUNK_ROWS = 1 << 16
NOT_COUNTED = -1
MOST = 2**31 - 1  # the largest number that is kept
Numbers = NDArray[np.int32]


class RowNumbers:
    """Numbers that grow, row by row.

    >>> numbers = RowNumbers()
    >>> for size in (3, 500, 2):
    ...     numbers.append()
    ...     numbers.add(len(numbers) - 1, size)
    >>> numbers.close(3, rows=2)
    >>> numbers.array().tolist(), numbers[1], [chunk.dtype.name for chunk in numbers.chunks()]
    ([3, 500, 2], 500, ['uint16', 'int32'])
    """

    def __init__(self) -> None:
        """Begin without rows."""
        self._closed: list[NDArray[np.integer]] = []
        self._open = array("i")
        self._start = 0  # the first open row
        self._ends: list[int] = []  # of the closed chunks

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self._start + len(self._open)

    def __getitem__(self, row: int) -> int:
        """Return the number of a row."""
        if row >= self._start:
            return self._open[row - self._start]
        chunk = int(np.searchsorted(self._ends, row, "right"))
        return int(self._closed[chunk][row - (self._ends[chunk - 1] if chunk else 0)])

    def append(self) -> None:
        """Add a row whose number is 0."""
        self._open.append(0)

    def add(self, row: int, number: int) -> None:
        """Add to the number of an open row."""
        at = row - self._start
        self._open[at] = min(self._open[at] + number, MOST)

    def close(self, before: int, rows: int = CHUNK_ROWS) -> None:
        """Close the rows before a row, in chunks of `rows` rows; the rest stays open."""
        while before - self._start >= rows:
            numbers = np.array(self._open[:rows])
            del self._open[:rows]
            self._closed.append(numbers.astype(np.min_scalar_type(int(numbers.max()))))
            self._start += rows
            self._ends.append(self._start)

    def drop(self, rows: Sequence[int], ranges: Sequence[tuple[int, int]] = ()) -> None:
        """Let rows, and all rows of ranges, count as not counted."""
        wrong = np.zeros(0, np.int64)
        if rows or ranges:
            wrong = np.unique(np.concatenate([np.array(rows, np.int64), *(np.arange(*each) for each in ranges)]))
        for number, (start, end) in enumerate(zip([0, *self._ends], self._ends, strict=False)):
            here = wrong[np.searchsorted(wrong, start) : np.searchsorted(wrong, end)]
            if len(here):
                self._closed[number] = self._closed[number].astype(np.int32)
                self._closed[number][here - start] = NOT_COUNTED
        for row in wrong[np.searchsorted(wrong, self._start) :].tolist():
            self._open[row - self._start] = NOT_COUNTED

    def chunks(self) -> Iterator[NDArray[np.integer]]:
        """Yield the numbers of all rows, in order."""
        yield from self._closed
        if self._open:
            yield np.frombuffer(self._open, np.int32)

    def array(self) -> Numbers:
        """Return the numbers of all rows as one array."""
        return np.concatenate([np.zeros(0, np.int32), *self.chunks()]).astype(np.int32)

    def more_than(self, limit: int) -> int:
        """Return how many numbers are larger than a limit."""
        return sum(int((chunk > limit).sum()) for chunk in self.chunks())

    def largest(self) -> tuple[int, int]:
        """Return the largest number, and the first row that has it; (`NOT_COUNTED`, 0) without rows."""
        found, at, start = NOT_COUNTED, 0, 0
        for chunk in self.chunks():
            row = int(chunk.argmax())
            if int(chunk[row]) > found:
                found, at = int(chunk[row]), start + row
            start += len(chunk)
        return found, at

    def quantiles(self, shares: Sequence[float]) -> list[int]:
        """Return for each share a number that at least this share of the rows does not exceed; [] without rows.

        Between two rows it is the number of the longer one, as with `interpolation="higher"` in pandas.

        >>> numbers = RowNumbers()
        >>> numbers.append(), numbers.append(), numbers.add(1, 5)
        (None, None, None)
        >>> numbers.quantiles([0, 0.5, 1])
        [0, 5, 5]
        """
        counts: dict[int, int] = {}
        for chunk in self.chunks():
            for value, count in zip(*(each.tolist() for each in np.unique(chunk, return_counts=True)), strict=True):
                counts[value] = counts.get(value, 0) + count
        counts.pop(NOT_COUNTED, None)
        values = sorted(counts)
        ends = np.cumsum([counts[value] for value in values])
        if not values:
            return []
        places = [ceil(share * (int(ends[-1]) - 1)) for share in shares]
        return [values[int(at)] for at in np.searchsorted(ends, places, "right")]
