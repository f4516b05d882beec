"""The characters that the fonts of this machine lack, and what a PNG shows in their place.

An SVG or HTML file is drawn where it is opened; a PNG is drawn here, with the fonts of this machine. A character that
no font has would be drawn as an empty box. Its code point is drawn instead, and a sentence names the missing scripts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

from markupsafe import Markup

from bpe_core.pictures.shared.drawing import Chip, Drawing, Heading, Whole, chips_of
from bpe_core.pictures.shared.layout import NO_XML, SIZES
from bpe_core.text.in_words import counted, listed

MOST_NAMED = 3  # scripts in the sentence
_OTHER = {"⏎": "¶", "⍽": "NBSP", "␍": "CR", "⟨": "<", "⟩": ">"}  # for marks that fonts lack
_ALONE = Markup(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="24"><text x="4" y="18" font-family="{}" font-size="15">'
    "{}</text></svg>"
)
_NO_CHARACTER = "\U0010fffd"  # for private use: no font of a system has it


def instead(drawing: Drawing) -> tuple[dict[int, str], tuple[str, ...]]:
    """Return texts to draw for the characters that no font has, by code point, and sentences about the missing scripts.

    >>> from bpe_core.pictures.shared.drawing import chips
    >>> instead(Drawing("one", (chips([b"low"]),)))
    ({}, ())
    """
    used = {char for text in _texts(drawing) for char in text if not char.isascii() and ord(char) not in NO_XML}
    used |= set("⟨⟩")  # around a code point
    lacking = sorted(char for char in used if not has_glyph(char))
    written = {char: _OTHER.get(char, f"⟨{ord(char):04X}⟩") for char in lacking}
    brackets = str.maketrans({char: written[char] for char in "⟨⟩" if char in written})
    scripts = [*dict.fromkeys(script(char) for char in lacking if char not in _OTHER)]
    codes = {ord(char): other.translate(brackets) for char, other in written.items()}
    return codes, _sentences(scripts) if scripts else ()


def _texts(drawing: Drawing) -> Iterator[str]:
    for row in drawing.every_row:
        for item in row:
            if isinstance(item, str):
                yield item
            elif isinstance(item, (Whole, Heading)):
                yield item.text
            for chip in chips_of(item):
                yield from _tree_texts(chip, drawing.glyph)


def _tree_texts(chip: Chip, glyph: str) -> Iterator[str]:
    yield from (part.text for part in chip.written(glyph))
    for half in chip.halves:
        yield from _tree_texts(half, glyph)


def _sentences(scripts: list[str]) -> tuple[str, ...]:
    more = len(scripts) - MOST_NAMED
    named = listed([*scripts[:MOST_NAMED], *([counted(more, "more script")] if more > 0 else [])])
    return f"No font on this machine has {named}.", "Install one (Debian: fonts-noto), or make an SVG instead."


def script(char: str) -> str:
    """Return the name of a letter's script; for another character "emoji" or "signs".

    >>> [script(char) for char in "न低🦜↯"]
    ['Devanagari', 'CJK', 'emoji', 'signs']
    """
    if unicodedata.category(char)[0] in "LM":
        name = unicodedata.name(char, "unnamed letters").split()[0].split("-")[0]
        return name if name == "CJK" else name.capitalize()
    return "emoji" if ord(char) >= 0x1F000 else "signs"


@cache
def has_glyph(char: str) -> bool:
    """Return whether a font of this machine has a character. Finding out means drawing it, which takes about 1 ms.

    >>> has_glyph("a"), has_glyph("\\U0010fffd")
    (True, False)
    """
    return _drawn(char) != _drawn(_NO_CHARACTER)


@cache
def _drawn(char: str) -> bytes:
    import vl_convert  # takes about 100 ms to load

    return vl_convert.svg_to_png(_ALONE.format(SIZES.chip_font.family, char))
