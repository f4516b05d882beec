"""The header of a GGUF, a file of llama.cpp: the pairs of a key and a value that come before the model's weights.

A number or a text in the file says how much follows it. Each such length is compared with a limit and with the bytes
that are there before anything is made of it. Only the wanted values are made; the others are stepped over.

GGUF's specification: docs/gguf.md in https://github.com/ggml-org/ggml.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct, calcsize
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from bpe_core.files.format import FormatError
from bpe_core.files.reading import MAX_BYTES

Value = int | float | bool | str | list[str] | NDArray[np.generic]

MAGIC, VERSIONS = b"GGUF", (2, 3)
NOT_WHOLE = "the GGUF ends within its header: it is not whole"
MAX_PAIRS = 4096  # a published file has about fifty
MAX_KEY = 512  # bytes
MAX_TEXT = 1 << 20  # bytes
MAX_ITEMS = 1 << 22  # numbers in a list
MAX_TEXTS = 1 << 21  # in all lists together; a published vocabulary has 540,000 tokens and merges
_TEXT, _ARRAY = 8, 9
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_SIZE = Struct("<Q")


class CutShortError(FormatError):
    """The file ends within its header."""


def is_gguf(content: bytes) -> bool:
    """Return whether a file begins like a GGUF.

    >>> is_gguf(b"GGUF\\x03\\0\\0\\0"), is_gguf(b"GIF89a")
    (True, False)
    """
    return content.startswith(MAGIC)


class _Cursor:
    """A place in a file that goes forward."""

    def __init__(self, content: bytes) -> None:
        """Begin at the first byte."""
        self.content, self.at, self.texts = content, 0, 0

    def skip(self, size: int) -> int:
        """Go forward by `size` bytes, and return the place before; `CutShortError` if the file has fewer bytes."""
        begun = self.at
        if size > len(self.content) - begun:
            raise CutShortError(NOT_WHOLE)
        self.at += size
        return begun

    def number(self, letter: str) -> int | float | bool:
        """Read a number; `letter`: its type, as in `struct`."""
        found: int | float | bool = Struct(f"<{letter}").unpack_from(self.content, self.skip(calcsize(f"<{letter}")))[0]
        return found

    def size(self, most: int, what: str) -> int:
        """Read a length; `FormatError` if it is above `most`. `what`: what the length counts, for the error."""
        size: int = _SIZE.unpack_from(self.content, self.skip(_SIZE.size))[0]
        if size > most:
            raise FormatError(f"the GGUF has {size:,} {what}; up to {most:,} can be read")
        return size

    def text(self, most: int, what: str, made: bool = True) -> str:
        """Read a text, with its length before it; return "" if it is not to be `made`."""
        begun = self.skip(self.size(most, what))
        if not made:
            return ""
        try:
            return self.content[begun : self.at].decode()
        except UnicodeDecodeError:
            raise FormatError(f"the GGUF has {what} that are not a text in UTF-8") from None

    def value(self, kind: int, made: bool) -> Value:
        """Read a value, or step over it if it is not to be `made`. `kind`: GGUF's number of a type."""
        if kind in _NUMBERS:
            return self.number(_NUMBERS[kind])
        if kind == _TEXT:
            return self.text(MAX_TEXT, "bytes of one text", made)
        if kind != _ARRAY:
            raise FormatError(f"the GGUF has a value of type {kind}, which is unknown")
        items = int(self.number("I"))
        if items not in _NUMBERS and items != _TEXT:  # such as lists in a list, which no tokenizer has
            raise FormatError(f"the GGUF has a list of values of type {items}, which is not read")
        number = self.size(MAX_ITEMS, "values in one list")
        if items == _TEXT:
            self.texts += number
            if self.texts > MAX_TEXTS:
                raise FormatError(f"the GGUF has more than {MAX_TEXTS:,} texts in its lists, which are not read")
            self.at = self.skip(number * _SIZE.size)  # each text has a length, so the header is at least this long
            return [self.text(MAX_TEXT, "bytes of one text", made) for _ in range(number)]
        letter = _NUMBERS[items]
        begun = self.skip(number * calcsize(f"<{letter}"))
        return np.frombuffer(self.content, f"<{letter}", number, begun)


def metadata(content: bytes, wanted: Callable[[str], bool]) -> tuple[dict[str, Value], int]:
    """Return the values of the wanted keys, and the number of bytes of the header. Raises `FormatError`.

    >>> pair = b"\\4\\0\\0\\0\\0\\0\\0\\0" + b"size" + b"\\4\\0\\0\\0" + b"\\x07\\0\\0\\0"
    >>> metadata(b"GGUF\\3\\0\\0\\0" + bytes(8) + b"\\1\\0\\0\\0\\0\\0\\0\\0" + pair + b"weights", lambda key: True)
    ({'size': 7}, 44)
    """
    cursor = _Cursor(content)
    cursor.skip(len(MAGIC))
    version = cursor.number("I")
    if version not in VERSIONS:
        raise FormatError(f"this is a GGUF of version {version}; versions 2 and 3 in little-endian order are read")
    cursor.skip(_SIZE.size)  # the number of tensors
    found: dict[str, Value] = {}
    for _ in range(cursor.size(MAX_PAIRS, "keys")):
        key = cursor.text(MAX_KEY, "bytes of one key")
        if key in found:
            raise FormatError(f"the GGUF has the key {key!r:.60} twice")
        value = cursor.value(int(cursor.number("I")), made := wanted(key))
        if made:
            found[key] = value
    return found, cursor.at


def header_of(file: BinaryIO) -> bytes:
    """Return the header of a file that was opened, without the weights after it, which are never read.

    >>> from io import BytesIO
    >>> len(header_of(BytesIO(b"GGUF\\3\\0\\0\\0" + bytes(16) + b"weights" * 9)))
    24
    """
    content = b""
    while True:
        more = file.read(min(max(len(content), 1 << 20), MAX_BYTES - len(content)))
        content += more
        try:
            return content[: metadata(content, lambda _: False)[1]]
        except CutShortError:
            if len(content) >= MAX_BYTES:
                raise FormatError(f"the header of the GGUF is larger than {MAX_BYTES >> 20} MB") from None
            if not more:
                raise
