"""GPT-2's order of the 256 bytes, and the letter that stands for each byte in GPT-2's files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np

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
