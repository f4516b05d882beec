"""Two splits side by side: their segments, against looking at every character."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS
from bpe_core.text.aligned_splits import AlignedSegment, PlacedWords, segments
from tests.texts import TEXTS

CUTS = st.sampled_from(list(PRETOKENIZERS))


def placed(pretokens):
    rows = [(word.start, word.end, number) for number, word in enumerate(pretokens)]
    return PlacedWords(*np.array(rows, np.int64).reshape(-1, 3).T)


def by_characters(text, left, right):
    """Return the segments in order: between two characters a segment ends unless a word of a side goes on there."""
    found, begin = [], 0
    for place in range(1, len(text) + 1):
        if not any(word.start < place < word.end for word in (*left, *right)):
            sides = [[i for i, word in enumerate(side) if begin <= word.start < place] for side in (left, right)]
            found += [tuple(map(tuple, sides))] if any(sides) else []
            begin = place
    return found


@given(TEXTS, CUTS, CUTS)
def test_a_segment_ends_where_no_word_of_either_side_goes_on(text, left, right):
    one, other = PRETOKENIZERS[left].split(text), PRETOKENIZERS[right].split(text)
    expected = by_characters(text, one, other)
    assert list(segments(placed(one), placed(other)).elements()) == expected
    whole = expected[:-1] or expected
    assert list(segments(placed(one), placed(other), is_cut=True).elements()) == whole


def test_equal_segments_are_counted():
    one = PlacedWords(*np.array([(0, 4, 0), (5, 9, 0)]).T)
    other = PlacedWords(*np.array([(0, 3, 0), (3, 4, 1), (4, 8, 2), (8, 9, 1)]).T)
    assert segments(one, other) == Counter({AlignedSegment((0,), (0, 1)): 1, AlignedSegment((0,), (2, 1)): 1})
