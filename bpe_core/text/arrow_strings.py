"""What long columns of byte strings are asked for, by Arrow: a tenth of the time of `plain_strings`.

Both modules have the same functions, with equal results. A column is a list of pieces: the strings of a piece in one
buffer, and its offsets. Arrow works on our buffers and we work on Arrow's; nothing is copied on the way.

No other module of the core imports `pyarrow`, which has no types. NumPy and Arrow exchange numbers in shared memory,
since `pyarrow.array` and `to_numpy` import all of pandas.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bpe_core.text.arrays import Counts, Ids, Indexes
from bpe_core.text.plain_strings import JoinedStrings

_BINARY = pa.large_binary()


def to_list(pieces: Sequence[JoinedStrings]) -> list[bytes]:
    """Return the strings as a list of `bytes`."""
    strings: list[bytes] = _column(pieces).to_pylist()
    return strings


def counted(pieces: Sequence[JoinedStrings]) -> tuple[JoinedStrings, Counts]:
    """Return the different strings in order of first sight, and how often each occurs."""
    found = _column(pieces).value_counts()
    return _piece(found.field("values")), np.asarray(np.from_dlpack(found.field("counts")), np.int64)


def numbered(pieces: Sequence[JoinedStrings]) -> tuple[JoinedStrings, Ids]:
    """Return the different strings in order of first sight, and for each string its index among these."""
    chunks = _column(pieces).dictionary_encode().chunks
    if not chunks:  # Arrow drops pieces without a string
        return pieces[0], np.zeros(0, np.int32)
    words = _piece(chunks[-1].dictionary)  # the last dictionary has the words of all chunks
    return words, np.concatenate([np.from_dlpack(chunk.indices) for chunk in chunks])


def sorted_indexes(pieces: Sequence[JoinedStrings]) -> Indexes:
    """Return the indexes of the strings in the order of their bytes; equal strings keep their order."""
    found = pc.array_sort_indices(_column(pieces).combine_chunks())
    return np.asarray(np.from_dlpack(found), np.intp)


def containing(pieces: Sequence[JoinedStrings], part: bytes) -> Indexes:
    """Return the indexes of the strings that contain `part`."""
    found = pc.indices_nonzero(pc.match_substring(_column(pieces), part))
    return np.asarray(np.from_dlpack(found), np.intp)


def _column(pieces: Sequence[JoinedStrings]) -> pa.ChunkedArray:
    return pa.chunked_array([_array(raw, offsets) for raw, offsets in pieces], _BINARY)


def _array(raw: np.ndarray, offsets: np.ndarray) -> pa.Array:
    buffers = [None, pa.py_buffer(offsets.astype(np.int64, copy=False)), pa.py_buffer(raw)]
    return pa.Array.from_buffers(_BINARY, len(offsets) - 1, buffers)


def _piece(array: pa.Array) -> JoinedStrings:
    _, offsets, raw = array.buffers()
    ends = np.frombuffer(offsets, np.int64)[: len(array) + 1] if offsets else np.zeros(1, np.int64)
    ends = ends.astype(np.intp, copy=False)
    return JoinedStrings(np.frombuffer(raw, np.uint8)[: ends[-1]] if raw else np.zeros(0, np.uint8), ends)
