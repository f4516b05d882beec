"""The element types of arrays, and rows of different lengths that lie one after the other in one flat array.

    symbols     h u g s p u g a         the words "hugs", "pug" and "a"
    lengths     4       3     1
    starts      0       4     7         `starts_of(lengths)`
    indexes     4 5 6 0 1 2 3           `indexes_of` the rows 1 and 0: symbols[indexes] is p u g h u g s

A sum over each row is `np.add.reduceat` at its start.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ids: TypeAlias = NDArray[np.int32]  # ids of tokens; -1 stands for a separator or an unknown symbol
Steps: TypeAlias = NDArray[np.int32]  # steps of a training, such as `merged_at`
Counts: TypeAlias = NDArray[np.int64]  # how often something occurs
Offsets: TypeAlias = NDArray[np.int64]  # positions in a text, in bytes or in characters
Indexes: TypeAlias = NDArray[np.intp]  # positions in another array: what NumPy's own functions return
Mask: TypeAlias = NDArray[np.bool_]
Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.signedinteger[Any]]  # where 32 and 64 bits are both right


def starts_of(lengths: Integers) -> Offsets:
    """Return the offset at which each row starts.

    >>> starts_of(np.array([4, 3, 1])).tolist()
    [0, 4, 7]
    """
    starts: Offsets = np.cumsum(lengths) - lengths
    return starts


def indexes_of(starts: Integers, lengths: Integers) -> Offsets:
    """Return the indexes of all entries of some rows: of row `i`, `lengths[i]` indexes from `starts[i]` on.

    >>> indexes_of(np.array([4, 0]), np.array([3, 4])).tolist()
    [4, 5, 6, 0, 1, 2, 3]
    """
    shift = np.repeat(starts - starts_of(lengths), lengths)
    indexes: Offsets = shift + np.arange(len(shift))
    return indexes


def without_overlaps(sites: Integers, distance: int = 1) -> Integers:
    """Drop the sites that overlap the one before: of sites that follow each other at `distance`, every second one.

    A pair of equal tokens is joined from left to right. In `aaaa` the pair a + a has the sites 1, 2 and 3:

        sites       1 2 3   6           with another one further on
        follows     - x x   -           at `distance` after the site before
        in a row    0 1 2   0           those with an even number stay

    >>> without_overlaps(np.array([1, 2, 3, 6])).tolist()
    [1, 3, 6]
    """
    follows = np.diff(sites, prepend=-distance - 1) == distance
    if not follows.any():
        return sites
    number = np.arange(len(sites))
    in_row = number - np.maximum.accumulate(np.where(follows, 0, number))
    return sites[in_row % 2 == 0]
