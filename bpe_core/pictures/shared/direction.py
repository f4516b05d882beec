"""The direction of tokens in a row, as `direction.js` has it for live views.

A token's box is no letter, so boxes run in the direction of the row. In HTML each box stands between two invisible
marks with the direction of its text, and the browser's rules for mixed text place the boxes. In a picture, `turned`
says which boxes of a line change places.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Literal

import regex
from markupsafe import Markup

Kind = Literal["rtl", "ltr", "digits", "bytes", ""]

_RIGHT_TO_LEFT = regex.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_LRM, _RLM, _LRI, _PDI = "\u200e", "\u200f", "\u2066", "\u2069"
_MARKS: dict[Kind, tuple[str, str]] = {"rtl": (_RLM, _RLM), "ltr": (_LRM, _LRM), "bytes": ("", ""), "": ("", "")}


@lru_cache(maxsize=1 << 14)
def kind_of(token: bytes) -> Kind:
    """Return the kind of a token: what its first letter or digit is, or else whether it has pieces of characters.

    >>> [kind_of(token) for token in (" שלום".encode(), b" dog", b"12", b"!", b"\\xd7")]
    ['rtl', 'ltr', 'digits', '', 'bytes']
    """
    text = token.decode("utf-8", "replace")
    first = next((char for char in text if char.isalpha() or unicodedata.category(char) == "Nd"), "")
    if not first:
        return "bytes" if "\ufffd" in text else ""
    if unicodedata.category(first) == "Nd":
        return "digits"
    return "rtl" if _RIGHT_TO_LEFT.match(first) else "ltr"


def is_mixed(tokens: Iterable[bytes]) -> bool:
    """Return whether one of the tokens has letters that run from right to left.

    >>> is_mixed([b"a", "ש".encode()]), is_mixed([b"a", b"\\xd7"])
    (True, False)
    """
    return any(not token.isascii() and kind_of(token) == "rtl" for token in tokens)


def directed(boxes: Sequence[Markup], tokens: Sequence[bytes]) -> list[Markup]:
    """Return boxes in HTML, each between the marks of its token's direction; unchanged if all run left to right.

    >>> directed([Markup("<b>x</b>")], [b"x"])
    [Markup('<b>x</b>')]
    """
    if not is_mixed(tokens):
        return [*boxes]
    found: list[Markup] = []
    for kind, group in groupby(zip(boxes, map(kind_of, tokens), strict=True), key=lambda row: row[1]):
        drawn = [box for box, _ in group]
        if kind == "digits":  # the digits of a number run on
            drawn[0], drawn[-1] = Markup(_LRI) + drawn[0], drawn[-1] + Markup(_PDI)
        else:
            before, after = map(Markup, _MARKS[kind])
            drawn = [before + box + after for box in drawn]
        found += drawn
    return found


def turned(tokens: Sequence[bytes]) -> list[int]:
    """Return the order in which the tokens of a line stand from left to right, as indexes.

    Tokens from the first to the last that run from right to left change places, and numbers among them run on.

    >>> turned([b"a", "ש".encode(), b" ", "ל".encode(), b"b"])
    [0, 3, 2, 1, 4]
    >>> turned(["ש".encode(), b"1", b"2", b"b"])
    [1, 2, 0, 3]
    """
    order: list[int] = []
    kinds, at = [kind_of(token) for token in tokens], 0
    while at < len(kinds):
        end = at + 1
        if kinds[at] == "rtl":
            within = next((i for i in range(at, len(kinds)) if kinds[i] in ("ltr", "bytes")), len(kinds))
            end = 1 + max(i for i in range(at, within) if kinds[i] in ("rtl", "digits"))
        runs = [[*run] for _, run in groupby(range(at, end), key=lambda i: kinds[i] == "digits" or -i)]
        order += [i for run in reversed(runs) for i in run]
        at = end
    return order
