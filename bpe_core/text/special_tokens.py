"""Special tokens in a text: where their names stand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import regex


@lru_cache(maxsize=16)
def _any_of(names: tuple[str, ...]) -> regex.Pattern:
    longest_first = sorted(names, key=len, reverse=True)
    return regex.compile("(" + "|".join(map(regex.escape, longest_first)) + ")")


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
