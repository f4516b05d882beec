"""Longest match: from left to right, the longest token of a vocabulary that fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def longest_matches(
    size: int, longest: int, look_up: Callable[[int, int], int | None]
) -> Iterator[tuple[int, int, int | None]]:
    """The matches in a word of `size` symbols, one after the other: (start, end, the token's id).

    `look_up(start, end)` gives the id of the token that these symbols are, or None; no token has more than `longest`
    symbols. Where none fits, one symbol is passed over, with None.

    >>> ids, word = {"hu": 0, "hug": 1, "s": 2}, "hugs!"
    >>> list(longest_matches(5, 3, lambda start, end: ids.get(word[start:end])))
    [(0, 3, 1), (3, 4, 2), (4, 5, None)]
    """
    start = 0
    while start < size:
        ends = range(min(start + longest, size), start, -1)
        found = ((end, token) for end in ends if (token := look_up(start, end)) is not None)
        end, token = next(found, (start + 1, None))
        yield start, end, token
        start = end
