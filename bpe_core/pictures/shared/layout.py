"""The layout of a picture: the position of everything in it, in pixels from its upper left corner.

    ┌ edge ──────────────────────────────────────┐
    │  ┌─────┐gap┌──────┐                        │  a row: `chip` high, and `below` where a chip has small text
    │  │ The │   │ ·dog │   words between         │
    │  └─────┘   └──────┘                        │
    │    464       3290                          │
    │  ┌───────┐   ┌─────┐                       │
    │  │ F0 9F │   │ A6 9C │ = 🦜                 │  tokens that are parts of a character: a bracket below them
    │  └───────┘   └─────┘                       │
    │  └───────────────────┘                     │
    └────────────────────────────────────────────┘

A row that is wider than the picture goes on in the next line. A chip with halves is the root of a tree, and is centred
above its halves. Columns share the width of the picture. Columns that would be too narrow stand one below the other.

A browser lays out its own pictures by the same rules and sizes, in `layout.js`. A browser can measure the width of a
text; this module estimates the width, since it does not know the fonts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from bpe_core.pictures.shared.direction import is_mixed, turned
from bpe_core.pictures.shared.drawing import Bar, Chip, Columns, Drawing, Heading, Row, Whole, chips_of

NO_XML = {0xFFFE: "⟨FFFE⟩", 0xFFFF: "⟨FFFF⟩"}  # characters that XML does not allow
_NARROW, _WIDE = set(" !'(),./:;I[]fijlrt|"), set("MWmw→")  # in a proportional font

# What monospaced fonts have: the letters of Europe, Hebrew and Arabic; signs, arrows and boxes; the brackets of marks.
_MONOSPACED = (range(0x0700), range(0x1E00, 0x2460), range(0x2500, 0x2600), range(0x27E6, 0x27F0))


class Font(NamedTuple):
    """A font. `family`: as in CSS, with fallbacks for a machine that lacks the first font.

    `cell`: the estimated width of a character, in pixels. In a `proportional` font it is the width of most letters.
    """

    family: str
    size: int
    cell: float
    proportional: bool = False


# Most programs find a font by its kind, such as "monospace". The program that makes a PNG needs a font's own name if
# the system has no list of kinds. If the system has no font at all, that program uses a sans-serif font of its own.
_SANS = "sans-serif"
_MONO = f"monospace, DejaVu Sans Mono, Liberation Mono, {_SANS}"


class Sizes(NamedTuple):
    """The sizes of a picture in pixels, and its fonts."""

    width: int = 900  # of a line; only a single item may be wider
    edge: int = 20
    chip: int = 26  # the height of a chip
    corner: int = 4
    pad: int = 6  # inside a chip, left and right
    gap: int = 3  # between chips
    between: int = 8  # between a chip and words
    below: int = 16  # the height of the small text
    line: int = 8  # between two rows
    baseline: int = 18  # of a chip's text and of words, from the top of their row
    below_baseline: int = 37
    bracket: int = 7  # the height of a bracket, with the room above it
    chip_font: Font = Font(_MONO, 15, 9.05)
    below_font: Font = Font(_SANS, 10, 5.6)
    words_font: Font = Font(_SANS, 14, 8, proportional=True)
    whole_font: Font = Font(_MONO, 13, 7.85)  # of the character that several tokens make


SIZES = Sizes()
HEADING = Font(_SANS, 15, 9.4, proportional=True)
BAR, BAR_HEIGHT = 72, 12  # pixels: the length of the longest bar, and the height of every bar
_COLUMN, _APART = 240, 24  # pixels: the least width of a column, and the gap between two columns
_LEVEL = 52  # pixels from the top of a token in a tree to the top of its halves


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
    """Words. `x`: their left end. `y`: the top of their line."""

    x: float
    y: float
    text: str


class Bracket(NamedTuple):
    """A bracket below tokens that are parts of a character; `y`: the bracket's lower edge."""

    x: float
    y: float
    to_x: float


class Stripe(NamedTuple):
    """A bar of a chart; `y`: the bar's upper edge."""

    x: float
    y: float
    width: float
    new: bool


class _Label(NamedTuple):
    """An equals sign and a character. The tokens before the sign are the parts of the character."""

    text: str


class Edge(NamedTuple):
    """A line from a token of a tree to one of its halves."""

    x: float
    y: float
    to_x: float
    to_y: float


