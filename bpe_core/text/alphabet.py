"""The alphabet: the base symbols of a text before any merge, in one flat array for the trainer.

A base symbol is `bytes`: one byte, or one character's UTF-8. The word marker is the byte 0xFF, which UTF-8 never
contains, so no character of a text can be mistaken for it. UTF-8 does not allow lone surrogates. Here each lone
surrogate becomes the three bytes that Python's "surrogatepass" writes. GPT-2's files write each byte as a letter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_core.text.arrays import Bytes, Ids, Mask, Offsets, starts_of
from bpe_core.text.byte_strings import ByteStrings

MARKER = b"\xff"
GLYPHS = "_Ġ▁"  # the signs that can be drawn for the marker
SEPARATOR = -1  # between words in the flat corpus; no symbol has this id
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_BYTES = re.compile(rb"(\xed[\xa0-\xbf][\x80-\xbf])")


def encode_text(text: str) -> bytes:
    """Return the UTF-8 of a text, lone surrogates included.

    >>> encode_text("é\\ud800")
    b'\\xc3\\xa9\\xed\\xa0\\x80'
    """
    return text.encode("utf-8", "surrogatepass")


def decode_bytes(raw: bytes) -> str:
    """Return the text of UTF-8 that may contain lone surrogates. Any other bytes become U+FFFD.

    >>> decode_bytes(b"\\xed\\xa0\\x80 \\xff") == "\\ud800 \\ufffd"
    True
    """
    if b"\xed" not in raw:  # the first byte of each surrogate
        return raw.decode("utf-8", "replace")
    parts = _SURROGATE_BYTES.split(raw)  # every second part is a surrogate
    return "".join(part.decode("utf-8", "surrogatepass" if i % 2 else "replace") for i, part in enumerate(parts))


def begins_character(raw: Bytes) -> Mask:
    """Return, for each byte of UTF-8, whether a character begins with it.

    >>> begins_character(np.frombuffer("né".encode(), np.uint8)).tolist()
    [True, True, False]
    """
    begins: Mask = raw.view(np.int8) >= -64  # all but 0x80 to 0xBF: one comparison takes half the time of `& 0xC0`
    return begins


def without_surrogates(text: str, instead: str) -> str:
    """Replace each lone surrogate in a text by `instead`. Many libraries and files refuse lone surrogates.

    >>> without_surrogates("a\\ud800", "?")
    'a?'
    """
    return text if text.isascii() else _SURROGATE.sub(instead, text)


def marker_glyph(tokens: Collection[bytes], word_marker: str, glyph: str = "_") -> str:
    """Return the sign to draw for the word marker: `glyph`, or the next of `GLYPHS` if a token would look like it.

    A token that ends with a typed `_` looks like one with the marker at its end, and one that begins with it like one
    with the marker at its start. If tokens have all of `GLYPHS` there, return `glyph`.

    >>> marker_glyph([b"a", b"_"], "end"), marker_glyph([b"a", b"_a"], "end")
    ('Ġ', '_')
    """
    after = GLYPHS.find(glyph) + 1
    looks = bytes.endswith if word_marker == "end" else bytes.startswith
    signs = (glyph, *GLYPHS[after:], *GLYPHS[:after])
    return next((sign for sign in signs if not any(looks(token, encode_text(sign)) for token in tokens)), glyph)


def symbols_of(word: str, alphabet: str, word_marker: str) -> tuple[bytes, ...]:
    """Return the base symbols of one word, including the word marker.

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
    """The symbols of all words in one array, with a `SEPARATOR` before each word and after the last word.

    `symbols[starts[w] : ends[w]]` are the base symbols of word `w`, as ids; `tokens[id]` is a symbol's bytes.
    """

    tokens: tuple[bytes, ...]
    symbols: Ids
    starts: Offsets

    @cached_property
    def ends(self) -> Offsets:
        """Where each word ends: the position of the separator after the word."""
        return np.append(self.starts[1:] - 1, len(self.symbols) - 1)[: len(self.starts)]

    @property
    def lengths(self) -> Offsets:
        """How many symbols each word has, with the separator after it."""
        return np.diff(np.append(self.starts, len(self.symbols)))


def _numbered(words: ByteStrings, alphabet: str) -> tuple[tuple[bytes, ...], NDArray[np.integer[Any]], Offsets]:
    """Return the alphabet of some words, the ids of all their symbols, and how many symbols each word has."""
    if alphabet == "bytes":
        return tuple(bytes([value]) for value in range(256)), words.raw, words.sizes
    texts = words.texts()
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    different, ids = np.unique(points, return_inverse=True)
    lengths = np.fromiter(map(len, texts), np.intp, len(texts))
    return tuple(encode_text(chr(point)) for point in different), ids, lengths


