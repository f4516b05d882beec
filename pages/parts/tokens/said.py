"""Sentences with tokens among their words, as the browser draws them: no HTML, so nothing needs to be escaped."""

from __future__ import annotations

from typing import Any

Word = str | bytes | tuple[bytes, bytes]  # plain words, a token, or a pair of tokens that stand together
Words = list[Word]


def told(words: Words) -> list[Any]:
    """The words as JSON: tokens in hex.

    >>> told(["made from ", (b"a", b"b"), b"ab"])
    ['made from ', {'pair': ['61', '62']}, {'token': '6162'}]
    """
    return [_told(word) for word in words]


def _told(word: Word) -> Any:
    if isinstance(word, bytes):
        return {"token": word.hex()}
    return word if isinstance(word, str) else {"pair": [half.hex() for half in word]}
