"""Rows of different lengths that lie one after the other in one flat array: where each starts, and what is in it.

    symbols     h u g s p u g a         the words "hugs", "pug" and "a"
    lengths     4       3     1
    starts      0       4     7         `starts_of(lengths)`
    indexes     4 5 6 0 1 2 3           `indexes_of` the rows 1 and 0: symbols[indexes] is p u g h u g s

A sum over each row is `np.add.reduceat` at its start.
"""

from __future__ import annotations

import numpy as np


def starts_of(lengths: np.ndarray) -> np.ndarray:
    """The offset at which each row starts.

    >>> starts_of(np.array([4, 3, 1])).tolist()
    [0, 4, 7]
    """
    return np.cumsum(lengths) - lengths


def indexes_of(starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The indexes of all entries of rows: of each row, `lengths[i]` indexes from `starts[i]` on.

    >>> indexes_of(np.array([4, 0]), np.array([3, 4])).tolist()
    [4, 5, 6, 0, 1, 2, 3]
    """
    shift = np.repeat(starts - starts_of(lengths), lengths)
    return shift + np.arange(len(shift))


def without_overlaps(sites: np.ndarray, distance: int = 1) -> np.ndarray:
    """Sites without those that overlap the one before: of sites that follow each other at `distance` every second one.

    A pair of equal tokens is joined from left to right. In `aaaa` the pair a + a has the sites 1, 2 and 3:

        sites       1 2 3   6           with another one further on
        follows     - x x   -           at `distance` behind the site before
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
