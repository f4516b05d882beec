"""A drawing as SVG, and its pixels as PNG. `layout` has the positions.

An SVG or HTML file is drawn where it is opened; a PNG is drawn here, with the fonts of this machine. A character that
no font has would be drawn as an empty box. Its code point is drawn instead, and a sentence names the missing scripts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import sqrt

from markupsafe import Markup

from bpe_core.extras import needed
from bpe_core.pictures.shared.colours import INK, SOFT, hue, palette
from bpe_core.pictures.shared.drawing import Appearance, Chip, Drawing, Heading, Whole, chips_of
from bpe_core.pictures.shared.layout import BAR_HEIGHT, HEADING, NO_XML, SIZES, Box, Font, Layout, layout, text_width
from bpe_core.pictures.shared.style import ACCENT, HAIR, PAPER, QUIET
from bpe_core.text.in_words import counted, listed

MOST_NAMED = 3  # scripts in the sentence
_OTHER = {"⏎": "¶", "⍽": "NBSP", "␍": "CR", "⟨": "<", "⟩": ">"}  # for marks that fonts lack
_ALONE = Markup(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="24"><text x="4" y="18" font-family="{}" font-size="15">'
    "{}</text></svg>"
)
_NO_CHARACTER = "\U0010fffd"  # for private use: no font of a system has it


def replaced(drawing: Drawing) -> tuple[dict[int, str], tuple[str, ...]]:
    """Return texts to draw for the characters that no font has, by code point, and sentences about the missing scripts.

    >>> from bpe_core.pictures.shared.drawing import chips
    >>> replaced(Drawing("one", (chips([b"low"]),)))
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


MOST_PIXELS = 20_000_000  # of a PNG; a pixel takes about five bytes while the PNG is drawn
_RECT = Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="{}" fill="{}"{}/>')
_TEXT = Markup('<text x="{:.1f}" y="{:.1f}" fill="{}" {}{}>{}</text>')
_EDGE = Markup('<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}" stroke="{}" fill="none"/>')
_WHOLE = Markup(
    '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{0}" height="{1}" viewBox="0 0 {0} {1}">'
    "<title>{2}</title>{3}{4}</svg>"
)
_GROUND = Markup('<rect width="100%" height="100%" fill="{}"/>')
_BRACKET = Markup('<path d="M{0:.1f} {1:.1f}v4H{2:.1f}v-4" stroke="{3}" fill="none"/>')
_START = Markup("")
_LENGTH = Markup(' textLength="{:.1f}"')
_FONT = Markup('font-family="{}" font-size="{}"')
_MIDDLE = Markup(' text-anchor="middle"')
_BOLD = Markup(' font-weight="600"')
_DASHED = Markup(' stroke="{}" stroke-dasharray="3 2"')
_STRUCK = Markup(' text-decoration="line-through"')
_PLAIN = Appearance()


def svg(drawing: Drawing, appearance: Appearance = _PLAIN) -> str:
    """Return the drawing as an SVG file.

    >>> from bpe_core.pictures.shared.drawing import chips
    >>> svg(Drawing("<b>", (chips([b"<b>"]),))).split(">")[-3:]
    ['&lt;b&gt;</text', '</svg', '']
    """
    return _written(layout(drawing, appearance.width), drawing.title, appearance)


def png(drawing: Drawing, appearance: Appearance = _PLAIN) -> bytes:
    """Return the drawing as a PNG file, in the fonts of this machine. A very large picture is scaled down.

    A character that no font has is drawn as its code point. The picture's last rows then say how to get such a font.
    """
    with needed("png", "a PNG"):
        import vl_convert  # takes about 100 ms to load

    instead, sentences = replaced(drawing)
    noted = replace(drawing, rows=(*drawing.rows, *((sentence,) for sentence in sentences)))
    found = layout(noted, appearance.width, instead)
    scale = min(appearance.scale, sqrt(MOST_PIXELS / (found.width * found.height)))
    return vl_convert.svg_to_png(_written(found, drawing.title, appearance), scale=scale)


def _written(found: Layout, title: str, appearance: Appearance) -> str:
    mode = "dark" if appearance.dark else "light"
    size = round(found.width), round(found.height)
    ground = Markup("") if appearance.transparent else _GROUND.format(PAPER[mode])
    drawn = Markup("").join(_elements(found, mode))
    return str(_WHOLE.format(*size, title.translate(NO_XML), ground, drawn))


def _elements(found: Layout, mode: str) -> Iterator[Markup]:
    colours = palette(mode)
    for edge in found.edges:
        yield _EDGE.format(*edge, QUIET[mode])
    for bracket in found.brackets:
        yield _BRACKET.format(bracket.x, bracket.y - 4, bracket.to_x, QUIET[mode])
    for stripe in found.stripes:
        ink = ACCENT[mode] if stripe.new else HAIR[mode]
        yield _RECT.format(stripe.x, stripe.y, stripe.width, BAR_HEIGHT, 2, ink, "")
    for box in found.boxes:
        yield from _chip(box, colours[hue(box.chip.token)][box.chip.shade], mode)
    for x, y, text in found.words:
        yield _text(x, y + SIZES.baseline, text, INK[mode], SIZES.words_font)
    for x, y, text in found.headings:
        yield _text(x, y + SIZES.baseline, text, INK[mode], HEADING, _BOLD)
    for x, y, text in found.labels:
        yield _text(x, y + SIZES.baseline, text, QUIET[mode], SIZES.whole_font)


def _chip(box: Box, paper: str, mode: str) -> Iterator[Markup]:
    ring = Markup(' stroke="{}" stroke-width="1.5"').format(ACCENT[mode]) if box.chip.new else ""
    style = _MIDDLE
    if box.chip.lost:
        paper, ring, style = "none", _DASHED.format(QUIET[mode]), _MIDDLE + _STRUCK
    yield _RECT.format(box.x, box.y, box.width, SIZES.chip, SIZES.corner, paper, ring)
    yield _text(box.middle, box.y + SIZES.baseline, box.text, INK[mode], SIZES.chip_font, style)
    if box.chip.below:
        y = box.y + SIZES.below_baseline
        yield _text(box.middle, y, box.chip.below, SOFT[mode], SIZES.below_font, _MIDDLE)


def _text(x: float, y: float, text: str, ink: str, font: Font, style: Markup = _START) -> Markup:
    """Return an SVG text. A text whose width can be estimated well is stretched to that width in any font."""
    is_known = font is not SIZES.below_font and text.isascii() and len(text) > 1
    length = _LENGTH.format(text_width(text, font)) if is_known else ""
    return _TEXT.format(x, y, ink, _FONT.format(font.family, font.size) + style, length, text)
