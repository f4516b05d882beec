"""Cuts that come after ByteLevel, as Falcon's: they cut the letters that stand for bytes, and here the text is cut.

Of those letters the ten digits of ASCII stand for themselves alone; ², ³, ¹, ¼, ½ and ¾ are digits too, and stand for
parts of other characters, where no text can be cut. Digits cuts there as well. Where no merge joins letters of
different kinds, cuts between them change no token, whether they are made or not; so such a vocabulary can be read.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

from bpe_core.files.format import FormatError
from bpe_core.files.split_and_sequence import Split
from bpe_core.text.rules import Pretokenizer

_DIGITS = Pretokenizer("ASCII digits", "", (("digits", "[0-9]+"), ("rest", "[^0-9]+")), True)
_PLAIN = {"behavior": "Isolated", "invert": False}
_SO_MANY_DIGITS = regex.compile(r"(?:\[0-9\])+")


def cut_behind_bytes(part: dict) -> Pretokenizer:
    """The cut of a text that does what `part` does to its letters; `FormatError` where that is not certain.

    >>> cut_behind_bytes({"type": "Digits", "individual_digits": False}).strings("in 1984")
    ['in ', '1984']
    """
    if part == {"type": "Digits", "individual_digits": False}:
        return _DIGITS
    pattern = part.get("pattern")
    text = pattern.get("Regex") if isinstance(pattern, dict) else None
    plain = part == {"type": "Split", "pattern": {"Regex": text}, **_PLAIN}
    if plain and isinstance(text, str) and _SO_MANY_DIGITS.fullmatch(text):
        return Split("Split", "", (("match", text),), True)
    raise FormatError(f"the pre_tokenizer {part.get('type')!r:.40} comes after ByteLevel, which is not supported")


def check_apart(merges: Iterable[tuple[str, str]]) -> None:
    """Raise `FormatError` for a merge that joins letters which Digits may keep apart.

    >>> check_apart([("1", "2"), ("Ã", "©"), ("Â", "²")])
    Traceback (most recent call last):
        ...
    bpe_core.files.format.FormatError: the merge of 'Â' and '²' joins what Digits cuts after ByteLevel: not supported
    """
    for left, right in merges:
        if _kind(left[-1]) != _kind(right[0]):
            raise FormatError(
                f"the merge of {left!r:.60} and {right!r:.60} joins what Digits cuts after ByteLevel: not supported"
            )


def _kind(letter: str) -> str:
    return "ASCII digit" if letter in "0123456789" else "other digit" if letter.isnumeric() else "no digit"
