"""Cutting by character classes, in arrays: what the rules of the built-in pretokenizers come to, six times faster.

Every character has a class (see `character_classes`). Pretokens begin where the class changes, and a few rules move a
boundary:

    text       I t ' s   5   o ' c l o c k ! \\n   N o w
    class      U L P L S N S L P L L L L L P B  S U L L    U upper, L lower, N number, P punctuation, S space, B break
    changes    ^ ^ ^ ^ ^ ^ ^ ^ ^ ^         ^ ^  ^ ^ ^      U and L are one group for GPT-2: no boundary in `It`, `Now`
    begins     ^   ^   ^   ^   ^ ^         ^ ^  ^          a space goes with what follows; `'s` is a contraction

The rules in `pretokenizers` stay the definition: they name what they cut, a test holds these functions to them on all
of Unicode, and where a class cut cannot know it asks them, for the one word in question (see `Chunk.words_around`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bpe_core.text.character_classes import (
    BLANK,
    BREAK,
    LETTER,
    LOWER,
    MARK,
    NUMBER,
    PUNCTUATION,
    SIGN,
    SPACE,
    UPPER,
    Chunk,
)

_QUOTE, _SLASH, _LONG_S = ord("'"), ord("/"), 0x17F  # a long s is an s where case does not count


class Begins(NamedTuple):
    """`at[i]`: a pretoken begins with character `i`. `unsure`: characters whose word the rules have to cut.

    White space that the pretokenizer drops is a pretoken here.
    """

    at: np.ndarray
    unsure: Iterable[int] = ()


def _changes(groups: np.ndarray) -> np.ndarray:
    """Where the group is another than that of the character before, and at the start."""
    at = np.empty(len(groups), bool)
    at[:1] = True
    np.not_equal(groups[1:], groups[:-1], out=at[1:])
    return at


def _grouped(classes: np.ndarray, *groups: tuple[int, ...]) -> np.ndarray:
    """The number of each character's group, from 1; 0 for a class that is in none."""
    return np.frombuffer(classes.tobytes().translate(_group_table(groups)), np.uint8)


@lru_cache
def _group_table(groups: tuple[tuple[int, ...], ...]) -> bytes:
    return bytes(next((i for i, group in enumerate(groups, 1) if kind in group), 0) for kind in range(256))


_LETTERS, _NUMBERS, _WHITE = (UPPER, LOWER, LETTER), (NUMBER,), (SPACE, BREAK, BLANK)


def whitespace(chunk: Chunk) -> Begins:
    """White space and the rest."""
    return Begins(_changes(chunk.classes >= SPACE))


def digits(chunk: Chunk) -> Begins:
    """Every number alone."""
    number = chunk.classes == NUMBER
    return Begins(_changes(number) | number)


def punctuation(chunk: Chunk) -> Begins:
    """Every punctuation mark alone."""
    mark = chunk.classes == PUNCTUATION
    return Begins(_changes(mark) | mark)


def bert(chunk: Chunk) -> Begins:
    """Every punctuation mark alone, and white space apart from words."""
    return Begins(_changes(_grouped(chunk.classes, (PUNCTUATION,), _WHITE)) | (chunk.classes == PUNCTUATION))


def metaspace(chunk: Chunk) -> Begins:
    """Every space begins."""
    at = chunk.codes == ord(" ")
    at[:1] = True
    return Begins(at)


def gpt2_notebook(chunk: Chunk) -> Begins:
    """Letters, numbers, white space and the rest; contractions apart."""
    at = _changes(_grouped(chunk.classes, _LETTERS, _NUMBERS, _WHITE))
    _cut_contractions(chunk, at, np.flatnonzero(at & (chunk.codes == _QUOTE)), any_case=False)
    return Begins(at)


def gpt2(chunk: Chunk) -> Begins:
    """As in the notebook, but the last white space goes with what follows if it is a space."""
    at = _changes(_grouped(chunk.classes, _LETTERS, _NUMBERS, _WHITE))
    last = _last_blanks(chunk.classes)
    at[last] = True
    at[last[chunk.classes[last] == SPACE] + 1] = False
    _cut_contractions(chunk, at, np.flatnonzero(at & (chunk.codes == _QUOTE)), any_case=False)
    return Begins(at)


def cl100k(chunk: Chunk) -> Begins:
    """As GPT-2, but one sign or blank may lead a word, line breaks stay with signs, numbers have three digits."""
    at = _signs_lead_words(chunk, _LETTERS, end_apart=False)
    _cut_contractions(chunk, at, np.flatnonzero(at & (chunk.codes == _QUOTE)), any_case=True)
    return Begins(at)


