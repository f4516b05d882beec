"""Where everything of a drawing stands in a picture, in pixels from its upper left corner.

    ┌ EDGE ──────────────────────────────────────┐
    │  ┌─────┐GAP┌──────┐                        │  a row: CHIP high, with SMALL below it where something is
    │  │ The │   │ ·dog │   words between         │
    │  └─────┘   └──────┘                        │
    │    464       3290                          │
    └────────────────────────────────────────────┘

A row that is wider than WIDTH goes on in the next line. A chip with halves is a tree: it stands above their middle.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from rich.cells import cell_len

from bpe_core.display.drawing import Chip, Drawing, Row

WIDTH, EDGE = 900, 20
CELL, SMALL_CELL, WORD_CELL = 9.05, 5.6, 6.9  # width of a character: in a chip, below it, in words
CHIP, BELOW, LINE, LEVEL = 26, 16, 8, 52  # heights; LEVEL: from a token of a tree to its halves
PAD, GAP, BETWEEN = 6, 3, 8


class Box(NamedTuple):
    """A chip's rectangle, and its text."""

    x: float
    y: float
    width: float
    text: str
    chip: Chip

    @property
    def middle(self) -> float:
        """The middle from left to right."""
        return self.x + self.width / 2


class Words(NamedTuple):
    """Words that begin at `x`, `y` being the top of their line."""

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
    """Everything in its place, and the size of the whole."""

    glyph: str
    boxes: list[Box] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    width: float = 0
    height: float = EDGE

    def add_row(self, row: Row) -> None:
        """Lay a row below what is there."""
        x, y = EDGE, self.height
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
        """Put words or a chip with its tree at `x`, `y`; returns where it ends below."""
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
    """A drawing with everything in its place.

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
