"""Tokens that mix letters with digits, words with white space and so on.

Pretokenizers are made to prevent such mixtures.
"""

from __future__ import annotations

from functools import lru_cache

import regex

from bpe_core.text.alphabet import MARKER

# The first pattern that a token matches is its kind. `_L` is a letter or a mark of a letter.
_L, _N, _SIGN = r"[\p{L}\p{M}]", r"\p{N}", r"[\p{P}\p{S}]"
MIXTURES = {
    "crosses a word": r"\S\s+\S",
    "ends in white space": r"\S\s",
    "a contraction": rf"(?i)^\s*{_L}*['’](?:s|t|r|re|v|ve|m|l|ll|d)$",
    "letters with punctuation": rf"{_L}{_SIGN}|{_SIGN}{_L}",
    "letters with digits": rf"{_L}{_N}|{_N}{_L}",
    "digits with punctuation": rf"{_N}{_SIGN}|{_SIGN}{_N}",
}
_COMPILED = {kind: regex.compile(pattern) for kind, pattern in MIXTURES.items()}


@lru_cache(maxsize=1 << 16)
def mixture(token: bytes) -> str:
    """Return what a token mixes, as a key of `MIXTURES`; "" if all characters are of one kind.

    White space at the beginning, a word marker and a part of a character do not count. Letters are letters of any
    script, with their marks.

    >>> [mixture(token) for token in (b" dog.", b"one d", b"one ", b"don't", b"3rd", b" dog", b"  ", b"1.5")]
    ... # doctest: +NORMALIZE_WHITESPACE
    ['letters with punctuation', 'crosses a word', 'ends in white space', 'a contraction',
     'letters with digits', '', '', 'digits with punctuation']
    """
    text = token.replace(MARKER, b"").decode("utf-8", "ignore")
    return next((kind for kind, pattern in _COMPILED.items() if pattern.search(text)), "")
