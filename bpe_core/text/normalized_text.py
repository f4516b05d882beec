"""A normalized text, and for each of its characters the characters of the original that it came from.

    original    A  m  e  ´          the last is an accent of its own
    text        a  m  é             after NFC and small letters
    spans       0–1 1–2 2–4         for each character of the text, its span in the original

How texts are normalized is in `normalizers`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple


class Aligned(NamedTuple):
    """A part of the original text, and what normalization made of the part; one of the two may be empty."""

    before: str
    after: str


@dataclass(frozen=True)
class Normalized:
    """A text before and after normalization: `spans[i]` is the span of `original` that `text[i]` came from.

    >>> from bpe_core import normalize
    >>> made = normalize("Ame\\u0301", ("nfc", "lowercase"))
    >>> made.text, made.spans
    ('amé', ((0, 1), (1, 2), (2, 4)))
    """

    original: str
    text: str
    spans: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original that `text[start:end]` came from; an empty span for an empty part.

        >>> from bpe_core import normalize
        >>> normalize("ﬁn", ("nfkc",)).span(1, 3)
        (0, 2)
        """
        if start >= end:
            at = self.spans[start][0] if start < len(self.spans) else len(self.original)
            return at, at
        spans = self.spans[start:end]
        return min(first for first, _ in spans), max(last for _, last in spans)

    @cached_property
    def aligned(self) -> tuple[Aligned, ...]:
        """The original and the normalized text, split into the smallest parts that correspond, in order.

        >>> from bpe_core import normalize
        >>> normalize("é\\0!", ("bert",)).aligned
        (Aligned(before='é', after='e'), Aligned(before='\\x00', after=''), Aligned(before='!', after='!'))
        """
        ends = [0, *accumulate((end for _, end in self.spans), max)]
        starts = [len(self.original), *(start for start, _ in reversed(self.spans))]
        starts = [*accumulate(starts, min)][::-1]
        found: list[Aligned] = []
        new, old = 0, 0
        for k, (end, start) in enumerate(zip(ends, starts, strict=True)):
            if end <= start:  # all characters before `k` came from before `end`, all others from `start` or later
                if new < k:
                    found.append(Aligned(self.original[old:end], self.text[new:k]))
                found += [Aligned(removed, "") for removed in self.original[end:start]]
                new, old = k, start
        return tuple(found)


def joined(parts: Iterable[Normalized]) -> Normalized:
    """Join parts of a text that were normalized one by one.

    >>> from bpe_core import normalize
    >>> joined([normalize("A", ("lowercase",)), normalize("B", ())]).text
    'aB'
    """
    originals: list[str] = []
    texts: list[str] = []
    spans: list[tuple[int, int]] = []
    shift = 0
    for part in parts:
        spans += [(shift + start, shift + end) for start, end in part.spans]
        shift += len(part.original)
        originals.append(part.original)
        texts.append(part.text)
    return Normalized("".join(originals), "".join(texts), tuple(spans))
