"""Characters in arrays: what each of them is (a letter, a number, white space, ...), and where its bytes begin.

    text      c a f é   5          codes are code points; of ASCII, its bytes
    classes   L L L L S N          lower case, space, number; each as its number
    bytes     0 1 2 3 5 6          é takes two in UTF-8

What follows from classes, where pretokens begin, is in `class_rules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import regex

from bpe_core.text.alphabet import encode_text

# What a character can be, `regex`'s tables deciding. A class is a letter here, and its index in `CLASSES` in arrays.
# Letters and marks come first and white space last, so that one comparison tells them from the rest.
_PATTERNS = {
    "U": r"[\p{Lu}\p{Lt}]",  # upper case
    "L": r"\p{Ll}",  # lower case
    "O": r"[\p{Lm}\p{Lo}]",  # other letters
    "M": r"\p{M}",  # marks, such as accents
    "N": r"\p{N}",  # numbers
    "P": r"(?!['/])[\p{P}$+<=>^`|~]",  # punctuation, as BERT has it
    "Q": "'",
    "/": "/",
    "X": None,  # all else: other signs, controls, lone surrogates
    "S": " ",
    "B": r"[\r\n]",  # line breaks
    "T": r"[^\S \r\n]",  # tabs and other white space
}
CLASSES = "".join(_PATTERNS)
LETTERS, MARKS, SIGNS, WHITE = "ULO", "PQ/", "PQ/X", "SBT"


@lru_cache(maxsize=2)
def class_table(size: int) -> np.ndarray:
    """The class of each of the first `size` code points.

    >>> "".join(CLASSES[number] for number in class_table(128)[list(b"It's 5?")])
    'ULQLSNP'
    """
    table = np.full(size, CLASSES.index("X"), np.uint8)
    points = "".join(map(chr, range(size)))
    for number, pattern in enumerate(_PATTERNS.values()):
        for run in regex.finditer(f"(?:{pattern})+", points) if pattern else ():
            table[run.start() : run.end()] = number
    return table


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some text in arrays."""

    text: str

    @cached_property
    def raw(self) -> bytes:
        """Its UTF-8."""
        return encode_text(self.text)

    @cached_property
    def codes(self) -> np.ndarray:
        """One number a character: its code point; an array of bytes where the text is ASCII."""
        if self.text.isascii():
            return np.frombuffer(self.raw, np.uint8)
        return np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)

    @cached_property
    def classes(self) -> np.ndarray:
        """One class a character."""
        if self.text.isascii():
            table = class_table(128).tobytes() * 2  # `translate` wants 256
            return np.frombuffer(self.raw.translate(table), np.uint8)
        return class_table(0x110000)[self.codes]

    def byte_offsets(self, at: np.ndarray) -> np.ndarray:
        """Where characters stand in the UTF-8."""
        if self.text.isascii():
            return at
        begins = np.frombuffer(self.raw, np.int8) >= -64  # the bytes 0x80 to 0xBF go on with a character
        return np.append(np.flatnonzero(begins), len(self.raw))[at]
