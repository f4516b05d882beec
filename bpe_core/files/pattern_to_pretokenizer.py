"""A pattern from a file as a pretokenizer: one of ours where it is the same, else a custom one."""

from __future__ import annotations

from bpe_core.files.format import FormatError
from bpe_core.files.reading import MAX_PATTERN
from bpe_core.text.patterns import check_counts, custom
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import PatternError, Pretokenizer


def check_size(pattern: str) -> None:
    """Raise `FormatError` for a pattern that would take long, or much memory, even to compile."""
    if len(pattern) > MAX_PATTERN:
        raise FormatError(f"the pattern of the file has {len(pattern):,} characters; {MAX_PATTERN:,} can be read")
    try:
        check_counts(pattern)
    except PatternError as error:
        raise FormatError(f"the pattern {pattern[:60]!r} of the file cannot be used: {error}") from None


def pretokenizer_of(pattern: str) -> Pretokenizer:
    """The pretokenizer of a pattern.

    >>> pretokenizer_of(r"\\S+").title
    'Whitespace'
    """
    for row in PRETOKENIZERS.values():
        if pattern == row.pattern:
            return row
    check_size(pattern)
    try:
        return custom(pattern)
    except PatternError as error:
        raise FormatError(f"the pattern {pattern[:60]!r} of the file cannot be used: {error}") from None
