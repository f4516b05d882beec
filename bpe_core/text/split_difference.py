"""Where two pretokenizers split the same text differently, white space aside.

    m y   d o g .
    |---| |-----|     one:   my · dog.
    |---| |---|-|     other: my · dog · .
    |---| |-----|     segments: each ends where both sides end a pretoken

A segment is a difference if the two sides have different words in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bpe_core.text.rules import Pretoken


class SplitDifference(NamedTuple):
    """The pretokens of both sides in one segment, each without white space around it."""

    one: tuple[str, ...]
    other: tuple[str, ...]


def split_differences(one: Sequence[Pretoken], other: Sequence[Pretoken]) -> Counter[SplitDifference]:
    """Count each difference, in the order in which differences are first seen.

    `one`, `other`: the pretokens of one text on both sides, in order. Where a side drops a segment it has no pretoken.

    >>> from bpe_core import PRETOKENIZERS
    >>> sides = (PRETOKENIZERS[key].split("my dog. your dog.") for key in ("whitespace", "gpt2"))
    >>> split_differences(*sides)
    Counter({SplitDifference(one=('dog.',), other=('dog', '.')): 2})
    """
    found = (SplitDifference(*map(_words, segment)) for segment in _segments(one, other))
    return Counter(difference for difference in found if difference.one != difference.other)


def _words(pretokens: Sequence[Pretoken]) -> tuple[str, ...]:
    return tuple(word for pretoken in pretokens if (word := pretoken.text.strip()))


def _segments(one: Sequence[Pretoken], other: Sequence[Pretoken]) -> Iterator[tuple[list[Pretoken], list[Pretoken]]]:
    """Yield the pretokens of both sides in groups; a group ends where no pretoken of either side goes on."""
    pretokens = [
        (pretoken.start, pretoken.end, side, pretoken) for side, row in enumerate((one, other)) for pretoken in row
    ]
    group: tuple[list[Pretoken], list[Pretoken]] = [], []
    group_end = 0
    for start, end, side, pretoken in sorted(pretokens, key=lambda row: row[:3]):
        if start >= group_end and any(group):
            yield group
            group = [], []
        group[side].append(pretoken)
        group_end = max(group_end, end)
    if any(group):
        yield group
