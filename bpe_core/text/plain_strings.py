"""What columns of byte strings are asked for, in plain Python: for short columns, and where `pyarrow` is missing.

`arrow_strings` has the same functions, with equal results. A column is a list of pieces: the strings of a piece in one
buffer, and its offsets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bpe_core.text.arrays import Bytes, Counts, Ids, Indexes, Offsets, list_of, numbers_in


class JoinedStrings(NamedTuple):
    """Some strings of a column. `raw`: the strings, joined. `offsets`: 0 and where each string ends in `raw`."""

    raw: Bytes
    offsets: Offsets


def piece(strings: Iterable[bytes]) -> JoinedStrings:
    """Return strings as one piece.

    >>> piece([b"to", b"be"]).offsets.tolist()
    [0, 2, 4]
    """
    strings = strings if isinstance(strings, list) else list(strings)
    offsets = np.zeros(len(strings) + 1, np.intp)
    np.cumsum(numbers_in(map(len, strings), len(strings)), out=offsets[1:])
    return JoinedStrings(np.frombuffer(b"".join(strings), np.uint8), offsets)


def to_list(pieces: Sequence[JoinedStrings]) -> list[bytes]:
    """Return the strings as a list of `bytes`.

    >>> to_list([piece([b"to", b"be"]), piece([b"or"])])
    [b'to', b'be', b'or']
    """
    found: list[bytes] = []
    for raw, offsets in pieces:
        data = raw.tobytes()
        found += [data[start:end] for start, end in pairwise(list_of(offsets))]
    return found


def counted(pieces: Sequence[JoinedStrings]) -> tuple[JoinedStrings, Counts]:
    """Return the different strings in order of first sight, and how often each occurs.

    >>> words, counts = counted([piece([b"to", b"be", b"to"])])
    >>> to_list([words]), counts.tolist()
    ([b'to', b'be'], [2, 1])
    """
    counts = Counter(to_list(pieces))
    return piece(counts), np.fromiter(counts.values(), np.int64, len(counts))


def numbered(pieces: Sequence[JoinedStrings]) -> tuple[JoinedStrings, Ids]:
    """Return the different strings in order of first sight, and for each string its index among these.

    >>> words, which = numbered([piece([b"to", b"be", b"to"])])
    >>> to_list([words]), which.tolist()
    ([b'to', b'be'], [0, 1, 0])
    """
    strings = to_list(pieces)
    index = {string: i for i, string in enumerate(dict.fromkeys(strings))}
    return piece(index), numbers_in(map(index.__getitem__, strings), len(strings))


def sorted_indexes(pieces: Sequence[JoinedStrings]) -> Indexes:
    """Return the indexes of the strings in the order of their bytes; equal strings keep their order.

    >>> sorted_indexes([piece([b"to", b"be", b"to"])]).tolist()
    [1, 0, 2]
    """
    strings = to_list(pieces)
    return np.array(sorted(range(len(strings)), key=strings.__getitem__), np.intp)


def containing(pieces: Sequence[JoinedStrings], part: bytes) -> Indexes:
    """Return the indexes of the strings that contain `part`.

    >>> containing([piece([b"to", b"be", b"or"])], b"o").tolist()
    [0, 2]
    """
    return np.array([i for i, string in enumerate(to_list(pieces)) if part in string], np.intp)
