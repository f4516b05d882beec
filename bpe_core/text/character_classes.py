"""Characters in arrays: what each of them is (a letter, a number, white space, ...), and where its bytes begin.

    text      c a f é   5          codes are code points; of ASCII, its bytes
    classes   L L L L S N          lower case, space, number; each as its number
    bytes     0 1 2 3 5 6          é takes two in UTF-8

What follows from classes, where pretokens begin, is in `class_rules`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
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
CLASSES = "".join(_PATTERNS) + "|"  # the last is no character's, but a border's between two texts (see `Chunk`)
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
    """Some text in arrays, or several texts with a border between each two, across which no rule looks.

    text      T h e   d o g \\n A   c a t    a line break stands at each border; it is part of no text
    classes   U L L S L L L |  U S L L L
    borders                 7
    """

    text: str
    borders: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))

    @classmethod
    def of(cls, texts: Sequence[str]) -> Chunk:
        """Put several texts into one chunk.

        >>> Chunk.of(["The dog", "A cat"]).borders.tolist()
        [7]
        """
        sizes = np.fromiter(map(len, texts), np.int64, len(texts))
        return cls("\n".join(texts), np.cumsum(sizes[:-1] + 1) - 1)

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
            classes = np.frombuffer(bytearray(self.raw).translate(table), np.uint8)
        else:
            classes = class_table(0x110000)[self.codes]
        classes[self.borders] = CLASSES.index("|")
        return classes

    def part(self, start: int, end: int) -> Chunk:
        """Return the chunk from one character to another.

        >>> Chunk.of(["The dog", "A cat"]).part(4, 9).borders.tolist()
        [3]
        """
        first, last = np.searchsorted(self.borders, (start, end))
        return Chunk(self.text[start:end], self.borders[first:last] - start)

    def end_from(self, at: int) -> int:
        """Return the first end of a text that is not before `at`.

        >>> Chunk.of(["The dog", "A cat"]).end_from(3)
        7
        """
        return int(self.ends[np.searchsorted(self.borders, at)])

    @cached_property
    def ends(self) -> np.ndarray:
        """Where each text ends: at the border after it, the last at the end of the chunk."""
        return np.append(self.borders, len(self.text))

    def texts_around(self, at: np.ndarray) -> tuple[list[int], list[int]]:
        """Return (where the text of each character starts, where it ends).

        >>> Chunk.of(["The dog", "A cat"]).texts_around(np.array([2, 10]))
        ([0, 8], [7, 13])
        """
        number = np.searchsorted(self.ends, at)
        return np.append(0, self.borders + 1)[number].tolist(), self.ends[number].tolist()

    def byte_offsets(self, at: np.ndarray) -> np.ndarray:
        """Where characters stand in the UTF-8."""
        if self.text.isascii():
            return at
        begins = np.frombuffer(self.raw, np.int8) >= -64  # the bytes 0x80 to 0xBF go on with a character
        return np.append(np.flatnonzero(begins), len(self.raw))[at]
