"""A text that was decoded wrongly, and what it was before.

    cafÃ©          the UTF-8 of "café", read as Latin-1 or as Windows-1252
    caf\\udcc3\\udca9  the same, as Python reads bytes that it cannot decode (`surrogateescape`)
    \\ud83d \\ude00   halves of surrogate pairs; two that belong together are one character

What is read as Latin-1 is mended only if all its characters that are not ASCII are UTF-8 then: a text that has `Ã©` by
intention has other letters too. Nothing is guessed, so that nothing is lost.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from typing import Literal, NamedTuple

import numpy as np

LONGEST = 1_000_000  # characters of a text that is looked at
_BYTE_OF = {chr(value): value for value in range(128, 256)}  # Latin-1; then Windows-1252, which has 27 others
_BYTE_OF |= {char: value for value in range(128, 160) if (char := bytes([value]).decode("cp1252", "ignore"))}
_READ = "".join(map(re.escape, _BYTE_OF))
_NO_ASCII = re.compile(rf"[{_READ}]+")
_BEGUN = re.compile(rf"[\u00c2-\u00f4](?=[{''.join(re.escape(char) for char, v in _BYTE_OF.items() if v < 192)}])")
# Each begins the UTF-8 of signs, Latin letters, dashes and emoji. Hardly a word ends with one of them.
_SURE = re.compile("[ÂÃâð]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_FIRST_HALF = 0xD800 >> 10  # of the code of a first half; the second halves follow


class Mended(NamedTuple):
    """A mended text. `why`: what was wrong: it was read as "Latin-1", as "escaped" bytes, or has "half" a pair."""

    text: str
    why: Literal["Latin-1", "escaped", "half"]


def mended(text: str) -> Mended | None:
    """Return a text as it was before it was decoded wrongly; None if nothing is wrong, or the text is too long.

    Half of a surrogate pair that has no other half is no character: it becomes U+FFFD.

    >>> mended("The cafÃ©â€™s door"), mended("The café’s door")
    (Mended(text='The café’s door', why='Latin-1'), None)
    >>> mended("caf\\udcc3\\udca9"), mended("a\\ud83d\\ude00") == Mended("a😀", "half")
    (Mended(text='café', why='escaped'), True)
    """
    if len(text) > LONGEST or text.isascii():
        return None
    return _without_halves(text) if _SURROGATE.search(text) else _from_latin(text)


def _without_halves(text: str) -> Mended:
    with suppress(UnicodeError):
        return Mended(text.encode("utf-8", "surrogateescape").decode(), "escaped")
    codes = np.fromiter(map(ord, text), "<u4", len(text))
    first = np.flatnonzero((codes[:-1] >> 10 == _FIRST_HALF) & (codes[1:] >> 10 == _FIRST_HALF + 1))
    codes[first] = 0x10000 + ((codes[first] & 0x3FF) << 10) + (codes[first + 1] & 0x3FF)
    codes = np.delete(codes, first + 1)
    codes[codes >> 11 == _FIRST_HALF >> 1] = 0xFFFD
    return Mended(codes.tobytes().decode("utf-32-le"), "half")


def _from_latin(text: str) -> Mended | None:
    if not _BEGUN.search(text):
        return None
    runs = _NO_ASCII.findall(text)
    try:
        read = {run: bytes(map(_BYTE_OF.__getitem__, run)).decode() for run in {*runs}}
    except UnicodeDecodeError:
        return None
    if any(unicodedata.category(char) in ("Cc", "Cn", "Cs") for each in read.values() for char in each):
        return None
    if sum(map(len, map(read.__getitem__, runs))) < 2 and not _SURE.match(runs[0]):
        return None
    return Mended(_NO_ASCII.sub(lambda found: read[found[0]], text), "Latin-1")
