"""The script of a text, which most of its letters have."""

from __future__ import annotations

import regex

SAMPLE = 2_000  # characters of a text that are looked at
_LETTER, _KANA = regex.compile(r"\p{L}"), regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_NAMES = ("Cyrillic", "Arabic", "Devanagari", "Han")
_SCRIPTS = {name: regex.compile(rf"[\p{{Script={name}}}&&\p{{L}}]", regex.V1) for name in _NAMES}


def main_script(text: str) -> str:
    """Return which of Cyrillic, Arabic, Devanagari and Han most letters of a text are in; "" for none of them.

    A text with kana is Japanese, and no text in Han.

    >>> [*map(main_script, ("Дети читают a book", "孩子们在读书。", "子どもが本を読む", "12"))]
    ['Cyrillic', 'Han', '', '']
    """
    sample = text[:SAMPLE]
    if sample.isascii() or _KANA.search(sample):
        return ""
    half = len(_LETTER.findall(sample)) / 2
    return next((name for name, each in _SCRIPTS.items() if len(each.findall(sample)) > half), "")
