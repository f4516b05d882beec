"""Encoding a long text in arrays: cut it, number its different pretokens, encode each once, and gather the ids.

text        to be, or to be
words       to | be |,| or | to        the different pretokens, in order of first sight
word        0 1 2 3 4 1                which word each pretoken is
ids         [17] [9] [11] [30 2] [5]   of each word
gathered    17 9 11 30 2 5 9
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from bpe_core.text.flat_arrays import indexes_of, starts_of
from bpe_core.text.pretoken_arrays import pretoken_arrays
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.merging_arrays import MergeTable

FEW_NUMBERS = 2048  # numbers; up to here sorting is fast


class Rows(NamedTuple):
    """Rows of numbers, one after the other: row `i` has `lengths[i]` of them."""

    numbers: np.ndarray
    lengths: np.ndarray

    def gathered(self, which: np.ndarray) -> Rows:
        """The rows `which`, one after the other.

        >>> Rows(np.array([7, 8, 9]), np.array([1, 2])).gathered(np.array([1, 0, 1])).numbers.tolist()
        [8, 9, 7, 8, 9]
        """
        lengths = self.lengths[which]
        indexes = indexes_of(starts_of(self.lengths)[which], lengths)
        return Rows(self.numbers.take(indexes, 0), lengths)  # `take` is fast for whole rows too

    def tuples(self) -> list[tuple[int, ...]]:
        """Each row as a tuple.

        >>> Rows(np.array([7, 8, 9]), np.array([1, 2])).tuples()
        [(7,), (8, 9)]
        """
        numbers, ends = self.numbers.tolist(), np.cumsum(self.lengths).tolist()
        return [tuple(numbers[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def numbered(text: str, pretokenizer: Pretokenizer) -> tuple[pa.Array, np.ndarray]:
    """(the different pretokens in order of first sight, which of them each pretoken is).

    >>> from bpe_core import PRETOKENIZERS
    >>> words, which = numbered("to be, to be", PRETOKENIZERS["gpt2"])
    >>> words.to_pylist(), which.tolist()
    ([b'to', b' be', b',', b' to'], [0, 1, 2, 3, 1])
    """
    found = pretoken_arrays([text], pretokenizer).dictionary_encode()
    if not found.num_chunks:
        return pa.array([], pa.large_binary()), np.zeros(0, np.int32)
    words = found.chunk(found.num_chunks - 1).dictionary  # the last has all words
    return words, np.concatenate([chunk.indices.to_numpy() for chunk in found.chunks])


def byte_sizes(words: pa.Array) -> np.ndarray:
    """How many bytes each word has.

    >>> byte_sizes(pa.array([b"to", b" be"], pa.large_binary())).tolist()
    [2, 3]
    """
    return np.diff(_offsets(words))


def _offsets(words: pa.Array) -> np.ndarray:
    return np.frombuffer(words.buffers()[1], np.int64)[words.offset : words.offset + len(words) + 1]


def distinct(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(the different values in ascending order, which of them each is); many small numbers are not sorted, but marked.

    >>> distinct(np.array([7, 2, 7]))[1].tolist()
    [1, 0, 1]
    """
    if len(values) < FEW_NUMBERS:
        return np.unique(values, return_inverse=True)
    values = values.astype(np.intp)
    seen = np.zeros(int(values.max()) + 1, bool)
    seen[values] = True
    different = np.flatnonzero(seen)
    number = np.empty(len(seen), np.intp)
    number[different] = np.arange(len(different))
    return different, number.take(values)


def rows_of(tuples: list[tuple[int, ...]]) -> Rows:
    """The way back from `Rows.tuples`.

    >>> rows_of([(7,), (8, 9)]).numbers.tolist()
    [7, 8, 9]
    """
    lengths = np.fromiter(map(len, tuples), np.int64, len(tuples))
    return Rows(np.fromiter(chain.from_iterable(tuples), np.int64, int(lengths.sum())), lengths)


def merged_rows(words: pa.Array, base: np.ndarray, table: MergeTable) -> Rows:
    """The ids of each word, all at a time; `base` has the ids of the 256 bytes.

    >>> words = pa.array([b"ab", b"b"], pa.large_binary())
    >>> merged_rows(words, np.arange(256), MergeTable({(97, 98): (0, 300)})).numbers.tolist()
    [300, 98]
    """
    offsets = _offsets(words)
    symbols = base[np.frombuffer(words.buffers()[2], np.uint8)]
    tokens = table.merge(symbols, offsets[:-1], offsets[1:])
    return Rows(tokens.ids, np.diff(np.searchsorted(tokens.at, offsets)))
