"""Special tokens in a text: where their names stand, and the white space that some of them take away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import regex

# What Rust's `\s` and `\w` are, which decide in Hugging Face's library.
WHITE_SPACE = "".join(filter(regex.compile(r"\p{White_Space}").match, map(chr, range(0x3001))))
WORD = r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]"
_SPACES, _WORD = regex.compile(rf"[{WHITE_SPACE}]*+"), regex.compile(WORD)


class Flags(NamedTuple):
    """How a special token is found, as Hugging Face's `AddedToken` says it.

    `lstrip`, `rstrip`: the white space before it, or behind it, goes. `single_word`: its name counts only where no
    letter, digit or other character of a word touches it.
    """

    lstrip: bool = False
    rstrip: bool = False
    single_word: bool = False


@lru_cache(maxsize=16)
def _any_of(names: tuple[str, ...]) -> regex.Pattern:
    longest_first = sorted(names, key=len, reverse=True)
    return regex.compile("(" + "|".join(map(regex.escape, longest_first)) + ")")


def segments(
    text: str, special_tokens: tuple[str, ...], flags: Mapping[str, Flags] | None = None
) -> Iterator[tuple[str, int, str | None]]:
    """The text cut at its special tokens, the longest where several fit: (piece, start, what it is).

    That is None for text, the name for a special token, and "" for white space that a special token with `flags` takes
    away, but never from another. The pieces join to the text. The time is linear in it.

    >>> list(segments("one<|end|>two", ("<|end|>",)))
    [('one', 0, None), ('<|end|>', 3, '<|end|>'), ('two', 10, None)]
    >>> list(segments("a <mask>", ("<mask>",), {"<mask>": Flags(lstrip=True)}))
    [('a', 0, None), (' ', 1, ''), ('<mask>', 2, '<mask>')]
    """
    if special_tokens and flags:
        yield from _with_flags(text, special_tokens, flags)
        return
    start = 0
    for i, piece in enumerate(_any_of(special_tokens).split(text) if special_tokens else [text]):
        if piece:
            yield piece, start, piece if i % 2 else None
        start += len(piece)


def _with_flags(text: str, names: tuple[str, ...], flags: Mapping[str, Flags]) -> Iterator[tuple[str, int, str | None]]:
    done = 0
    for match in _any_of(names).finditer(text):
        (start, end), how = match.span(), flags.get(match[0], Flags())
        if start < done or (how.single_word and _in_a_word(text, start, end)):
            continue
        before = done + len(text[done:start].rstrip(WHITE_SPACE)) if how.lstrip else start
        behind = _SPACES.match(text, end).end() if how.rstrip else end
        parts = (done, before, None), (before, start, ""), (start, end, match[0]), (end, behind, "")
        yield from ((text[a:b], a, what) for a, b, what in parts if a < b)
        done = behind
    if done < len(text):
        yield text[done:], done, None


def _in_a_word(text: str, start: int, end: int) -> bool:
    return bool(_WORD.match(text, end) or (start and _WORD.match(text, start - 1)))
