"""The alphabet: the base symbols of a text before any merge, in one flat array for the trainer.

A base symbol is `bytes`: one byte, or one character's UTF-8. The word marker is the byte 0xFF, which UTF-8 never
contains, so no character of a text can be mistaken for it. UTF-8 does not allow lone surrogates. Here each
becomes the three bytes that Python's "surrogatepass" writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_core.text.arrays import Bytes, Ids, Offsets, indexes_of, starts_of

MARKER = b"\xff"
SEPARATOR = -1  # between words in the flat corpus; no symbol has this id
_SURROGATE = regex.compile("[\ud800-\udfff]")
_SURROGATE_BYTES = regex.compile(rb"(\xed[\xa0-\xbf][\x80-\xbf])")


def encode_text(text: str) -> bytes:
    """Return the UTF-8 of a text, lone surrogates included.

    >>> encode_text("é\\ud800")
    b'\\xc3\\xa9\\xed\\xa0\\x80'
    """
    return text.encode("utf-8", "surrogatepass")


def decode_bytes(raw: bytes) -> str:
    """Return the text of UTF-8 with lone surrogates; bytes that are neither become U+FFFD.

    >>> decode_bytes(b"\\xed\\xa0\\x80 \\xff") == "\\ud800 \\ufffd"
    True
    """
    if b"\xed" not in raw:  # the first byte of each surrogate
        return raw.decode("utf-8", "replace")
    parts = _SURROGATE_BYTES.split(raw)  # every second part is a surrogate
    return "".join(part.decode("utf-8", "surrogatepass" if i % 2 else "replace") for i, part in enumerate(parts))


def without_surrogates(text: str, instead: str) -> str:
    """Replace each lone surrogate in a text by `instead`: libraries and files take none.

    >>> without_surrogates("a\\ud800", "?")
    'a?'
    """
    return text if text.isascii() else _SURROGATE.sub(instead, text)


def symbols_of(word: str, alphabet: str, word_marker: str) -> tuple[bytes, ...]:
    """Return the base symbols of one word, with its marker.

    >>> symbols_of("né", "characters", "end")
    (b'n', b'\\xc3\\xa9', b'\\xff')
    >>> symbols_of("né", "bytes", "none")
    (b'n', b'\\xc3', b'\\xa9')
    """
    if alphabet == "bytes":
        raw = encode_text(word)
        symbols = tuple(raw[i : i + 1] for i in range(len(raw)))
    else:
        symbols = tuple(map(encode_text, word))
    return {"none": symbols, "end": (*symbols, MARKER), "start": (MARKER, *symbols)}[word_marker]


@dataclass(frozen=True)
class FlatCorpus:
    """The symbols of all words in one array, with a `SEPARATOR` before each word and after the last.

    `symbols[starts[w] : ends[w]]` are the base symbols of word `w`, as ids; `tokens[id]` is a symbol's bytes.
    """

    tokens: tuple[bytes, ...]
    symbols: Ids
    starts: Offsets

    @cached_property
    def ends(self) -> Offsets:
        """Where each word ends: the position of the separator after it."""
        return np.append(self.starts[1:] - 1, len(self.symbols) - 1)[: len(self.starts)]


def _text_symbols(words: Sequence[str], alphabet: str) -> tuple[Bytes | NDArray[np.uint32], Offsets]:
    """Return the symbols of all words, as bytes or code points, and how many each word has."""
    if alphabet == "bytes":
        encoded = [encode_text(word) for word in words]
        return np.frombuffer(b"".join(encoded), np.uint8), np.fromiter(map(len, encoded), np.int64, len(words))
    joined = "".join(words).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(joined, np.uint32), np.fromiter(map(len, words), np.int64, len(words))


def flatten(words: Sequence[str], alphabet: str, word_marker: str) -> FlatCorpus:
    """Put the words into one array and number their symbols: bytes by value, characters by code point, the marker last.

    >>> flat = flatten(["low", "lower"], "characters", "end")
    >>> flat.tokens
    (b'e', b'l', b'o', b'r', b'w', b'\\xff')
    >>> flat.symbols.tolist()
    [-1, 1, 2, 4, 5, -1, 1, 2, 4, 0, 3, 5, -1]
    """
    values, lengths = _text_symbols(words, alphabet)
    ids: NDArray[np.integer[Any]] = values
    if alphabet == "bytes":
        tokens = tuple(bytes([value]) for value in range(256))
    else:
        different, ids = np.unique(values, return_inverse=True)
        tokens = tuple(encode_text(chr(value)) for value in different)
        tokens += (MARKER,) * (word_marker != "none")
    marked = int(word_marker != "none")
    starts = starts_of(lengths + marked + 1) + 1
    symbols = np.full(int(lengths.sum()) + (marked + 1) * len(words) + 1, SEPARATOR, np.int32)
    first = starts + (word_marker == "start")
    symbols[indexes_of(first, lengths)] = ids
    if marked:
        marks = starts if word_marker == "start" else starts + lengths
        symbols[marks] = len(tokens) - 1
    return FlatCorpus(tokens, symbols, starts)


def laid_out(tokens: tuple[bytes, ...], ids: Ids, lengths: Offsets) -> FlatCorpus:
    """Put words into one array whose symbols are known. `ids`: of all words, joined; `lengths`: of each word.

    >>> laid_out((b"l", b"o", b"w"), np.array([0, 1, 2, 0, 1], np.int32), np.array([3, 2])).symbols.tolist()
    [-1, 0, 1, 2, -1, 0, 1, -1]
    """
    starts = starts_of(lengths + 1) + 1
    symbols = np.full(len(ids) + len(lengths) + 1, SEPARATOR, np.int32)
    symbols[indexes_of(starts, lengths)] = ids
    return FlatCorpus(tokens, symbols, starts)
