"""What two sequences have in common: characters of two texts, ids of two lists."""

from __future__ import annotations

from collections.abc import Sequence


def shared_beginning(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many elements two sequences of one type share at their beginnings.

    >>> shared_beginning("low", "lower"), shared_beginning([1, 2, 3], [1, 2, 4, 5])
    (3, 2)
    """
    low, high = 0, min(len(one), len(other))
    while low < high:  # slices are compared many times as fast as one element after another
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low