@lru_cache(maxsize=1 << 12)
def _cells(char: str) -> int:
    """Return the largest number of cells that a character takes in any font that has the character."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    has_cell = any(ord(char) in block for block in _MONOSPACED)
    own = 1 if has_cell and unicodedata.east_asian_width(char) not in "WF" else 2
    letters = unicodedata.normalize("NFKC", char)  # several, if the character is a ligature
    return own if letters == char else max(own, sum(map(_cells, letters)))


def text_width(text: str, font: Font) -> float:
    """Return the estimated width of a text, in pixels. The estimate is rather too large than too small.

    >>> [text_width(text, Font("monospace", 10, 6)) for text in ("low", "低い", "e\\u0301", "\\ufb03")]
    [18, 24, 6, 18]
    """
    if not font.proportional:
        return (len(text) if text.isascii() else sum(map(_cells, text))) * font.cell
    return sum(0.5 if char in _NARROW else 1.5 if char in _WIDE else _cells(char) for char in text) * font.cell


@dataclass
class Layout:
    """The positions of everything in a drawing, and the size of the whole drawing.

    `most`: how wide a line may be, in pixels. `instead`: the texts that replace some characters, by code point.
    """

    glyph: str
    most: int = SIZES.width
    instead: Mapping[int, str] = field(default_factory=dict)
    boxes: list[Box] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    labels: list[Words] = field(default_factory=list)
    headings: list[Words] = field(default_factory=list)
    stripes: list[Stripe] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    brackets: list[Bracket] = field(default_factory=list)
    width: float = 0
    height: float = SIZES.edge
    _x: float = SIZES.edge  # where the next item of a row is put
    _y: float = SIZES.edge
    _line: float = 0  # the height of the row's lines

    def add_row(self, row: Row) -> None:
        """Lay a row below the rows before it."""
        has_below = any(chip.below for item in row for chip in chips_of(item))
        has_bracket = any(isinstance(item, Whole) for item in row)
        self._line = SIZES.chip + SIZES.line + SIZES.below * has_below + SIZES.bracket * has_bracket
        self._x, self._y = SIZES.edge, self.height
        self.height += self._line
        first = len(self.boxes)
        for item in row:
            if isinstance(item, Chip) and not item.halves:
                self._add(item)
                continue
            self._turn(first)
            if isinstance(item, Whole):
                self._add_whole(item)
            else:
                self._add(item)
            first = len(self.boxes)
        self._turn(first)

    def _turn(self, first: int) -> None:
        """Let the boxes from index `first` change places in each line where their tokens run from right to left."""
        if is_mixed(box.chip.token for box in self.boxes[first:]):
            lines = [[*line] for _, line in groupby(self.boxes[first:], key=lambda box: box.y)]
            del self.boxes[first:]
            for line in lines:
                x = line[0].x
                for i in turned([box.chip.token for box in line]):
                    self.boxes.append(line[i]._replace(x=x))
                    x += line[i].width + SIZES.gap

    def add_columns(self, columns: Columns) -> None:
        """Lay columns below the rows before them, side by side if there is room."""
        number = len(columns.columns)
        room = (self.most - 2 * SIZES.edge - (number - 1) * _APART) / number
        is_wide = room >= _COLUMN
        x, y = 0.0, self.height - SIZES.edge + SIZES.line
        for rows in columns.columns:
            column = Layout(self.glyph, round(room) + 2 * SIZES.edge if is_wide else self.most, self.instead)
            for row in rows:
                column.add_row(row)
            self._take(column, x, y)
            if is_wide:
                x += room + _APART
            else:
                y += column.height - SIZES.edge + SIZES.line

    def _take(self, other: Layout, x: float, y: float) -> None:
        """Add everything in another layout, moved by `x` and `y`."""
        for name in ("boxes", "words", "labels", "headings", "stripes"):
            getattr(self, name).extend(each._replace(x=each.x + x, y=each.y + y) for each in getattr(other, name))
        for name in ("edges", "brackets"):
            moved = (each._replace(x=each.x + x, y=each.y + y, to_x=each.to_x + x) for each in getattr(other, name))
            getattr(self, name).extend(moved)
        self.width = max(self.width, other.width + x)
        self.height = max(self.height, other.height + y)

    def _add(self, item: Chip | Heading | Bar | _Label | str) -> None:
        """Put an item of a row beside the items before it, or at the beginning of the next line."""
        width = self._width(item)
        is_chip = isinstance(item, (Chip, _Label))
        if self._x > SIZES.edge and not is_chip:
            self._x += SIZES.between - SIZES.gap
        if not self._fits(width):
            self._next_line()
        self.height = max(self.height, self._put(item, self._x, self._y) + SIZES.line)
        self.width = max(self.width, self._x + width + SIZES.edge)
        self._x += width + (SIZES.gap if is_chip else SIZES.between)

    def _add_whole(self, whole: Whole) -> None:
        """Put tokens and the character that they make into one line, if a line has room for them."""
        items: tuple[Chip | _Label, ...] = (*whole.chips, _Label(f"= {whole.text}"))
        width = sum(map(self._width, items)) + SIZES.gap * (len(items) - 1)
        if not self._fits(width) and width <= self.most - 2 * SIZES.edge:
            self._next_line()
        start, y = self._x, self._y
        for item in items:
            end = self._x - SIZES.gap
            self._add(item)
            if self._y != y:
                if end > start:
                    self._add_bracket(start, y, end)
                start, y = SIZES.edge, self._y
        self._add_bracket(start, y, self._x - SIZES.gap)
        self._x += SIZES.gap

    def _add_bracket(self, x: float, y: float, to_x: float) -> None:
        self.brackets.append(Bracket(x, y + self._line - SIZES.line, to_x))

    def _fits(self, width: float) -> bool:
        return self._x == SIZES.edge or self._x + width <= self.most - SIZES.edge

    def _next_line(self) -> None:
        self._x, self._y = SIZES.edge, self.height
        self.height += self._line

    def _width(self, item: Chip | Heading | Bar | _Label | str) -> float:
        if isinstance(item, str):
            return text_width(item, SIZES.words_font)
        if isinstance(item, Heading):
            return text_width(item.text, HEADING)
        if isinstance(item, Bar):
            return BAR
        if isinstance(item, _Label):
            return text_width(self._text(item.text), SIZES.whole_font)
        halves = sum(self._width(half) for half in item.halves) + SIZES.gap * (len(item.halves) - 1)
        return max(self._own_width(item), halves)

    def _own_width(self, chip: Chip) -> float:
        own = text_width(self._chip_text(chip), SIZES.chip_font) + 2 * SIZES.pad
        return max(own, text_width(chip.below, SIZES.below_font) + 4)

    def _chip_text(self, chip: Chip) -> str:
        return self._text("".join(part.text for part in chip.written(self.glyph)))

    def _text(self, text: str) -> str:
        return text.translate(self.instead).translate(NO_XML)

    def _put(self, item: Chip | Heading | Bar | _Label | str, x: float, y: float) -> float:
        """Put words, a bar, or a chip with its tree at `x`, `y`. Return the `y` of the item's lower edge."""
        if isinstance(item, Bar):
            self.stripes.append(Stripe(x, y + (SIZES.chip - BAR_HEIGHT) / 2, max(BAR * item.share, 1), item.new))
        elif isinstance(item, str):
            self.words.append(Words(x, y, self._text(item)))
        elif isinstance(item, Heading):
            self.headings.append(Words(x, y, self._text(item.text)))
        elif isinstance(item, _Label):
            self.labels.append(Words(x, y, self._text(item.text)))
        else:
            return self._put_chip(item, x, y)
        return y + SIZES.chip

    def _put_chip(self, item: Chip, x: float, y: float) -> float:
        """Put a chip with its tree at `x`, `y`. Return the `y` of the tree's lower edge."""
        own, whole = self._own_width(item), self._width(item)
        box = Box(x + (whole - own) / 2, y, own, self._chip_text(item), item)
        self.boxes.append(box)
        bottom = y + SIZES.chip + (SIZES.below if item.below else 0)
        x += (whole - sum(self._width(half) for half in item.halves) - SIZES.gap * max(len(item.halves) - 1, 0)) / 2
        for half in item.halves:
            width = self._width(half)
            self.edges.append(Edge(box.middle, y + SIZES.chip + SIZES.below - 2, x + width / 2, y + _LEVEL))
            bottom = max(bottom, self._put_chip(half, x, y + _LEVEL))
            x += width + SIZES.gap
        return bottom


def layout(drawing: Drawing, width: int = SIZES.width, instead: Mapping[int, str] | None = None) -> Layout:
    """Lay out a drawing in lines of up to `width` pixels; `instead`: as for `Layout`.

    >>> from bpe_core.pictures.shared.drawing import chips
    >>> found = layout(Drawing("two", (chips([b"a", b"b"]),)))
    >>> [(box.x, box.text) for box in found.boxes], found.height
    ([(20.0, 'a'), (44.05, 'b')], 74)
    """
    found = Layout(drawing.glyph, width, instead or {})
    for row in drawing.rows:
        if isinstance(row, Columns):
            found.add_columns(row)
        else:
            found.add_row(row)
    found.height += SIZES.edge
    return found
