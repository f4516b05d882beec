"""A column of byte strings in one buffer, to count, number and search them without a Python object for each string.

    strings    [to] [ be] [,] [ to]
    raw        t o ␠ b e , ␠ t o
    offsets    0   2     5 6     9      one more than there are strings

Arrow counts, numbers, sorts and searches a long column (`arrow_strings`), if `pyarrow` is installed. Plain Python does
the same for a short column (`plain_strings`): importing Arrow takes longer than a short text.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

import numpy as np

from bpe_core.text import plain_strings
from bpe_core.text.arrays import Bytes, Counts, Ids, Indexes, Integers, Mask, Offsets, Rows, indexes_of
from bpe_core.text.plain_strings import JoinedStrings

SHORT = 256  # strings; up to here Arrow takes longer than plain Python
MANY = 1 << 14  # strings; from here on importing Arrow pays
VERY_MANY = 1 << 20  # strings; from here on a warning says what would be faster
SLOW = (
    "pyarrow is not installed, so a long text takes several times as long: "
    'in a checkout of Mergescope, pip install ".[files]"'
)


def byte_strings(strings: Sequence[bytes]) -> ByteStrings:
    """Return a column of the strings.

    >>> byte_strings([b"to", b"be"]).raw.tobytes()
    b'tobe'
    """
    return ByteStrings((plain_strings.piece(strings),))


def from_offsets(raw: bytes, offsets: Integers) -> ByteStrings:
    """Cut `raw` at `offsets`: 0, and the end of each string.

    >>> from_offsets(b"to be", np.array([0, 2, 5])).to_list()
    [b'to', b' be']
    """
    return ByteStrings((JoinedStrings(np.frombuffer(raw, np.uint8), offsets.astype(np.intp, copy=False)),))


def joined(columns: Iterable[ByteStrings]) -> ByteStrings:
    """Return the strings of several columns as one column; nothing is copied.

    >>> joined([byte_strings([b"to"]), byte_strings([b"be", b"or"])]).to_list()
    [b'to', b'be', b'or']
    """
    return ByteStrings(tuple(piece for column in columns for piece in column.pieces))


@dataclass(frozen=True, eq=False, repr=False)
class ByteStrings:
    """A column of byte strings, never changed. `byte_strings`, `from_offsets` and `joined` make columns.

    >>> words = byte_strings([b"to", b"be", b"or", b"to"])
    >>> len(words), words
    (4, ByteStrings([b'to', b'be', b'or', …]))
    """

    pieces: tuple[JoinedStrings, ...]

    def __len__(self) -> int:
        """Return how many strings there are."""
        return sum(len(piece.offsets) - 1 for piece in self.pieces)

    def __repr__(self) -> str:
        """Show the first three strings."""
        shown = [repr(string) for string in self.take(range(min(3, len(self)))).to_list()] + ["…"] * (len(self) > 3)
        return f"ByteStrings([{', '.join(shown)}])"

    @cached_property
    def _whole(self) -> JoinedStrings:
        """The strings as one piece."""
        if len(self.pieces) == 1:
            return self.pieces[0]
        offsets, end = [np.zeros(1, np.intp)], 0
        for piece in self.pieces:
            offsets.append(piece.offsets[1:] + end)
            end += int(piece.offsets[-1])
        raw = [np.zeros(0, np.uint8), *(piece.raw for piece in self.pieces)]
        return JoinedStrings(np.concatenate(raw), np.concatenate(offsets))

    @property
    def raw(self) -> Bytes:
        """All strings, joined."""
        return self._whole.raw

    @property
    def offsets(self) -> Offsets:
        """Where each string starts in `raw`, and where the last one ends."""
        return self._whole.offsets

    @property
    def sizes(self) -> Offsets:
        """How many bytes each string has."""
        return np.diff(self.offsets)

    def to_list(self) -> list[bytes]:
        """Return the strings as a list of `bytes`.

        >>> byte_strings([b"to", b"be"]).to_list()
        [b'to', b'be']
        """
        strings: list[bytes] = self._way.to_list(self.pieces)
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
        sizes, dropped = self.sizes, np.flatnonzero(~mask)  # there are fewer of these, and most are one space
        raw = np.delete(self.raw, indexes_of(self.offsets[dropped], sizes[dropped]))
        return ByteStrings((JoinedStrings(raw, np.append(0, np.cumsum(sizes[mask]))),))

    def take(self, indexes: Sequence[int] | Indexes) -> ByteStrings:
        """Return the strings at `indexes`.

        >>> byte_strings([b"to", b"be"]).take([1, 0, 1]).to_list()
        [b'be', b'to', b'be']
        """
        raw, sizes = Rows(self.raw, self.sizes).gathered(np.asarray(indexes, np.intp))
        return ByteStrings((JoinedStrings(raw, np.append(0, np.cumsum(sizes, dtype=np.intp))),))

    def sorted_indexes(self) -> Indexes:
        """Return the indexes of the strings in the order of their bytes; equal strings keep their order.

        >>> byte_strings([b"to", b"be", b"to"]).sorted_indexes().tolist()
        [1, 0, 2]
        """
        indexes: Indexes = self._way.sorted_indexes(self.pieces)
        return indexes

    def counted(self) -> tuple[ByteStrings, Counts]:
        """Return the different strings in order of first sight, and how often each occurs.

        >>> words, counts = byte_strings([b"to", b"be", b"to"]).counted()
        >>> words.to_list(), counts.tolist()
        ([b'to', b'be'], [2, 1])
        """
        words, counts = self._way.counted(self.pieces)
        return ByteStrings((words,)), counts

    def numbered(self) -> tuple[ByteStrings, Ids]:
        """Return the different strings in order of first sight, and for each string its index in that column.

        >>> words, which = byte_strings([b"to", b"be", b"to"]).numbered()
        >>> words.to_list(), which.tolist()
        ([b'to', b'be'], [0, 1, 0])
        """
        words, which = self._way.numbered(self.pieces)
        return ByteStrings((words,)), which

    def containing(self, part: bytes) -> Indexes:
        """Return the indexes of the strings that contain `part`.

        >>> byte_strings([b"to", b"be", b"or"]).containing(b"o").tolist()
        [0, 2]
        """
        indexes: Indexes = self._way.containing(self.pieces, part)
        return indexes

    @property
    def _way(self) -> ModuleType:
        """The module that works on a column of this length: `plain_strings` or `arrow_strings`."""
        size = len(self)
        if size <= (SHORT if "pyarrow" in sys.modules else MANY):
            return plain_strings
        try:
            from bpe_core.text import arrow_strings
        except ModuleNotFoundError:
            if size >= VERY_MANY:
                warnings.warn(SLOW, stacklevel=2)
            return plain_strings
        return arrow_strings
