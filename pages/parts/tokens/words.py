"""Sentences with tokens among their words. The browser gets them as JSON, not as HTML: nothing needs to be escaped."""

from __future__ import annotations

from typing import Any

Word = str | bytes | tuple[bytes, bytes]  # plain words, a token, or a pair of tokens
Words = list[Word]


def as_json(words: Words) -> list[Any]:
    """Return words as JSON, with tokens in hex.

    >>> as_json(["made from ", (b"a", b"b"), b"ab"])
    ['made from ', {'pair': ['61', '62']}, {'token': '6162'}]
    """
    return [_part(word) for word in words]


def _part(word: Word) -> Any:
    if isinstance(word, bytes):
        return {"token": word.hex()}
    return word if isinstance(word, str) else {"pair": [half.hex() for half in word]}
