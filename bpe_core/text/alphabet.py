"""The alphabet: the base symbols that a text is made of before any merge, laid out flat for the trainer.

A base symbol is `bytes`: one byte, or one character's UTF-8. The word marker is the byte 0xFF, which UTF-8 never
contains, so no character of a text can be mistaken for it. Lone surrogates, which UTF-8 proper cannot write, are
written as the three bytes that its scheme would give them ("surrogatepass").
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import regex

from bpe_core.text.arrays import indexes_of, starts_of

MARKER = b"\xff"
_SURROGATE = regex.compile("[\ud800-\udfff]")
SEPARATOR = -1  # stands between words in the flat layout; equal to no symbol


def encode_text(text: str) -> bytes:
    """UTF-8, lone surrogates included.

    >>> encode_text("é\\ud800")
    b'\\xc3\\xa9\\xed\\xa0\\x80'
    """
    return text.encode("utf-8", "surrogatepass")


def _surrogate_or_replacement(error: UnicodeError) -> tuple[str, int]:
    three = error.object[error.start : error.start + 3]
    try:
        return three.decode("utf-8", "surrogatepass"), error.start + 3
    except UnicodeDecodeError:
        return "\ufffd", error.end


codecs.register_error("surrogate or replacement", _surrogate_or_replacement)


def decode_bytes(raw: bytes) -> str:
    """UTF-8 with lone surrogates; what is neither becomes U+FFFD.

    >>> decode_bytes(b"\\xed\\xa0\\x80 \\xff") == "\\ud800 \\ufffd"
    True
    """
    return raw.decode("utf-8", "surrogate or replacement")


def without_surrogates(text: str, instead: str) -> str:
    """A text with something else for each lone surrogate, which libraries and files do not take.

    >>> without_surrogates("a\\ud800", "?")
    'a?'
    """
    return text if text.isascii() else _SURROGATE.sub(instead, text)


def symbols_of(word: str, alphabet: str, word_marker: str) -> tuple[bytes, ...]:
    """The base symbols of one word, with its marker.

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
    """All words one after the other, a `SEPARATOR` before each and after the last.

    `symbols[starts[w] : ends[w]]` are the base symbols of word `w`, as ids; `tokens[id]` is a symbol's bytes.
    """

    tokens: tuple[bytes, ...]
    symbols: np.ndarray
    starts: np.ndarray

    @cached_property
    def ends(self) -> np.ndarray:
        """Where each word ends: the position of the separator after it."""
        return np.append(self.starts[1:] - 1, len(self.symbols) - 1)[: len(self.starts)]


def _text_symbols(words: Sequence[str], alphabet: str) -> tuple[np.ndarray, np.ndarray]:
    """(the values of all symbols, how many each word has): byte values or code points."""
    if alphabet == "bytes":
        encoded = [encode_text(word) for word in words]
        return np.frombuffer(b"".join(encoded), np.uint8), np.fromiter(map(len, encoded), np.int64, len(words))
    joined = "".join(words).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(joined, np.uint32), np.fromiter(map(len, words), np.int64, len(words))


def flatten(words: Sequence[str], alphabet: str, word_marker: str) -> FlatCorpus:
    """Lay the words out flat and number their symbols: bytes by value, characters by code point, the marker last.

    >>> flat = flatten(["low", "lower"], "characters", "end")
    >>> flat.tokens
    (b'e', b'l', b'o', b'r', b'w', b'\\xff')
    >>> flat.symbols.tolist()
    [-1, 1, 2, 4, 5, -1, 1, 2, 4, 0, 3, 5, -1]
    """
    values, lengths = _text_symbols(words, alphabet)
    if alphabet == "bytes":
        tokens, ids = tuple(bytes([value]) for value in range(256)), values
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
