"""Two splits of one text side by side, by position.

    m y   d o g .
    |---| |-----|     left:  my · dog.
    |---| |---|-|     right: my · dog · .
    |---| |-----|     segments: each ends where no word of either side goes on

The same in arrays, with the words my, dog. numbered 0, 1 on the left and my, dog, . numbered 0, 1, 2 on the right:

    position          0  1  2  3  4  5  6  7      between two characters, and at both ends
    words going on    0  2  0  0  2  2  1  0      how many words of both sides go on across the position
    segment           1  1  2  3  3  3  3  4      of the character after the position: the zeros above up to here
    words             left 0 is in segment 1, left 1 in 3; right 0 is in 1, right 1 and 2 are in 3
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from bpe_core.text.arrays import Integers, Offsets


class PlacedWords(NamedTuple):
    """The words of a text in order: where each word starts and ends, in characters, and the word's number."""

    starts: Offsets
    ends: Offsets
    numbers: Integers


class AlignedSegment(NamedTuple):
    """A segment of a text (see `segments`): the numbers of its words, if any, in the left and in the right split."""

    left: tuple[int, ...]
    right: tuple[int, ...]


def segments(left: PlacedWords, right: PlacedWords, is_cut: bool = False) -> Counter[AlignedSegment]:
    """Count the segments of a text: the smallest parts that start and end between words in both splits.

    The segments are in the order in which they are first seen. `is_cut`: whether the text goes on after the words. If
    it does, the last segment may lack words, and is left out unless it is the only segment.

    >>> at = lambda *spans: PlacedWords(*np.array(spans).T)
    >>> segments(at((0, 2, 0), (3, 7, 1)), at((0, 2, 0), (3, 6, 1), (6, 7, 2)))
    Counter({AlignedSegment(left=(0,), right=(0,)): 1, AlignedSegment(left=(1,), right=(1, 2)): 1})
    """
    sides = (left, right)
    going_on = np.zeros(2 + max(int(side.ends.max(initial=0)) for side in sides), np.int32)
    for side in sides:
        np.add.at(going_on, side.starts + 1, 1)
        np.add.at(going_on, side.ends, -1)
    segment_at = np.cumsum(np.cumsum(going_on) == 0)
    segment = np.concatenate([segment_at[side.starts] for side in sides])
    words = np.concatenate([2 * side.numbers + which for which, side in enumerate(sides)]).astype(np.int64)
    order = np.argsort(segment, kind="stable")
    raw, size = words[order].tobytes(), words.itemsize
    starts = np.flatnonzero(np.diff(segment[order], prepend=0)) * size
    ends = np.append(starts, len(raw))[1:]
    if is_cut and len(starts) > 1:
        starts, ends = starts[:-1], ends[:-1]
    # each segment becomes one byte string, which can be counted without a loop over its words
    found = Counter(raw[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True))
    return Counter({_segment(words): count for words, count in found.items()})


def _segment(raw: bytes) -> AlignedSegment:
    words = memoryview(raw).cast("q").tolist()
    left, right = (tuple([word // 2 for word in words if word % 2 == which]) for which in (0, 1))
    return AlignedSegment(left, right)
