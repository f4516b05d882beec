"""Where pretokens begin, by character classes, in arrays: six times faster than by regular expression.

Every character has a class: a letter, a number, white space and so on. For each two classes, a table says what it
means if one class follows the other. With GPT-2's rules:

    text      I t ' s   5   o ' c l o c k ! \\n   N o w
    class     U L Q L S N S L Q L L L L L P B  S U L L    upper and lower case, quote, number, punctuation, space, break
    between   |   | | |   |   | |         | |             the classes are of different groups; U and L are of one group
    before            |   |                    |          a space goes with the word after it: a pretoken begins there
    begins    ^   ^   ^   ^   ^ ^         ^ ^  ^          `'s` is a contraction: nothing begins after its quote

The regular expressions in `pretokenizers` are the definition. They name the rule of each pretoken. A test compares the
classes with the regular expressions on all of Unicode. Where classes are not enough, the regular expressions split the
word (see `Pretokenizer.starts`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_core.text.alphabet import begins_character, encode_text
from bpe_core.text.arrays import Bytes, Integers, Mask, Offsets

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
TABLE = Path(__file__).with_suffix(".table")  # the whole table, where there is no `regex`: see pictures/site/engine.py
PLANE = 0x10000  # code points read at a time; for all at once, other threads would wait 0.1 s
CLASSES = "".join(_PATTERNS) + "|"  # the last is the class of a border between two texts (see `Chunk`)
LETTERS, MARKS, SIGNS, WHITE = "ULO", "PQ/", "PQ/X", "SBT"


@lru_cache(maxsize=2)
def class_table(size: int) -> Bytes:
    """Return the class of each of the first `size` code points.

    >>> "".join(CLASSES[number] for number in class_table(128)[list(b"It's 5?")])
    'ULQLSNP'
    """
    if TABLE.exists():
        return np.fromfile(TABLE, np.uint8, size)
    import regex  # takes longer than the other imports of `Settings` together

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
    borders: Offsets = field(default_factory=lambda: np.zeros(0, np.intp))

    @classmethod
    def of(cls, texts: Sequence[str]) -> Chunk:
        """Put several texts into one chunk.

        >>> Chunk.of(["The dog", "A cat"]).borders.tolist()
        [7]
        """
        sizes = np.fromiter(map(len, texts), np.intp, len(texts))
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
            classes = class_table(0x110000).take(self.codes.astype(np.intp))
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
        begins = begins_character(np.frombuffer(self.raw, np.uint8))
        return np.append(np.flatnonzero(begins), len(self.raw)).take(at)


BREAK, MARK, NUMBER, QUOTE, SPACE, TAB, BORDER = map(CLASSES.index, "BMNQST|")
ENDINGS = ("s", "d", "m", "t", "ll", "ve", "re")
ENDINGS_OF_ANY_CASE = tuple(
    "".join(letters)
    for ending in ENDINGS
    for letters in product(*({"s": "sSſ"}.get(letter, letter + letter.upper()) for letter in ending))
)

# The meanings of two neighbouring classes. An entry of the table is a sum of meanings.
BETWEEN = 1  # a pretoken begins with the second of two characters
BEFORE = 2  # a pretoken begins with the first of two characters
JOINED = 4  # the first is a sign that leads a word: a pretoken that begins with the sign has the second as well
UNSURE = 8  # the regular expressions decide
CLOSING = 16  # a line break after blanks: if the blanks follow a line break, the regular expressions decide


def leading_words(letters: str, signs: str) -> dict[str, str]:
    """Return `ClassRules.leads` for rules like cl100k's: a sign or blank may lead a word, a space may lead signs."""
    return {"S": letters + signs, "T": letters} | dict.fromkeys(signs, letters)