def flatten(words: ByteStrings, alphabet: str, word_marker: str) -> FlatCorpus:
    """Put the words into one array and number their symbols: bytes by value, characters by code point, the marker last.

    >>> from bpe_core.text.byte_strings import byte_strings
    >>> flat = flatten(byte_strings([b"low", b"lower"]), "characters", "end")
    >>> flat.tokens
    (b'e', b'l', b'o', b'r', b'w', b'\\xff')
    >>> flat.symbols.tolist()
    [-1, 1, 2, 4, 5, -1, 1, 2, 4, 0, 3, 5, -1]
    """
    tokens, ids, lengths = _numbered(words, alphabet)
    if word_marker != "none":
        tokens += (MARKER,) * (alphabet != "bytes")  # the alphabet of bytes has the marker already
        ends = np.cumsum(lengths)
        ids = np.insert(ids, ends if word_marker == "end" else ends - lengths, len(tokens) - 1)
        lengths = lengths + 1
    return laid_out(tokens, ids, lengths)


def laid_out(tokens: tuple[bytes, ...], ids: NDArray[np.integer[Any]], lengths: Offsets) -> FlatCorpus:
    """Put words into one array. `ids`: the symbols of all words, joined; `lengths`: how many symbols each word has.

        ids        l o w l o         the words "low" and "lo"
        symbols    | l o w | l o |   | is a separator

    >>> laid_out((b"l", b"o", b"w"), np.array([0, 1, 2, 0, 1], np.int32), np.array([3, 2])).symbols.tolist()
    [-1, 0, 1, 2, -1, 0, 1, -1]
    """
    starts = starts_of(lengths + 1) + 1
    symbols = np.full(len(ids) + len(lengths) + 1, SEPARATOR, np.int32)
    is_symbol = np.ones(len(symbols), bool)
    is_symbol[starts - 1] = is_symbol[-1] = False
    symbols[is_symbol] = ids
    return FlatCorpus(tokens, symbols, starts)


# GPT-2 numbers its bytes in this order: the printable bytes first, then the rest.
# Source: `bytes_to_unicode` in OpenAI's GPT-2 encoder; Hugging Face's ByteLevel alphabet sorts the same way.
GPT2_BYTE_ORDER = bytes(
    [*range(33, 127), *range(161, 173), *range(174, 256), *range(33), *range(127, 161), 173],
)

# Printable bytes are written as themselves, the others as letters from U+0100 on.
LETTERS = "".join(map(chr, (*GPT2_BYTE_ORDER[:188], *range(256, 324))))
LETTER_OF = dict(zip(GPT2_BYTE_ORDER, LETTERS, strict=True))
BYTE_OF = {ord(letter): byte for byte, letter in LETTER_OF.items()}
_TO_LETTERS = {byte: letter for byte, letter in LETTER_OF.items() if ord(letter) != byte}


def in_letters(token: bytes) -> str:
    """Write a token as GPT-2's files do.

    >>> in_letters(b" caf\\xc3\\xa9")
    'ĠcafÃ©'
    """
    return token.decode("latin-1").translate(_TO_LETTERS)


def from_letters(written: Sequence[str]) -> list[bytes | None]:
    """Return the bytes that each text writes in GPT-2's letters; None for a text with any other character.

        written   ["Ġa", "é", " b"]
        letters   Ġ    a    é    ␠    b         the characters of all texts
        found     32   97   233  −    98        bytes; − for a character that is not one of GPT-2's letters

    >>> from_letters(["Ġa", "Ã©", " b", ""])
    [b' a', b'\\xc3\\xa9', None, b'']
    """
    letters = np.frombuffer("".join(written).encode("utf-32-le", "surrogatepass"), "<u4")
    found = _BYTES_BY_LETTER[np.minimum(letters, len(_BYTES_BY_LETTER) - 1)]
    raw, wrong = found.astype(np.uint8).tobytes(), np.flatnonzero(found < 0)
    ends = [0, *accumulate(map(len, written))]
    tokens: list[bytes | None] = [raw[start:end] for start, end in pairwise(ends)]
    for number in np.unique(np.searchsorted(ends, wrong, "right") - 1).tolist():
        tokens[number] = None
    return tokens


_BYTES_BY_LETTER = np.array([BYTE_OF.get(letter, -1) for letter in range(max(BYTE_OF) + 2)], np.int16)
