"""Special tokens in a text: where their names stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache


@lru_cache(maxsize=16)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern of all names; by Python's `re`, because `regex` takes five times as long to try so many."""
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile("(" + "|".join(map(re.escape, longest_first)) + ")")


def between(texts: Sequence[str], special_tokens: tuple[str, ...]) -> Sequence[str]:
    """Return what is between special tokens in texts; some of it may be empty.

    >>> between(["one<|end|>two", "three"], ("<|end|>",))
    ['one', 'two', 'three']
    """
    if not special_tokens:
        return texts
    names = _any_of(special_tokens)
    if not names.search("\n".join(texts)):  # one search instead of many, where there are none
        return texts
    return [part for text in texts for part in (names.split(text)[::2] if names.search(text) else (text,))]


def segments(text: str, special_tokens: tuple[str, ...]) -> Iterator[tuple[str, int, str | None]]:
    """The text split at its special tokens, the longest where several fit: (segment, start, its name or None for text).

    The segments join to the text. The time is linear in it.

    >>> list(segments("one<|end|>two", ("<|end|>",)))
    [('one', 0, None), ('<|end|>', 3, '<|end|>'), ('two', 10, None)]
    """
    start = 0
    for i, segment in enumerate(_any_of(special_tokens).split(text) if special_tokens else [text]):
        if segment:
            yield segment, start, segment if i % 2 else None
        start += len(segment)
