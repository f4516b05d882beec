"""Merges that are worked out on first use; that is most of the cost of opening a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

from bpe_core.tokenizer.merging import Merge


class LaterMerges(Sequence[Merge]):
    """Merges whose number is known before `make` gives them, as rows of an array: left id, right id, new id.

    >>> merges = LaterMerges(2, lambda: np.array([[0, 1, 3], [3, 2, 4]]))
    >>> len(merges), merges[0], merges == ((0, 1, 3), (3, 2, 4))
    (2, (0, 1, 3), True)
    """

    def __init__(self, size: int, make: Callable[[], NDArray[np.int64]]) -> None:
        """Work out nothing yet."""
        self._size, self._make = size, make

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The merges as rows of an array."""
        rows, self._make = self._make(), _elsewhere  # what they are made of is no longer needed
        return rows

    @cached_property
    def _tuples(self) -> tuple[Merge, ...]:
        return tuple(zip(*(column.tolist() for column in self.rows.T), strict=True))

    def __len__(self) -> int:
        """Return how many there are."""
        return self._size

    @overload
    def __getitem__(self, number: int) -> Merge: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Merge, ...]: ...
    def __getitem__(self, number: int | slice) -> Merge | tuple[Merge, ...]:
        """Return a merge by its number, or the merges of a slice."""
        return self._tuples[number]

    def __iter__(self) -> Iterator[Merge]:
        """Yield the merges, the first learnt first."""
        return iter(self._tuples)

    def __eq__(self, other: object) -> bool:
        """Return whether two sequences have the same merges."""
        return isinstance(other, Sequence) and len(self) == len(other) and self._tuples == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # how Python says that a class has no hash

    def __reduce__(self) -> tuple[type[LaterMerges], tuple[int, Callable[[], NDArray[np.int64]]]]:
        """Pickle only how many there are: the receiver asks the process for the rows."""
        return LaterMerges, (self._size, _elsewhere)


def _elsewhere() -> NDArray[np.int64]:
    raise LookupError("these merges are in another process")
