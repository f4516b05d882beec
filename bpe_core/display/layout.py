"""Where everything stands in a picture, in pixels from its upper left corner.

    ┌ edge ──────────────────────────────────────┐
    │  ┌─────┐gap┌──────┐                        │  a row: `chip` high, and `below` where a chip has small text
    │  │ The │   │ ·dog │   words between         │
    │  └─────┘   └──────┘                        │
    │    464       3290                          │
    └────────────────────────────────────────────┘

A row that is wider than `width` goes on in the next line. A chip with halves is a tree: it is centred above them.

The pictures that a page makes without a server are laid out by the same rule and the same sizes, in
`live/web/layout.js`. A browser measures its texts; here their widths are estimated, since the fonts are not known.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from bpe_core.display.drawing import Chip, Drawing, Row

_NO_XML = {0xFFFE: "⟨FFFE⟩", 0xFFFF: "⟨FFFF⟩"}  # characters that XML does not allow

# What monospaced fonts have: the letters of Europe, Hebrew and Arabic; signs, arrows and boxes; the brackets of marks.
_MONOSPACED = (range(0x0700), range(0x1E00, 0x2460), range(0x2500, 0x2600), range(0x27E6, 0x27F0))


class Font(NamedTuple):
    """A font. `cell`: the estimated width of a character, in pixels."""

    family: str
    size: int
    cell: float


class Sizes(NamedTuple):
    """The sizes of a picture in pixels, and its fonts."""

    width: int = 900
    edge: int = 20
    chip: int = 26  # its height
    corner: int = 4
    pad: int = 6  # inside a chip, left and right
    gap: int = 3  # between chips
    between: int = 8  # between a chip and words
    below: int = 16  # the height of the small text
    line: int = 8  # between two rows
    baseline: int = 18  # of a chip's text and of words, from the top of their row
    below_baseline: int = 37
    chip_font: Font = Font("monospace", 15, 9.05)
    below_font: Font = Font("sans-serif", 10, 5.6)
    words_font: Font = Font("sans-serif", 14, 6.9)


SIZES = Sizes()
_LEVEL = 52  # from a token of a tree to its halves


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


@lru_cache(maxsize=1 << 12)
def _cells(char: str) -> int:
    """Return how many cells a character takes at most, in the fonts that draw it."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    has_cell = any(ord(char) in block for block in _MONOSPACED)
    own = 1 if has_cell and unicodedata.east_asian_width(char) not in "WF" else 2
    letters = unicodedata.normalize("NFKC", char)  # of a ligature
    return own if letters == char else max(own, sum(map(_cells, letters)))


def xml_text(text: str) -> str:
    """Return a text with numbers in place of the characters that XML does not allow.

    >>> xml_text("a\\ufffe")
    'a⟨FFFE⟩'
    """
    return text.translate(_NO_XML)


def text_width(text: str, font: Font) -> float:
    """Return about how wide a text is, in pixels; rather too much than too little.

    >>> [text_width(text, Font("monospace", 10, 6)) for text in ("low", "低い", "e\\u0301", "\\ufb03")]
    [18, 24, 6, 18]
    """
    return (len(text) if text.isascii() else sum(map(_cells, text))) * font.cell


@dataclass
class Layout:
    """The positions of everything in a drawing, and the size of the whole."""

    glyph: str
    boxes: list[Box] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    width: float = 0
    height: float = SIZES.edge

    def add_row(self, row: Row) -> None:
        """Lay a row below the others."""
        x, y = float(SIZES.edge), self.height
        has_below = any(isinstance(item, Chip) and item.below for item in row)
        line = SIZES.chip + SIZES.line + (SIZES.below if has_below else 0)
        deepest = y + line
        for item in row:
            width = self._width(item)
            if x > SIZES.edge and isinstance(item, str):
                x += SIZES.between - SIZES.gap
            if x > SIZES.edge and x + width > SIZES.width - SIZES.edge:
                x, y = SIZES.edge, deepest
                deepest = y + line
            deepest = max(deepest, self._put(item, x, y) + SIZES.line)
            self.width = max(self.width, x + width + SIZES.edge)
            x += width + (SIZES.gap if isinstance(item, Chip) else SIZES.between)
        self.height = deepest

    def _width(self, item: Chip | str) -> float:
        if isinstance(item, str):
            return text_width(item, SIZES.words_font)
        halves = sum(self._width(half) for half in item.halves) + SIZES.gap * (len(item.halves) - 1)
        return max(self._own_width(item), halves)

    def _own_width(self, chip: Chip) -> float:
        own = text_width(self._text(chip), SIZES.chip_font) + 2 * SIZES.pad
        return max(own, text_width(chip.below, SIZES.below_font) + 4)

    def _text(self, chip: Chip) -> str:
        return xml_text("".join(part.text for part in chip.written(self.glyph)))

    def _put(self, item: Chip | str, x: float, y: float) -> float:
        """Put words or a chip with its tree at `x`, `y`; return where it ends below."""
        if isinstance(item, str):
            self.words.append(Words(x, y, item))
            return y + SIZES.chip
        own, whole = self._own_width(item), self._width(item)
        box = Box(x + (whole - own) / 2, y, own, self._text(item), item)
        self.boxes.append(box)
        bottom = y + SIZES.chip + (SIZES.below if item.below else 0)
        x += (whole - sum(self._width(half) for half in item.halves) - SIZES.gap * max(len(item.halves) - 1, 0)) / 2
        for half in item.halves:
            width = self._width(half)
            self.edges.append(Edge(box.middle, y + SIZES.chip + SIZES.below - 2, x + width / 2, y + _LEVEL))
            bottom = max(bottom, self._put(half, x, y + _LEVEL))
            x += width + SIZES.gap
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
    found.height += SIZES.edge
    return found
