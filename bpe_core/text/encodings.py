"""What the bytes of a file are: text in an encoding, or other data of some kind.

    FF FE 61 00       UTF-16, as its byte order mark says       "a"
    EF BB BF 61       UTF-8; its mark is text like the rest     U+FEFF and "a"
    61 00 62 00       UTF-16 without its mark, which is refused: nothing says the order of its bytes
    89 50 4E 47 …     a picture

A mark of UTF-16 or UTF-32 says how the rest is to be read, and is no part of the text.
"""

from __future__ import annotations

import codecs
import unicodedata
from typing import NamedTuple


class TextEncoding(NamedTuple):
    """An encoding of texts. `codec`: its name in Python. `mark`: the bytes at the start of a file that tell it."""

    name: str
    codec: str
    mark: bytes


UTF_8 = TextEncoding("UTF-8", "utf-8", b"")
# UTF-32 comes first, since its mark may begin with the mark of UTF-16.
MARKED = (
    TextEncoding("UTF-32", "utf-32-le", codecs.BOM_UTF32_LE),
    TextEncoding("UTF-32", "utf-32-be", codecs.BOM_UTF32_BE),
    TextEncoding("UTF-16", "utf-16-le", codecs.BOM_UTF16_LE),
    TextEncoding("UTF-16", "utf-16-be", codecs.BOM_UTF16_BE),
)
HEAD = 8192  # bytes of a file that show what it is; git, too, takes a file with a byte of value 0 among them for binary
PICTURE, ARCHIVE, RECORDING, PDF, BINARY = "picture", "archive", "sound or film", "PDF", "binary"
NO_TEXT = {  # kind of data → what is said of a file that somebody named
    PICTURE: "it is a picture, and no text",
    ARCHIVE: "it is an archive or a compressed file: unpack it first",
    RECORDING: "it is a sound or a film, and no text",
    PDF: "it is a PDF: save its text first",
    BINARY: "it is a binary file",
}
_SIGNS = {  # kind → how such data begins
    PICTURE: (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"\0\0\1\0", b"8BPS"),
    ARCHIVE: (
        *(b"PK\3\4", b"PK\5\6", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"(\xb5/\xfd", b"7z\xbc\xaf\x27\x1c"),
        *(b"Rar!\x1a\7", b"\x04\x22\x4d\x18"),
    ),
    RECORDING: (b"OggS", b"ID3", b"fLaC", b"\x1aE\xdf\xa3", b"\xff\xfb", b"FLV\1"),
    PDF: (b"%PDF-",),
}
_INSIDE = {  # kind → a sign and where it is
    PICTURE: ((8, b"WEBP"), (8, b"avif"), (8, b"heic"), (8, b"mif1")),
    ARCHIVE: ((257, b"ustar"),),
    RECORDING: ((8, b"WAVE"), (8, b"AVI "), (4, b"ftyp")),
}
_LEAST_ASCII = 20  # a text has a space, line end, digit or letter of ASCII in every 20 characters, on average
_NEVER_IN_TEXT = bytes({*range(32), 127} - {*b"\a\b\t\n\v\f\r\x1b"})
_BELOW_SPACE = bytes(range(32))
_NOT_WRITTEN = ("Cc", "Cn", "Co")  # categories of characters


def encoding_of(start: bytes) -> TextEncoding:
    """Return the encoding of a text by its first bytes: that of its byte order mark, or UTF-8.

    >>> encoding_of("\\ufeffa".encode("utf-16-be")).codec, encoding_of(b"a").name
    ('utf-16-be', 'UTF-8')
    """
    return next((each for each in MARKED if start.startswith(each.mark)), UTF_8)


def decoded(content: bytes, errors: str = "strict") -> str:
    r"""Return the text in a file that is read whole. `errors`: as for `bytes.decode`.

    Raises `UnicodeDecodeError`, whose `encoding` names the encoding; also for a text that lacks its byte order mark, if
    `errors` is "strict".

    >>> decoded(b"\xff\xfea\0")
    'a'
    >>> decoded(b"a\xe9")
    Traceback (most recent call last):
        ...
    UnicodeDecodeError: 'UTF-8' codec can't decode byte 0xe9 in position 1: unexpected end of data
    """
    encoding = encoding_of(content)
    size = len(encoding.mark)
    if errors == "strict" and (unmarked := lacks_mark(content)):
        raise UnicodeDecodeError(encoding.name, content, 0, 1, f"it is text in {unmarked} without a byte order mark")
    try:
        return content[size:].decode(encoding.codec, errors)
    except UnicodeDecodeError as error:
        start, end = size + error.start, size + error.end
        raise UnicodeDecodeError(encoding.name, content, start, end, error.reason) from None


def without_mark(text: str) -> str:
    """Return a text of a format, such as JSON or a table, without the byte order mark that is no part of the format."""
    return text.removeprefix("\ufeff")


def kind_of_data(start: bytes) -> str:
    r"""Return which kind of data a file has that cannot be read as text: `PICTURE` and so on; "" for a damaged text.

    `start`: its first bytes.

    >>> kind_of_data(b"\x89PNG\r\n\x1a\n"), kind_of_data(b"\0\1\2"), kind_of_data("Grüße".encode("latin-1"))
    ('picture', 'binary', '')
    """
    head = start[:HEAD]
    if encoding_of(head) is not UTF_8 or lacks_mark(head) or not any(byte in _NEVER_IN_TEXT for byte in head):
        return ""  # a text, if a damaged one, may begin with the letters of a sign, such as BM
    for kind, inside in _INSIDE.items():
        if any(head.startswith(sign, at) for at, sign in inside):
            return kind
    for kind, signs in _SIGNS.items():
        if head.startswith(signs):
            return kind
    return BINARY


def lacks_mark(start: bytes) -> str:
    r"""Return in which encoding the first bytes of a file are text if only its byte order mark is missing; "" in none.

    What is text in UTF-8 too is taken for it, unless every other byte is one that texts in UTF-8 hardly have.

    >>> lacks_mark("low low".encode("utf-16-le")), lacks_mark(b"low"), lacks_mark(b"low\0"), lacks_mark(b"\0\1\2\3")
    ('UTF-16', '', '', '')
    """
    head, ends = start[:HEAD], len(start) < HEAD
    if b"\0" not in head or encoding_of(head) is not UTF_8:
        return ""
    if _decoded_head(head, "utf-8", ends) is not None and not _is_every_other(head):
        return ""
    for encoding in MARKED:
        text = _decoded_head(head, encoding.codec, ends)
        if not text or any(unicodedata.category(char) in _NOT_WRITTEN and not char.isspace() for char in text):
            continue
        if _LEAST_ASCII * sum(map(str.isascii, text)) >= len(text):
            return encoding.name
    return ""


def _decoded_head(head: bytes, codec: str, ends: bool) -> str | None:
    """Return the text of the first bytes of a file; None if they are none. `ends`: whether the file ends there."""
    try:
        return codecs.getincrementaldecoder(codec)().decode(head, final=ends)
    except UnicodeDecodeError:
        return None


def _is_every_other(head: bytes) -> bool:
    """Return whether at every other place nearly all bytes are below 32, as those that UTF-16 adds are."""
    halves = (head[at::2] for at in (0, 1))
    return len(head) >= 4 and any(4 * len(half.translate(None, _BELOW_SPACE)) <= len(half) for half in halves)
