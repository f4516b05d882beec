"""Patterns that users type or files contain. Dangerous patterns are refused, other patterns become pretokenizers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import prod

import regex

from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import PatternError, Pretokenizer

CUSTOM_SECONDS = 5.0  # a user's pattern may backtrack for ever
MAX_COUNTED = 1_000_000  # characters that a pattern may grow to when compiled: its length times all its counts
_COUNT = regex.compile(r"\{\s*([0-9]*)\s*(?:,\s*([0-9]*)\s*)?\}")
_FREE_SPACING = regex.compile(r"\(\?[A-Za-z0-9-]*x")  # after (?x), a count may have spaces and remarks in it
# (?R), (?1), (?+1), (?&name), (?P>name), outside an escape. Within a class they may be plain characters. They are
# refused there as well, because where a class ends depends on the pattern's flags.
_RECURSION = regex.compile(r"(?s)\\.|(?P<call>\(\?(?:[R0-9&]|[+-](?![A-Za-z])|P(?![<=])))")


def check_counts(pattern: str) -> None:
    """Raise `PatternError` if compiling a pattern may take all the memory, because of its counts in braces.

    >>> check_counts("((a{500}){500}){100}")
    Traceback (most recent call last):
        ...
    bpe_core.text.rules.PatternError: the counts in braces make the pattern too large
    """
    counts = (max(1.0, *(float(number or 1) for number in count)) for count in _COUNT.findall(pattern))
    if len(pattern) * prod(counts) > MAX_COUNTED:
        raise PatternError("the counts in braces make the pattern too large")
    if "{" in pattern and _FREE_SPACING.search(pattern):
        raise PatternError("counts in braces together with (?x) are not supported")


def check_pattern(pattern: str) -> None:
    """Raise `PatternError` for a pattern that cannot be used.

    Such a pattern does not compile, may take all the memory, calls itself or searches from the end.

    >>> check_pattern(r"a(?R)?b")
    Traceback (most recent call last):
        ...
    bpe_core.text.rules.PatternError: a pattern that calls itself, as with (?R) or (?1), is not supported
    """
    check_counts(pattern)
    if any(match["call"] for match in _RECURSION.finditer(pattern)):
        raise PatternError("a pattern that calls itself, as with (?R) or (?1), is not supported")
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise PatternError(f"the pattern does not compile: {error}") from None
    except RecursionError:
        raise PatternError("the pattern does not compile: its brackets are nested too deeply") from None
    except MemoryError:
        raise PatternError("the pattern does not compile: it takes too much memory") from None
    if compiled.flags & regex.REVERSE:
        raise PatternError("a pattern that searches from the end, with (?r), is not supported")


@lru_cache(maxsize=64)
def custom(pattern: str) -> Pretokenizer:
    """Return a pretokenizer whose pretokens are the matches of a pattern; the rest of the text is dropped.

    Raises `PatternError` for a pattern that cannot be used. Splitting a text raises `PatternError` after
    `CUSTOM_SECONDS`.

    >>> custom(r"[aeiou]|[^aeiou]+").strings("tokens")
    ['t', 'o', 'k', 'e', 'ns']
    >>> custom("(")
    Traceback (most recent call last):
        ...
    bpe_core.text.rules.PatternError: the pattern does not compile: missing ) at position 1
    """
    if not pattern:
        raise PatternError("the pattern is empty; write a regular expression whose matches are the pretokens")
    check_pattern(pattern)
    about = "The matches of your pattern; what it does not match is dropped."
    return Pretokenizer(
        "Custom", about, (("match", pattern),), lossless=False, seconds=CUSTOM_SECONDS, long_pieces=True
    )


def with_pattern(pattern: str, translated: Callable[[str], str] = str) -> Pretokenizer:
    """Return the pretokenizer with this pattern: a row of `PRETOKENIZERS`, or else a custom one.

    A row is faster, and files can name it. `translated`: the function that translates another pattern for Python.

    >>> with_pattern(r"\\S+").title, with_pattern(r"\\S").title
    ('Whitespace', 'Custom')
    """
    row = next((row for row in PRETOKENIZERS.values() if row.pattern == pattern), None)
    return row or custom(translated(pattern))
