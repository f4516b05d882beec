"""Characters in arrays: each character's class (a letter, a number, white space, ...), and where its bytes begin.

    text      c a f é   5          `codes`: its code points; for an ASCII text, its bytes
    classes   L L L L S N          lower case, space, number; an array contains a number for each class
    bytes     0 1 2 3 5 6          é takes two in UTF-8

Where pretokens begin follows from the classes: see `class_rules`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_core.text.alphabet import encode_text
from bpe_core.text.arrays import Bytes, Integers, Offsets

Codes = NDArray[np.unsignedinteger[Any]]

# The classes of characters, by the tables of `regex`. A class is written as a letter here; an array contains the index
# of that letter in `CLASSES`. Letters and marks come first and white space last, so that one comparison finds them.
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
PLANE = 0x10000  # code points read at a time; for all at once, other threads would wait 0.1 s
CLASSES = "".join(_PATTERNS) + "|"  # the last is the class of a border between two texts (see `Chunk`)
LETTERS, MARKS, SIGNS, WHITE = "ULO", "PQ/", "PQ/X", "SBT"


@lru_cache(maxsize=2)
def class_table(size: int) -> Bytes:
    """Return the class of each of the first `size` code points.

    >>> "".join(CLASSES[number] for number in class_table(128)[list(b"It's 5?")])
    'ULQLSNP'
    """
    table = np.full(size, CLASSES.index("X"), np.uint8)
    for first in range(0, size, PLANE):
        points = "".join(map(chr, range(first, min(first + PLANE, size))))
        for number, pattern in enumerate(_PATTERNS.values()):
            for run in regex.finditer(f"(?:{pattern})+", points) if pattern else ():
                table[first + run.start() : first + run.end()] = number
    return table


@dataclass(frozen=True, eq=False)
class Chunk:
    """One text in arrays, or several texts with a border between each two. No rule reads past a border.

    text      T h e   d o g \\n A   c a t    a border is a line break that is in none of the texts
    classes   U L L S L L L |  U S L L L
    borders                 7
    """

    text: str
    borders: Offsets = field(default_factory=lambda: np.zeros(0, np.int64))

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
        """The UTF-8 of the text."""
        return encode_text(self.text)

    @cached_property
    def codes(self) -> Codes:
        """The code point of each character; an array of bytes if the text is ASCII."""
        if self.text.isascii():
            return np.frombuffer(self.raw, np.uint8)
        return np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)

    @cached_property
    def classes(self) -> Bytes:
        """The class of each character."""
        if self.text.isascii():
            table = class_table(128).tobytes() * 2  # `translate` needs a table of 256 bytes
            classes = np.frombuffer(bytearray(self.raw).translate(table), np.uint8)
        else:
            classes = class_table(0x110000).take(self.codes)
        classes[self.borders] = CLASSES.index("|")
        return classes

    def part(self, start: int, end: int) -> Chunk:
        """Return the part of the chunk from the position `start` up to the position `end`.

        >>> Chunk.of(["The dog", "A cat"]).part(4, 9).borders.tolist()
        [3]
        """
        first, last = np.searchsorted(self.borders, (start, end))
        return Chunk(self.text[start:end], self.borders[first:last] - start)

    def end_from(self, at: int) -> int:
        """Return the first position, from `at` on, at which a text of the chunk ends.

        >>> Chunk.of(["The dog", "A cat"]).end_from(3)
        7
        """
        return int(self.ends[np.searchsorted(self.borders, at)])

    @cached_property
    def ends(self) -> Offsets:
        """Where each text ends: at the border after the text, or at the end of the chunk for the last text."""
        return np.append(self.borders, len(self.text))

    def texts_around(self, at: Integers) -> tuple[list[int], list[int]]:
        """Return two lists: for each position in `at`, where its text starts and where that text ends.

        >>> Chunk.of(["The dog", "A cat"]).texts_around(np.array([2, 10]))
        ([0, 8], [7, 13])
        """
        number = np.searchsorted(self.ends, at)
        return np.append(0, self.borders + 1)[number].tolist(), self.ends[number].tolist()

    def byte_offsets(self, at: Integers) -> Integers:
        """Return the offsets in the UTF-8 at which the characters at the positions `at` begin."""
        if self.text.isascii():
            return at
        begins = np.frombuffer(self.raw, np.int8) >= -64  # the bytes 0x80 to 0xBF do not begin a character
        return np.append(np.flatnonzero(begins), len(self.raw)).take(at)
