"""A drawing as SVG, and its pixels as PNG. Light colours: a picture stands on its own ground."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from markupsafe import Markup

from bpe_core.display.colours import INK, SOFT, hue, palette
from bpe_core.display.drawing import Drawing
from bpe_core.display.layout import BELOW, CHIP, Box, Layout, layout
from bpe_core.display.style import ACCENT, PAPER, QUIET

PIXELS = 2  # of a PNG, for one of the SVG
MOST_PIXELS = 20_000_000  # of a PNG; each takes some five bytes while it is drawn
_NO_XML = {0xFFFE: "⟨FFFE⟩", 0xFFFF: "⟨FFFF⟩"}  # characters that XML does not allow
_RECT = Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="4" fill="{}"{}/>')
_TEXT = Markup('<text x="{:.1f}" y="{:.1f}" fill="{}" {}>{}</text>')
_EDGE = Markup('<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}" stroke="{}" fill="none"/>')
_WHOLE = Markup(
    '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{0}" height="{1}" viewBox="0 0 {0} {1}">'
    '<title>{2}</title><rect width="100%" height="100%" fill="{3}"/>{4}</svg>'
)
_CHIP = Markup('font-family="monospace" font-size="15" text-anchor="middle"')
_BELOW = Markup('font-family="sans-serif" font-size="10" text-anchor="middle"')
_WORDS = Markup('font-family="sans-serif" font-size="14"')


def svg(drawing: Drawing) -> str:
    """The picture as an SVG file.

    >>> from bpe_core.display.drawing import chips
    >>> svg(Drawing("<b>", (chips([b"<b>"]),))).split(">")[-3:]
    ['&lt;b&gt;</text', '</svg', '']
    """
    return _written(layout(drawing), drawing.title)


def _written(found: Layout, title: str) -> str:
    size = round(found.width), round(found.height)
    drawn = Markup("").join(_elements(found))
    return str(_WHOLE.format(*size, title.translate(_NO_XML), PAPER["light"], drawn))


def _elements(found: Layout) -> Iterator[Markup]:
    colours = palette("light")
    for edge in found.edges:
        yield _EDGE.format(*edge, QUIET["light"])
    for box in found.boxes:
        yield from _chip(box, colours[hue(box.chip.token)][box.chip.shade])
    for words in found.words:
        yield _TEXT.format(words.x, words.y + 18, INK["light"], _WORDS, words.text)


def _chip(box: Box, paper: str) -> Iterator[Markup]:
    ring = Markup(' stroke="{}" stroke-width="1.5"').format(ACCENT["light"]) if box.chip.new else ""
    yield _RECT.format(box.x, box.y, box.width, CHIP, paper, ring)
    yield _TEXT.format(box.middle, box.y + 18, INK["light"], _CHIP, box.text.translate(_NO_XML))
    if box.chip.below:
        yield _TEXT.format(box.middle, box.y + CHIP + BELOW - 5, SOFT["light"], _BELOW, box.chip.below)


def png(drawing: Drawing) -> bytes:
    """The picture in pixels, with the fonts of this machine; a very large one has fewer of them."""
    import vl_convert  # takes some 100 ms to load

    found = layout(drawing)
    scale = min(PIXELS, sqrt(MOST_PIXELS / (found.width * found.height)))
    return vl_convert.svg_to_png(_written(found, drawing.title), scale=scale)
