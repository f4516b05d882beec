"""Arrays that are made in pieces, so that other threads go on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.text import arrays


@given(st.lists(st.integers(0, 3), max_size=12))
def test_pieces_are_the_whole(lengths):
    values, sizes = np.arange(len(lengths)) * 7, np.array(lengths, np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "PIECE", 4)
        repeated = arrays.repeated(values, sizes)
        assert repeated.dtype == values.dtype
        assert arrays.list_of(repeated) == np.repeat(values, sizes).tolist()
        assert arrays.numbers_in(values.tolist(), len(values)).tolist() == values.tolist()


@given(st.lists(st.lists(st.integers(-1, 5)), min_size=1), st.data())
def test_gathered_rows_and_their_ids(rows, data):
    which = data.draw(st.lists(st.integers(0, len(rows) - 1)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "PIECE", 4)
        found = arrays.rows_of(list(map(tuple, rows))).gathered(np.array(which, np.int64))
        assert found.tuples() == [tuple(rows[i]) for i in which]
        assert arrays.listed_ids(found.numbers) == [number for i in which for number in rows[i]]


def test_numpy_is_given_no_more_than_a_piece_at_once(monkeypatch):
    """While NumPy repeats, no other thread of a server goes on."""
    given, repeat = [], np.repeat
    monkeypatch.setattr(np, "repeat", lambda values, lengths: given.append(len(values)) or repeat(values, lengths))
    arrays.repeated(np.zeros(3 * arrays.PIECE + 1, np.int32), np.ones(3 * arrays.PIECE + 1, np.int64))
    assert max(given) <= arrays.PIECE
