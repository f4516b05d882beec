"""Encoding a long text in arrays: cut it, number its different pretokens, encode each once, and gather the ids.

text        to be, or to be
words       to | be |,| or | to        the different pretokens, in order of first sight
word        0 1 2 3 4 1                which word each pretoken is
ids         [17] [9] [11] [30 2] [5]   of each word
gathered    17 9 11 30 2 5 9
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from bpe_core.text.pretoken_arrays import pretoken_arrays, strings_of
from bpe_core.text.rules import Pretokenizer


def numbered(text: str, pretokenizer: Pretokenizer) -> tuple[list[str], np.ndarray]:
    """(the different pretokens in order of first sight, which of them each pretoken is).

    >>> from bpe_core import PRETOKENIZERS
    >>> words, word = numbered("to be, to be", PRETOKENIZERS["gpt2"])
    >>> words, word.tolist()
    (['to', ' be', ',', ' to'], [0, 1, 2, 3, 1])
    """
    found = pretoken_arrays(text, pretokenizer).dictionary_encode()
    if not found.num_chunks:
        return [], np.zeros(0, np.int32)
    words = strings_of(found.chunk(found.num_chunks - 1).dictionary)  # the last has all words
    return words, np.concatenate([chunk.indices.to_numpy() for chunk in found.chunks])


def gathered(rows: Sequence[Sequence[int]], which: np.ndarray) -> np.ndarray:
    """The numbers of the rows `which`, one row after the other.

    >>> gathered([(7,), (8, 9)], np.array([1, 0, 1])).tolist()
    [8, 9, 7, 8, 9]
    """
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    flat = np.fromiter((number for row in rows for number in row), np.int64, int(lengths.sum()))
    first, sizes = (np.cumsum(lengths) - lengths)[which], lengths[which]
    shift = np.repeat(first - (np.cumsum(sizes) - sizes), sizes)
    return flat[shift + np.arange(len(shift))]


def ids_in_arrays(text: str, pretokenizer: Pretokenizer, encode_word: Callable[[str], tuple[int, ...]]) -> list[int]:
    """The ids of a text.

    >>> from bpe_core import PRETOKENIZERS
    >>> ids_in_arrays("to be, to be", PRETOKENIZERS["gpt2"], lambda word: tuple(word.encode()))
    [116, 111, 32, 98, 101, 44, 32, 116, 111, 32, 98, 101]
    """
    words, which = numbered(text, pretokenizer)
    return gathered([encode_word(word) for word in words], which).tolist()
