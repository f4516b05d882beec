"""Characters in arrays: what each of them is (a letter, a number, white space, ...), and where its bytes begin.

    text      c a f é   5          codes are code points; of ASCII, its bytes
    classes   L L L L S N          L lower-case letter, S space, N number
    bytes     0 1 2 3 5 6          é takes two in UTF-8

What follows from classes, where pretokens begin, is in `class_cut`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import regex

# What a character can be, `regex`'s tables deciding. Letters come first and white space last, so that one comparison
# tells them from the rest.
UPPER, LOWER, LETTER, MARK, NUMBER, PUNCTUATION, SIGN, SPACE, BREAK, BLANK = range(10)
_PATTERNS = {
    UPPER: r"[\p{Lu}\p{Lt}]",
    LOWER: r"\p{Ll}",
    LETTER: r"[\p{Lm}\p{Lo}]",
    MARK: r"\p{M}",
    NUMBER: r"\p{N}",
    PUNCTUATION: r"[\p{P}$+<=>^`|~]",  # as BERT has it
    BLANK: r"\s",
    SPACE: " ",
    BREAK: r"[\r\n]",
}


@lru_cache(maxsize=2)
def class_table(size: int) -> np.ndarray:
    """The class of each of the first `size` code points; SIGN for what has no other, such as lone surrogates.

    >>> class_table(128)[[ord("a"), ord("1"), ord("?")]].tolist() == [LOWER, NUMBER, PUNCTUATION]
    True
    """
    table = np.full(size, SIGN, np.uint8)
    points = "".join(map(chr, range(size)))
    for kind, pattern in _PATTERNS.items():
        for run in regex.finditer(f"(?:{pattern})+", points):
            table[run.start() : run.end()] = kind
    return table


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some text in arrays: `codes` are its bytes where it is ASCII, else its code points; `classes` one a character."""

    text: str

    @cached_property
    def codes(self) -> np.ndarray:
        """One number a character."""
        if self.text.isascii():
            return np.frombuffer(self.text.encode("ascii"), np.uint8)
        return np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)

    @cached_property
    def classes(self) -> np.ndarray:
        """One class a character."""
        if self.codes.dtype == np.uint8:
            table = class_table(128).tobytes() * 2  # `translate` wants 256
            return np.frombuffer(self.text.encode("ascii").translate(table), np.uint8)
        return class_table(0x110000)[self.codes]

    def byte_offsets(self, at: np.ndarray) -> np.ndarray:
        """Where characters stand in the text's UTF-8."""
        if self.codes.dtype == np.uint8:
            return at
        widths = np.ones(len(self.codes) + 1, np.uint8)
        widths[0] = 0
        for longer in (0x80, 0x800, 0x10000):
            widths[1:] += self.codes >= longer
        return np.cumsum(widths, dtype=np.int64)[at]

    def words_around(self, at: np.ndarray) -> Iterator[tuple[int, int]]:
        """(start, end) of the words that hold the characters `at`, each once: what lies between sure boundaries.

        Such are: before white space other than a line break, behind anything else; before a line break, behind a letter
        or number.
        """
        classes, before = self.classes[1:], self.classes[:-1]
        sure = (before < SPACE) & (classes >= SPACE) & (classes != BREAK)
        sure |= (classes == BREAK) & (before <= NUMBER) & (before != MARK)
        ends = np.concatenate(([0], np.flatnonzero(sure) + 1, [len(self.classes)]))
        for word in np.unique(np.searchsorted(ends, at, "right")).tolist():
            yield int(ends[word - 1]), int(ends[word])
