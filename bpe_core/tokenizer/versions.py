"""Two versions of a text, in tokens: what both begin with, what was removed, and what was added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from bpe_core.tokenizer.tokenizer import Tokenizer

Span = tuple[int, int]
MOST = 20_000_000  # pairs of tokens that are compared one by one; a larger change is shown as one


@dataclass(frozen=True)
class Versions:
    """The ids of two versions of a text, and the changes between them.

    `prefix`: how many ids both begin with. `changes`: for each change the ids that were removed and those that were
    added, as (start, end) in `before` and in `after`.
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
    start = _shared(one, other)
    end = min(_shared(one[::-1], other[::-1]), min(len(one), len(other)) - start)
    middle, new = one[start : len(one) - end], other[start : len(other) - end]
    if len(middle) * len(new) > MOST:
        rows: list[tuple[Span, Span]] = [((0, len(middle)), (0, len(new)))]
    else:
        matcher = SequenceMatcher(None, middle, new, autojunk=False)
        rows = [((a, b), (c, d)) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
    shifted = [((a + start, b + start), (c + start, d + start)) for (a, b), (c, d) in rows if b > a or d > c]
    return Versions(one, other, start, tuple(shifted))


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
