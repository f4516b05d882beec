"""A drawing as SVG, and its pixels as PNG, in light colours. `layout` has the positions."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from markupsafe import Markup

from bpe_core.display.colours import INK, SOFT, hue, palette
from bpe_core.display.drawing import Drawing
from bpe_core.display.layout import SIZES, Box, Layout, layout, xml_text
from bpe_core.display.style import ACCENT, PAPER, QUIET

PIXELS = 2  # of a PNG, for one of the SVG
MOST_PIXELS = 20_000_000  # of a PNG; each takes about five bytes while it is drawn
_RECT = Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="{}" fill="{}"{}/>')
_TEXT = Markup('<text x="{:.1f}" y="{:.1f}" fill="{}" {}>{}</text>')
_EDGE = Markup('<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}" stroke="{}" fill="none"/>')
_WHOLE = Markup(
    '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{0}" height="{1}" viewBox="0 0 {0} {1}">'
    '<title>{2}</title><rect width="100%" height="100%" fill="{3}"/>{4}</svg>'
)
_FONT = Markup('font-family="{}" font-size="{}"')
_MIDDLE = Markup(' text-anchor="middle"')
_DASHED = Markup(' stroke="{}" stroke-dasharray="3 2"')
_STRUCK = Markup(' text-decoration="line-through"')
_CHIP_FONT = _FONT.format(*SIZES.chip_font) + _MIDDLE
_BELOW_FONT = _FONT.format(*SIZES.below_font) + _MIDDLE
_WORDS_FONT = _FONT.format(*SIZES.words_font)


def svg(drawing: Drawing) -> str:
    """Return the drawing as an SVG file.

    >>> from bpe_core.display.drawing import chips
    >>> svg(Drawing("<b>", (chips([b"<b>"]),))).split(">")[-3:]
    ['&lt;b&gt;</text', '</svg', '']
    """
    return _written(layout(drawing), drawing.title)


def _written(found: Layout, title: str) -> str:
    size = round(found.width), round(found.height)
    drawn = Markup("").join(_elements(found))
    return str(_WHOLE.format(*size, xml_text(title), PAPER["light"], drawn))


def _elements(found: Layout) -> Iterator[Markup]:
    colours = palette("light")
    for edge in found.edges:
        yield _EDGE.format(*edge, QUIET["light"])
    for box in found.boxes:
        yield from _chip(box, colours[hue(box.chip.token)][box.chip.shade])
    for words in found.words:
        yield _TEXT.format(words.x, words.y + SIZES.baseline, INK["light"], _WORDS_FONT, words.text)


def _chip(box: Box, paper: str) -> Iterator[Markup]:
    ring, font = Markup(' stroke="{}" stroke-width="1.5"').format(ACCENT["light"]) if box.chip.new else "", _CHIP_FONT
    if box.chip.lost:
        paper, ring, font = "none", _DASHED.format(QUIET["light"]), _CHIP_FONT + _STRUCK
    yield _RECT.format(box.x, box.y, box.width, SIZES.chip, SIZES.corner, paper, ring)
    yield _TEXT.format(box.middle, box.y + SIZES.baseline, INK["light"], font, box.text)
    if box.chip.below:
        y = box.y + SIZES.below_baseline
        yield _TEXT.format(box.middle, y, SOFT["light"], _BELOW_FONT, box.chip.below)


def png(drawing: Drawing) -> bytes:
    """Return the drawing as a PNG file, in the fonts of this machine; a very large one is scaled down."""
    import vl_convert  # takes about 100 ms to load

    found = layout(drawing)
    scale = min(PIXELS, sqrt(MOST_PIXELS / (found.width * found.height)))
    return vl_convert.svg_to_png(_written(found, drawing.title), scale=scale)
