"""A column of byte strings in one buffer, to count, number and search them without a Python object for each string.

    strings    [to] [ be] [,] [ to]
    raw        t o ␠ b e , ␠ t o
    offsets    0   2     5 6     9      one more than there are strings

The column is an Arrow array. No other module imports `pyarrow`, which has no types. NumPy and Arrow exchange numbers in
shared memory, since `pyarrow.array` and `to_numpy` import all of pandas.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bpe_core.text.arrays import Bytes, Counts, Ids, Indexes, Integers, Mask, Offsets

_BINARY = pa.large_binary()
AT_ONCE = 50_000  # strings in one call of Arrow; other threads wait for it, a few milliseconds


def byte_strings(strings: Sequence[bytes]) -> ByteStrings:
    """Return a column of the strings.

    >>> byte_strings([b"to", b"be"]).raw.tobytes()
    b'tobe'
    """
    if len(strings) <= AT_ONCE:
        return ByteStrings(pa.chunked_array([pa.array(strings, _BINARY)]))
    pieces = joined(byte_strings(strings[i : i + AT_ONCE]) for i in range(0, len(strings), AT_ONCE))
    return ByteStrings(pa.chunked_array([pieces.array]))


def from_texts(texts: Sequence[str]) -> ByteStrings:
    """Return a column of the UTF-8 of texts; a lone surrogate raises `UnicodeEncodeError`.

    >>> from_texts(["né"]).to_list()
    [b'n\\xc3\\xa9']
    """
    return ByteStrings(pa.chunked_array([pa.array(texts, pa.large_string()).cast(_BINARY)]))


def from_offsets(raw: bytes, offsets: Integers) -> ByteStrings:
    """Cut `raw` at `offsets`: the start of each string, and the end of the last.

    >>> from_offsets(b"to be", np.array([0, 2, 5])).to_list()
    [b'to', b' be']
    """
    buffers = [None, pa.py_buffer(offsets.astype(np.int64)), pa.py_buffer(raw)]
    return ByteStrings(pa.chunked_array([pa.Array.from_buffers(_BINARY, len(offsets) - 1, buffers)]))


def joined(columns: Iterable[ByteStrings]) -> ByteStrings:
    """Return the strings of several columns as one column; nothing is copied.

    >>> joined([byte_strings([b"to"]), byte_strings([b"be", b"or"])]).to_list()
    [b'to', b'be', b'or']
    """
    return ByteStrings(pa.chunked_array([chunk for column in columns for chunk in column.arrow.chunks], _BINARY))


@dataclass(frozen=True, eq=False, repr=False)
class ByteStrings:
    """A column of byte strings, never changed. `byte_strings`, `from_texts`, `from_offsets` and `joined` make columns.

    >>> words = byte_strings([b"to", b"be", b"or", b"to"])
    >>> len(words), words
    (4, ByteStrings([b'to', b'be', b'or', …]))
    """

    arrow: pa.ChunkedArray  # of large binaries; for this module only

    def __len__(self) -> int:
        """Return how many strings there are."""
        return len(self.arrow)

    def __repr__(self) -> str:
        """Show the first three strings."""
        shown = [repr(string) for string in self.arrow.slice(0, 3).to_pylist()] + ["…"] * (len(self) > 3)
        return f"ByteStrings([{', '.join(shown)}])"

    @cached_property
    def array(self) -> pa.LargeBinaryArray:
        """The strings as one Arrow array."""
        return self.arrow.chunk(0) if self.arrow.num_chunks == 1 else self.arrow.combine_chunks()

    @property
    def raw(self) -> Bytes:
        """All strings, joined."""
        data = self.array.buffers()[2]
        return np.frombuffer(data, np.uint8)[: self.offsets[-1]] if data else np.zeros(0, np.uint8)

    @property
    def offsets(self) -> Offsets:
        """Where each string starts in `raw`, and where the last one ends."""
        data = self.array.buffers()[1]
        return np.frombuffer(data, np.int64)[: len(self) + 1] if data else np.zeros(1, np.int64)

    @property
    def sizes(self) -> Offsets:
        """How many bytes each string has."""
        return np.diff(self.offsets)

    def to_list(self) -> list[bytes]:
        """Return the strings as a list of `bytes`.

        >>> byte_strings([b"to", b"be"]).to_list()
        [b'to', b'be']
        """
        strings: list[bytes] = self.arrow.to_pylist()
        return strings

    def texts(self) -> list[str]:
        """Decode the strings from UTF-8, including the lone surrogates that `encode_text` wrote.

        >>> byte_strings([b"n\\xc3\\xa9", b"\\xed\\xa0\\x80"]).texts() == ["né", "\\ud800"]
        True
        """
        return [string.decode("utf-8", "surrogatepass") for string in self.to_list()]

    def filter(self, mask: Mask) -> ByteStrings:
        """Return the strings for which `mask` is true.

        >>> byte_strings([b"to", b"be"]).filter(np.array([False, True])).to_list()
        [b'be']
        """
        bits = pa.py_buffer(np.packbits(mask, bitorder="little"))
        return ByteStrings(self.arrow.filter(pa.Array.from_buffers(pa.bool_(), len(mask), [None, bits])))

    def take(self, indexes: Sequence[int] | Indexes) -> ByteStrings:
        """Return the strings at `indexes`.

        >>> byte_strings([b"to", b"be"]).take([1, 0, 1]).to_list()
        [b'be', b'to', b'be']
        """
        numbers = pa.py_buffer(np.array(indexes, np.int64))
        return ByteStrings(self.arrow.take(pa.Array.from_buffers(pa.int64(), len(indexes), [None, numbers])))

    def sorted_indexes(self) -> Indexes:
        """Return the indexes of the strings in the order of their bytes; equal strings keep their order.

        Other threads run meanwhile, as they would not while Python sorts.

        >>> byte_strings([b"to", b"be", b"to"]).sorted_indexes().tolist()
        [1, 0, 2]
        """
        indexes: Indexes = pc.array_sort_indices(self.array).to_numpy().astype(np.int64)
        return indexes

    def counted(self) -> tuple[ByteStrings, Counts]:
        """Return the different strings in order of first sight, and how often each occurs.

        >>> words, counts = byte_strings([b"to", b"be", b"to"]).counted()
        >>> words.to_list(), counts.tolist()
        ([b'to', b'be'], [2, 1])
        """
        found = self.arrow.value_counts()
        counts = np.asarray(np.from_dlpack(found.field("counts")), np.int64)
        return ByteStrings(pa.chunked_array([found.field("values")])), counts

    def numbered(self) -> tuple[ByteStrings, Ids]:
        """Return the different strings in order of first sight, and for each string its index in that column.

        >>> words, which = byte_strings([b"to", b"be", b"to"]).numbered()
        >>> words.to_list(), which.tolist()
        ([b'to', b'be'], [0, 1, 0])
        """
        chunks = self.arrow.dictionary_encode().chunks
        if not chunks:
            return self, np.zeros(0, np.int32)
        words = ByteStrings(pa.chunked_array([chunks[-1].dictionary]))  # the last dictionary has all words
        return words, np.concatenate([np.from_dlpack(chunk.indices) for chunk in chunks])

    def containing(self, part: bytes) -> Indexes:
        """Return the indexes of the strings that contain `part`.

        >>> byte_strings([b"to", b"be", b"or"]).containing(b"o").tolist()
        [0, 2]
        """
        return np.flatnonzero(pc.match_substring(self.arrow, part).to_numpy())

    def indexes_in(self, other: ByteStrings) -> Ids:
        """Return for each string its first index in `other`; -1 for a string that `other` lacks.

        >>> byte_strings([b"be", b"or"]).indexes_in(byte_strings([b"to", b"be"])).tolist()
        [1, -1]
        """
        found: Ids = pc.fill_null(pc.index_in(self.arrow, other.arrow), -1).to_numpy()
        return found

    def from_byte(self, start: int) -> ByteStrings:
        """Return each string without its first `start` bytes.

        >>> byte_strings([b"##ing", b"##s"]).from_byte(2).to_list()
        [b'ing', b's']
        """
        return ByteStrings(pc.binary_replace_slice(self.arrow, 0, start, b""))

    def followed_by(self, other: ByteStrings) -> ByteStrings:
        """Return each string followed by the string at the same index of another column.

        >>> byte_strings([b"h", b"hu"]).followed_by(byte_strings([b"u", b"g"])).to_list()
        [b'hu', b'hug']
        """
        return ByteStrings(pc.binary_join_element_wise(self.arrow, other.arrow, pa.scalar(b"", _BINARY)))

    def halves(self, separator: bytes) -> tuple[ByteStrings, ByteStrings]:
        """Split each string at its first `separator`; `ValueError` if a string has no separator.

        >>> [column.to_list() for column in byte_strings([b"h u", b"hu g"]).halves(b" ")]
        [[b'h', b'hu'], [b'u', b'g']]
        """
        parts = ByteStrings(pc.split_pattern(self.arrow, separator, max_splits=1).combine_chunks().flatten())
        if len(parts) != 2 * len(self):
            raise ValueError(f"a string has no {separator!r} to be split at")
        return parts.take(np.arange(0, len(parts), 2)), parts.take(np.arange(1, len(parts), 2))
