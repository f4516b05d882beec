"""Where tokens differ: one text under two tokenizers, and two versions of a text under one.

    text       strawberry
    one        |straw|berry|       2 tokens
    other      |st|raw|berry|      3 tokens
    different  |straw|             straw / st raw

Two sides differ in a span if one side's tokens in the span have other bytes than the other side's.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import accumulate, zip_longest
from typing import NamedTuple

from bpe_core.by_name import GivenTokenizer, opened
from bpe_core.corpus.text_files import OneText, whole_text
from bpe_core.text.beginnings import shared_beginning
from bpe_core.tokenizer.checks import Specials
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer


class Difference(NamedTuple):
    """A span of the text, in characters, and the tokens of both sides in it."""

    start: int
    end: int
    one: tuple[bytes, ...]
    other: tuple[bytes, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """A text as two tokenizers encode it; made by `compare`."""

    one: Encoding
    other: Encoding

    def __repr__(self) -> str:
        """Return how many tokens each side has, and in how many spans the sides differ."""
        spans = "1 span" if len(self.differences) == 1 else f"{len(self.differences):,} spans"
        return f"<Comparison: {len(self.one):,} and {len(self.other):,} tokens, different in {spans}>"

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The spans in which the two sides have different tokens.

        A span ends where both sides have the end of a token and of a character: tokens that are parts of the same
        character are in the same span. So both sides have the same bytes, unless a tokenizer normalizes the text or
        drops some of it. Spans are in the text as it was typed.
        """
        return tuple(found for found in self._spans() if found.one != found.other)

    def _spans(self) -> Iterator[Difference]:
        """Yield the shortest spans that consist of whole tokens on both sides."""
        ends = [_ends(side.spans) for side in (self.one, self.other)]
        start, first, second = 0, 0, 0
        for end in sorted((ends[0] & ends[1]) | {len(self.one.text)}):
            one, first = _until(self.one, first, end)
            other, second = _until(self.other, second, end)
            if one or other:
                yield Difference(start, end, one, other)
            start = end


def _ends(spans: Sequence[tuple[int, int]]) -> set[int]:
    """Return the offsets that are the end of a token, and within no token. Normalization may swap two characters.

    >>> sorted(_ends([(0, 1), (0, 1), (1, 3)]))
    [1, 3]
    >>> sorted(_ends([(0, 2), (1, 3)])), sorted(_ends([(1, 2), (0, 1)]))
    ([3], [2])
    """
    ends = accumulate((end for _, end in spans), max)  # the last end of all tokens so far
    starts = [*accumulate((start for start, _ in reversed(spans)), min)][::-1]  # the first start of all that follow
    return {end for end, start in zip_longest(ends, starts[1:], fillvalue=sys.maxsize) if start >= end}


def _until(side: Encoding, first: int, end: int) -> tuple[tuple[bytes, ...], int]:
    """Return the tokens from index `first` that end no later than the offset `end`, and the index after them."""
    last = first
    while last < len(side) and side.spans[last][1] <= end:
        last += 1
    return side.tokens[first:last], last


def compare(one: GivenTokenizer, other: GivenTokenizer, text: OneText, *, specials: Specials = None) -> Comparison:
    """Return a text as two tokenizers encode it. `one`, `other`: tokenizers, or what `load` takes.

    >>> from bpe_core import load
    >>> found = compare(load("gpt2"), "gpt-4o", "a 🦜 and 2023")
    >>> found
    <Comparison: 7 and 8 tokens, different in 1 span>
    >>> found.differences
    (Difference(start=7, end=12, one=(b' 20', b'23'), other=(b' ', b'202', b'3')),)
    """
    sides = [opened(each) for each in (one, other)]
    given = whole_text(text)
    return Comparison(*(side.encode(given, specials=specials) for side in sides))


Span = tuple[int, int]
MOST = 20_000_000  # pairs of tokens that are compared one by one; a larger change is shown as one


@dataclass(frozen=True)
class Versions:
    """The ids of two versions of a text, and the changes between them.

    `prefix`: how many ids both begin with. `changes`: for each change the removed and the added ids, as
    (start, end) in `before` and in `after`.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    prefix: int
    changes: tuple[tuple[Span, Span], ...]

    @property
    def removed(self) -> int:
        """How many tokens were removed."""
        return sum(end - start for (start, end), _ in self.changes)

    @property
    def added(self) -> int:
        """How many tokens were added."""
        return sum(end - start for _, (start, end) in self.changes)


def versions(tokenizer: Tokenizer, before: str, after: str) -> Versions:
    """Return how two versions of a text differ in tokens. Names of special tokens are those tokens.

    >>> from bpe_core import load
    >>> found = versions(load("gpt2"), "Be kind and brief.", "Be kind and very brief.")
    >>> found.prefix, found.removed, found.added
    (3, 0, 1)
    """
    one, other = (tuple(tokenizer.ids(text, specials=True)) for text in (before, after))
    start = shared_beginning(one, other)
    end = min(shared_beginning(one[::-1], other[::-1]), min(len(one), len(other)) - start)
    middle, new = one[start : len(one) - end], other[start : len(other) - end]
    if len(middle) * len(new) > MOST:
        rows: list[tuple[Span, Span]] = [((0, len(middle)), (0, len(new)))]
    else:
        matcher = SequenceMatcher(None, middle, new, autojunk=False)
        rows = [((a, b), (c, d)) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
    shifted = [((a + start, b + start), (c + start, d + start)) for (a, b), (c, d) in rows if b > a or d > c]
    return Versions(one, other, start, tuple(shifted))
