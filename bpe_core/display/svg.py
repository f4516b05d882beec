"""A drawing as SVG, and its pixels as PNG, in light colours.

First everything gets its place, in pixels from the upper left corner:

    ┌ EDGE ──────────────────────────────────────┐
    │  ┌─────┐GAP┌──────┐                        │  a row: CHIP high, and BELOW where a chip has small text
    │  │ The │   │ ·dog │   words between         │
    │  └─────┘   └──────┘                        │
    │    464       3290                          │
    └────────────────────────────────────────────┘

A row that is wider than WIDTH goes on in the next line. A chip with halves is a tree: it is centred above them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple

from markupsafe import Markup
from rich.cells import cell_len

from bpe_core.display.colours import INK, SOFT, hue, palette
from bpe_core.display.drawing import Chip, Drawing, Row
from bpe_core.display.style import ACCENT, PAPER, QUIET

WIDTH, EDGE = 900, 20
CELL, SMALL_CELL, WORD_CELL = 9.05, 5.6, 6.9  # width of a character: in a chip, below it, in words
CHIP, BELOW, LINE, LEVEL = 26, 16, 8, 52  # heights; LEVEL: from a token of a tree to its halves
PAD, GAP, BETWEEN = 6, 3, 8  # widths: inside a chip, between chips, between a chip and words
PIXELS = 2  # of a PNG, for one of the SVG
MOST_PIXELS = 20_000_000  # of a PNG; each takes about five bytes while it is drawn
_NO_XML = {0xFFFE: "⟨FFFE⟩", 0xFFFF: "⟨FFFF⟩"}  # characters that XML does not allow
_RECT = Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="4" fill="{}"{}/>')
_TEXT = Markup('<text x="{:.1f}" y="{:.1f}" fill="{}" {}>{}</text>')
_EDGE = Markup('<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}" stroke="{}" fill="none"/>')
_WHOLE = Markup(
    '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{0}" height="{1}" viewBox="0 0 {0} {1}">'
    '<title>{2}</title><rect width="100%" height="100%" fill="{3}"/>{4}</svg>'
)
_CHIP_FONT = Markup('font-family="monospace" font-size="15" text-anchor="middle"')
_BELOW_FONT = Markup('font-family="sans-serif" font-size="10" text-anchor="middle"')
_WORDS_FONT = Markup('font-family="sans-serif" font-size="14"')


class Box(NamedTuple):
    """A chip's rectangle, and its text."""

    x: float
    y: float
    width: float
    text: str
    chip: Chip

    @property
    def middle(self) -> float:
        """The horizontal middle."""
        return self.x + self.width / 2


class Words(NamedTuple):
    """Words; `x`, `y`: where their line begins, at its top."""

    x: float
    y: float
    text: str


class Edge(NamedTuple):
    """A line from a token of a tree to one of its halves."""

    x: float
    y: float
    to_x: float
    to_y: float


@dataclass
class Layout:
    """The positions of everything in a drawing, and the size of the whole."""

    glyph: str
    boxes: list[Box] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    width: float = 0
    height: float = EDGE

    def add_row(self, row: Row) -> None:
        """Lay a row below the others."""
        x, y = float(EDGE), self.height
        line = CHIP + LINE + (BELOW if any(isinstance(item, Chip) and item.below for item in row) else 0)
        deepest = y + line
        for item in row:
            width = self._width(item)
            if x > EDGE and isinstance(item, str):
                x += BETWEEN - GAP
            if x > EDGE and x + width > WIDTH - EDGE:
                x, y = EDGE, deepest
                deepest = y + line
            deepest = max(deepest, self._put(item, x, y) + LINE)
            x += width + (GAP if isinstance(item, Chip) else BETWEEN)
            self.width = max(self.width, x - GAP + EDGE)
        self.height = deepest

    def _width(self, item: Chip | str) -> float:
        if isinstance(item, str):
            return cell_len(item) * WORD_CELL
        halves = sum(self._width(half) for half in item.halves) + GAP * (len(item.halves) - 1)
        return max(self._own_width(item), halves)

    def _own_width(self, chip: Chip) -> float:
        return max(cell_len(self._text(chip)) * CELL + 2 * PAD, cell_len(chip.below) * SMALL_CELL + 4)

    def _text(self, chip: Chip) -> str:
        return "".join(part.text for part in chip.written(self.glyph))

    def _put(self, item: Chip | str, x: float, y: float) -> float:
        """Put words or a chip with its tree at `x`, `y`; return where it ends below."""
        if isinstance(item, str):
            self.words.append(Words(x, y, item))
            return y + CHIP
        own, whole = self._own_width(item), self._width(item)
        box = Box(x + (whole - own) / 2, y, own, self._text(item), item)
        self.boxes.append(box)
        bottom = y + CHIP + (BELOW if item.below else 0)
        x += (whole - sum(self._width(half) for half in item.halves) - GAP * max(len(item.halves) - 1, 0)) / 2
        for half in item.halves:
            width = self._width(half)
            self.edges.append(Edge(box.middle, y + CHIP + BELOW - 2, x + width / 2, y + LEVEL))
            bottom = max(bottom, self._put(half, x, y + LEVEL))
            x += width + GAP
        return bottom


def layout(drawing: Drawing) -> Layout:
    """Lay out a drawing.

    >>> from bpe_core.display.drawing import chips
    >>> found = layout(Drawing("two", (chips([b"a", b"b"]),)))
    >>> [(box.x, box.text) for box in found.boxes], found.height
    ([(20.0, 'a'), (44.05, 'b')], 74)
    """
    found = Layout(drawing.glyph)
    for row in drawing.rows:
        found.add_row(row)
    found.height += EDGE
    return found


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
    return str(_WHOLE.format(*size, title.translate(_NO_XML), PAPER["light"], drawn))


def _elements(found: Layout) -> Iterator[Markup]:
    colours = palette("light")
    for edge in found.edges:
        yield _EDGE.format(*edge, QUIET["light"])
    for box in found.boxes:
        yield from _chip(box, colours[hue(box.chip.token)][box.chip.shade])
    for words in found.words:
        yield _TEXT.format(words.x, words.y + 18, INK["light"], _WORDS_FONT, words.text)


def _chip(box: Box, paper: str) -> Iterator[Markup]:
    ring = Markup(' stroke="{}" stroke-width="1.5"').format(ACCENT["light"]) if box.chip.new else ""
    yield _RECT.format(box.x, box.y, box.width, CHIP, paper, ring)
    yield _TEXT.format(box.middle, box.y + 18, INK["light"], _CHIP_FONT, box.text.translate(_NO_XML))
    if box.chip.below:
        yield _TEXT.format(box.middle, box.y + CHIP + BELOW - 5, SOFT["light"], _BELOW_FONT, box.chip.below)


def png(drawing: Drawing) -> bytes:
    """Return the drawing as a PNG file, in the fonts of this machine; a very large one is scaled down."""
    import vl_convert  # takes about 100 ms to load

    found = layout(drawing)
    scale = min(PIXELS, sqrt(MOST_PIXELS / (found.width * found.height)))
    return vl_convert.svg_to_png(_written(found, drawing.title), scale=scale)