def o200k(chunk: Chunk) -> Begins:
    """As cl100k, but contractions stay with their word, marks are letters, and a capital behind a small letter begins.

    A mark behind signs may be one of them, a letter without case may count as a capital or not, and a slash behind a
    line break may belong to signs before it: in such words the rules decide.
    """
    classes = chunk.classes
    at = _signs_lead_words(chunk, (*_LETTERS, MARK), end_apart=True)
    at[1:] |= (classes[1:] == UPPER) & (classes[:-1] == LOWER)
    letter = classes <= MARK
    quotes = np.flatnonzero((chunk.codes[1:] == _QUOTE) & letter[:-1]) + 1
    quotes, ends = _cut_contractions(chunk, at, quotes, any_case=True)
    at[quotes] = False
    unsure = (classes[1:] == MARK) & ((classes[:-1] == PUNCTUATION) | (classes[:-1] == SIGN))
    unsure |= (classes[1:] == UPPER) & ((classes[:-1] == LETTER) | (classes[:-1] == MARK))
    unsure |= (chunk.codes[1:] == _SLASH) & (classes[:-1] == BREAK)
    return Begins(at, np.concatenate((np.flatnonzero(unsure) + 1, np.intersect1d(quotes, ends))))


def _last_blanks(classes: np.ndarray) -> np.ndarray:
    """The last white space before something else."""
    white = classes >= SPACE
    return np.flatnonzero(white[:-1] & ~white[1:])


def _cut_contractions(
    chunk: Chunk, at: np.ndarray, quotes: np.ndarray, any_case: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Keep what follows those `quotes` that begin a contraction with them, and begin anew behind it.

    Gives those quotes and the ends of their contractions.
    """
    codes = chunk.codes
    follow = np.concatenate((codes, np.zeros(2, codes.dtype)))
    one, two = follow[quotes + 1], follow[quotes + 2]
    if any_case:
        one, two = (np.where(code < 0x80, code | 0x20, code) for code in (one, two))  # a small letter for a capital
    short = np.isin(one, [*b"sdmt", _LONG_S] if any_case else [*b"sdmt"])
    long = np.zeros(len(quotes), bool)
    for first, second in (b"ll", b"ve", b"re"):
        long |= (one == first) & (two == second)
    size = 1 + short + 2 * long.astype(np.int64)
    quotes, size = quotes[short | long], size[short | long]
    ends = quotes + size
    at[quotes + 1] = at[ends - 1] = False
    at[ends[ends < len(codes)]] = True
    return quotes, ends


def _signs_lead_words(chunk: Chunk, letters: tuple[int, ...], end_apart: bool) -> np.ndarray:
    """What cl100k and o200k share; `end_apart`: blanks behind the last line break of a text begin a pretoken."""
    classes = chunk.classes
    groups = _grouped(classes, letters, _NUMBERS, _WHITE)
    letter, number, sign = groups == 1, groups == 2, groups == 0
    at = _changes(groups)
    _begin_behind_breaks(classes, sign, at, end_apart)
    last = _last_blanks(classes)
    last = last[classes[last] != BREAK]
    at[last] = True
    at[last[letter[last + 1] | (sign[last + 1] & (classes[last] == SPACE))] + 1] = False
    at[1:] &= ~(at[:-1] & sign[:-1] & letter[1:])
    _begin_every_third(number, at)
    return at


def _begin_behind_breaks(classes: np.ndarray, sign: np.ndarray, at: np.ndarray, end_apart: bool) -> None:
    """Line breaks behind a sign stay with it; blanks behind the last break of their white space begin."""
    breaks = classes == BREAK
    if not breaks.any():
        return
    size = len(classes)
    behind = np.flatnonzero(breaks[1:] & sign[:-1]) + 1
    at[behind] = False
    ends = _next(~breaks, behind)
    at[ends[ends < size]] = True
    blank = (classes >= SPACE) & ~breaks
    first = np.flatnonzero(blank[1:] & breaks[:-1]) + 1
    ends = _next(~blank, first)
    word_follows = np.append(~breaks, end_apart)[ends]
    at[first[word_follows]] = True


def _next(wanted: np.ndarray, behind: np.ndarray) -> np.ndarray:
    """For each position the next one that is `wanted`; the length where there is none."""
    found = np.append(np.flatnonzero(wanted), len(wanted))
    return found[np.searchsorted(found, behind)]


def _begin_every_third(number: np.ndarray, at: np.ndarray) -> None:
    """Cut runs of numbers into threes."""
    where = np.flatnonzero(number)
    first = np.flatnonzero(number & at)
    run = first[np.searchsorted(first, where, "right") - 1]
    at[where[(where - run) % 3 == 0]] = True
