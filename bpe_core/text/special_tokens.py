"""Special tokens in a text: where their names are, and the text between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache


@lru_cache(maxsize=16)
def pattern_of(names: tuple[str, ...], kept: bool = True) -> re.Pattern[str]:
    """Return a pattern of Python's `re` that matches any of the names; `regex` takes five times as long.

    `kept`: whether a text that is split by the pattern keeps the names; that takes five times as long, too.
    """
    any_name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(f"({any_name})" if kept else any_name)


def between(texts: Sequence[str], special_tokens: tuple[str, ...]) -> Sequence[str]:
    """Return the parts of texts between special tokens; some may be empty.

    >>> between(["one<|end|>two", "three"], ("<|end|>",))
    ['one', 'two', 'three']
    """
    if not special_tokens:
        return texts
    names = pattern_of(special_tokens, kept=False)
    if not names.search("\n".join(texts)):  # usually there are no special tokens, and one search shows that
        return texts
    return [part for text in texts for part in (names.split(text) if names.search(text) else (text,))]


def first_in(text: str, special_tokens: tuple[str, ...]) -> re.Match[str] | None:
    """Return the first match of a special token's name in a text; None if the text has no such name.

    >>> first_in("one<|end|>two", ("<|end|>",)).span()
    (3, 10)
    """
    return pattern_of(special_tokens).search(text) if special_tokens else None


def segments(text: str, special_tokens: tuple[str, ...]) -> Iterator[tuple[str, int, str | None]]:
    """Split a text at its special tokens; where several fit, at the longest. Yield (segment, start, special token).

    The special token is None for a segment of ordinary text. Joined, the segments are the text.

    >>> list(segments("one<|end|>two", ("<|end|>",)))
    [('one', 0, None), ('<|end|>', 3, '<|end|>'), ('two', 10, None)]
    """
    start = 0
    for i, segment in enumerate(pattern_of(special_tokens).split(text) if special_tokens else [text]):
        if segment:
            yield segment, start, segment if i % 2 else None
        start += len(segment)