@dataclass(frozen=True, eq=False)
class ClassRules:
    """The rules of a pretokenizer, by classes.

    `groups`: classes that stay together. A pretoken begins where the group changes. White space is the last group;
    signs are in no group.
    `alone`: classes whose characters are pretokens one by one.
    `leads`: for a class, the classes that may follow one of its characters in the same pretoken. That character is the
    last of some white space, or a sign with which a pretoken begins.
    `endings`: what follows the quote of a contraction: "s", "ll" and so on.
    `digits`: how many digits a pretoken may have; 0 for no limit.
    `aligned`: how many digits of a number are grouped from the number's end; 0 if all digits are grouped from its
    beginning.
    `breaks`: whether a line break belongs to the signs before it, and white space ends at a line break.
    `capitals`: whether a capital after a small letter begins a pretoken, and a contraction belongs to the word before
    the quote.
    """

    groups: tuple[str, ...]
    alone: str = ""
    leads: Mapping[str, str] = field(default_factory=dict)
    endings: tuple[str, ...] = ()
    digits: int = 0
    aligned: int = 0
    breaks: bool = False
    capitals: bool = False

    def begins(self, chunk: Chunk) -> tuple[Mask, Integers]:
        """Return for each character whether a pretoken begins with it, and the positions where that is unsure.

        The regular expressions have to split the word around such a position. White space that the pretokenizer drops
        is a pretoken here.

        >>> ClassRules(("ULO", "SBT")).begins(Chunk("Oh no!"))[0].astype(int).tolist()
        [1, 0, 1, 1, 0, 1]
        """
        classes = chunk.classes
        pairs = classes[:-1] * 16 + classes[1:]  # shifting takes eight times as long
        meant = np.frombuffer(pairs.tobytes().translate(self._table), np.uint8)
        at = np.ones(len(classes), bool)
        at[1:] = meant & BETWEEN
        at[:-1] |= (meant & BEFORE) > 0
        at[1:] &= ~(at[:-1] & ((meant & JOINED) > 0))
        if self.digits:
            _begin_every(self.digits, self.aligned, classes == NUMBER, at)
        unsure = [np.flatnonzero(meant & UNSURE) + 1]
        if self.breaks:
            unsure += [_between_breaks(classes, at, np.flatnonzero(meant & CLOSING) + 1), _last_blanks(chunk, at)]
        if self.endings:
            unsure.append(self._mend_contractions(chunk, at))
        return at, np.unique(np.concatenate(unsure))

    @cached_property
    def _table(self) -> bytes:
        """The meaning of each two neighbouring classes, as a table for `bytes.translate`."""
        table = bytearray(256)
        for (first, before), (second, here) in product(enumerate(CLASSES), repeat=2):
            table[first * 16 + second] = self._meaning(before, here) | self._doubt(before, here)
        return bytes(table)

    def _meaning(self, before: str, here: str) -> int:
        if "|" in (before, here):
            return BETWEEN
        group, next_group = self._group(before), self._group(here)
        if self.breaks and "B" in (before, here) and (before == "B" or group < 0):
            return BETWEEN if here != "B" else 0
        if group == next_group:
            return BETWEEN if here in self.alone or (self.capitals and before + here == "LU") else 0
        led = here in self.leads.get(before, "")
        if self.leads and before in self.groups[-1]:
            return BEFORE if led else BEFORE | BETWEEN
        return BETWEEN | JOINED if led else BETWEEN

    def _doubt(self, before: str, here: str) -> int:
        """Return `UNSURE` or `CLOSING` if the regular expressions have to decide between two classes, else 0.

        With `capitals`, a mark after signs may belong to the signs, a letter without case may count as a capital or
        not, and a slash after a line break may belong to the signs before the break.
        """
        if self.breaks and before + here in ("SB", "TB"):
            return CLOSING
        mark, capital = before in SIGNS and here == "M", before + here in ("OU", "MU")
        return UNSURE if self.capitals and (mark or capital or before + here == "B/") else 0

    def _group(self, kind: str) -> int:
        return next((i for i, group in enumerate(self.groups) if kind in group), -1)

    def _mend_contractions(self, chunk: Chunk, at: Mask) -> Integers:
        """Change `at`: a pretoken begins after each contraction, and none inside it. Return the quotes left undecided.

        With `capitals`, the regular expressions decide about a contraction that directly follows another contraction.
        """
        quotes = np.flatnonzero(chunk.classes == QUOTE)
        after_letter = (chunk.classes[quotes - 1] <= MARK) & (quotes > 0)
        quotes = quotes[after_letter if self.capitals else at[quotes]]
        codes = np.concatenate((chunk.codes, np.zeros(2, chunk.codes.dtype)))  # nothing follows the last two
        one, two = codes[quotes + 1].astype(np.int64), codes[quotes + 2]
        short, long = self._endings
        size = 2 * np.isin(one, short) + 3 * np.isin(one << 21 | two, long)
        quotes, ends = quotes[size > 0], (quotes + size)[size > 0]
        at[quotes + 1] = at[ends - 1] = False
        at[ends[ends < len(at)]] = True
        if self.capitals:
            at[quotes] = False
        return np.intersect1d(quotes, ends) if self.capitals else quotes[:0]

    @cached_property
    def _endings(self) -> tuple[list[int], list[int]]:
        """The endings of one letter, and the endings of two letters. Each ending is one number."""
        short = [ord(ending) for ending in self.endings if len(ending) == 1]
        return short, [ord(ending[0]) << 21 | ord(ending[1]) for ending in self.endings if len(ending) == 2]


def _between_breaks(classes: Bytes, at: Mask, closing: Integers) -> Integers:
    """Return the line breaks in `closing` that blanks separate from another line break."""
    if not len(closing):
        return closing
    starts = np.flatnonzero(at)
    blanks = starts[np.searchsorted(starts, closing, "right") - 1]
    return closing.compress(classes[blanks - 1] == BREAK)


def _last_blanks(chunk: Chunk, at: Mask) -> Integers:
    """Return where the last pretoken of a text begins, for each text that ends in blanks after a line break.

    The regular expressions decide about such blanks, since a rule may be about the end of a text.
    """
    ends = chunk.ends[chunk.ends > 0]
    ends = ends[np.isin(chunk.classes[ends - 1], (SPACE, TAB))]
    if not len(ends):
        return ends
    starts = np.flatnonzero(at)
    last = starts[np.searchsorted(starts, ends) - 1]
    return last.compress(chunk.classes[last - 1] == BREAK)


def _begin_every(size: int, aligned: int, number: Mask, at: Mask) -> None:
    """Split each number so that a pretoken has at most `size` digits. For `aligned`, see `ClassRules`.

    A number of eight digits in threes, from its beginning and from its end:

        before  0 1 2 3 4 5 6 7      from the beginning: pretokens begin at 0, 3 and 6
        left    8 7 6 5 4 3 2 1      from the end: pretokens begin at 6, at 3, and where the number begins
    """
    where = np.flatnonzero(number)
    first = np.flatnonzero(number & at)
    run = np.searchsorted(first, where, "right") - 1
    before = where - first[run]
    begins = before % size == 0
    if aligned:
        left = np.bincount(run, minlength=len(first))[run] - before
        begins = np.where(left > aligned - size, begins, left % size == 0)
    at[where[begins]] = True
