"""Merges that are worked out on first use; that is most of the cost of opening a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

Merge = tuple[int, int, int]


class LaterMerges(Sequence[Merge]):
    """Merges (left id, right id, new id); how many there are is known before `make` gives them, as rows of an array.

    >>> merges = LaterMerges(2, lambda: np.array([[0, 1, 3], [3, 2, 4]]))
    >>> len(merges), merges[0], merges == ((0, 1, 3), (3, 2, 4))
    (2, (0, 1, 3), True)
    """

    def __init__(self, size: int, make: Callable[[], np.ndarray]) -> None:
        """Nothing is worked out yet."""
        self._size, self._make = size, make

    @cached_property
    def rows(self) -> np.ndarray:
        """The merges as rows of an array."""
        rows, self._make = self._make(), _elsewhere  # what they were made of is let go
        return rows

    @cached_property
    def _tuples(self) -> tuple[Merge, ...]:
        return tuple(zip(*(column.tolist() for column in self.rows.T), strict=True))

    def __len__(self) -> int:
        """How many there are."""
        return self._size

    def __getitem__(self, number: Any) -> Any:
        """A merge by its number, or those of a slice."""
        return self._tuples[number]

    def __iter__(self) -> Iterator[Merge]:
        """The merges, the first learnt first."""
        return iter(self._tuples)

    def __eq__(self, other: object) -> bool:
        """Whether they are these merges."""
        return isinstance(other, Sequence) and len(self) == len(other) and self._tuples == tuple(other)

    __hash__ = None

    def __reduce__(self) -> tuple[type[LaterMerges], tuple[int, Callable[[], np.ndarray]]]:
        """Pickling sends only how many there are; the receiver asks the process for the rows."""
        return LaterMerges, (self._size, _elsewhere)


def _elsewhere() -> np.ndarray:
    raise LookupError("these merges are in another process")
