"""What the command line shows in a terminal: tokens in colour, a progress bar, tables. Only the command line prints."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Container, Iterable, Iterator, Sequence
from time import monotonic
from typing import TextIO
from zlib import crc32

from bpe_core.text.alphabet import MARKER

# Pale backgrounds of the 256 colours, each with a deeper one for a neighbour of the same hue; black letters stand on
# all of them with a contrast above 9:1, whatever the terminal's own colours are.
HUES = ((153, 117), (157, 120), (223, 216), (218, 212), (189, 183), (229, 222), (159, 116), (187, 180))
BLACK = 16
BAR = 30  # letters
EVERY = 0.1  # seconds


def readable(token: bytes, glyph: str = "") -> str:
    """A token as one line of text: bytes that are no character, and what would not be seen, as `\\x..` or `\\u....`.

    A backslash is doubled, so that nothing reads like something else. The word marker is drawn as `glyph`, if given.

    >>> readable(b"caf\\xc3\\xa9\\n"), readable(b"\\xe2\\x80"), readable(b"low\\xff", "_")
    ('café\\\\n', '\\\\xe2\\\\x80', 'low_')
    """
    token = token.replace(b"\\", b"\\\\")
    if glyph:
        token = token.replace(MARKER, glyph.encode())
    text = token.decode("utf-8", "backslashreplace")
    on_nothing = "◌" if unicodedata.category(text[:1] or " ").startswith("M") else ""
    return on_nothing + "".join(char if _is_visible(char) else _escaped(char) for char in text)


def _is_visible(char: str) -> bool:
    return char == " " or unicodedata.category(char)[0] not in "CZ"


def _escaped(char: str) -> str:
    """A character as Python escapes it, but never as `\\x..` where it is not ASCII: that is how a byte is shown."""
    return f"\\u{ord(char):04x}" if 0x80 <= ord(char) < 0x100 else char.encode("unicode_escape").decode()


def has_colours(stream: TextIO) -> bool:
    """Whether to colour what goes to `stream`: NO_COLOR says no, FORCE_COLOR yes, else a terminal gets colours."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def backgrounds(tokens: Iterable[bytes]) -> Iterator[int]:
    """The colour behind each token: the same for the same token, but no two neighbours have one.

    >>> list(backgrounds([b"a", b"b", b"a", b"a"]))
    [218, 157, 218, 212]
    """
    before = None
    for token in tokens:
        colour, deeper = HUES[crc32(token) % len(HUES)]
        before = deeper if colour == before else colour
        yield before


def coloured(tokens: Sequence[bytes], glyph: str = "") -> str:
    """Tokens side by side in colour; a line break also breaks the line.

    >>> coloured([b"a", b"b"])
    '\\x1b[38;5;16;48;5;218ma\\x1b[0m\\x1b[38;5;16;48;5;157mb\\x1b[0m'
    """
    shown = (
        f"\x1b[38;5;{BLACK};48;5;{colour}m{readable(token, glyph)}\x1b[0m" + "\n" * (b"\n" in token)
        for token, colour in zip(tokens, backgrounds(tokens), strict=True)
    )
    return "".join(shown)


def barred(tokens: Sequence[bytes], glyph: str = "") -> str:
    """The same without colours, with a bar between tokens; a bar in the text is written `\\|`.

    >>> barred([b"a", b" b", b"|"])
    'a| b|\\\\|'
    """
    ends = ("\n" if b"\n" in token else "|" for token in tokens)
    shown = (readable(token, glyph).replace("|", "\\|") + end for token, end in zip(tokens, ends, strict=True))
    return "".join(shown).removesuffix("|")


def width(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> width("日本"), width("e\\u0301")
    (4, 1)
    """
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else not unicodedata.combining(char) for char in text)


def table(head: Sequence[str], rows: Iterable[Sequence[object]], right: Container[int]) -> str:
    """Rows in columns, those in `right` set right; whole numbers get commas.

    >>> print(table(["word", "count"], [["low", 1200], ["a", 3]], {1}))
    word  count
    low   1,200
    a         3
    """
    cells = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    lines = (
        "  ".join(_placed(cell, columns, i in right) for i, (cell, columns) in enumerate(zip(row, widths, strict=True)))
        for row in cells
    )
    return "\n".join(line.rstrip() for line in lines)


def _placed(cell: str, columns: int, right: bool) -> str:
    room = " " * (columns - width(cell))
    return room + cell if right else cell + room


class ProgressBar:
    """A line that is drawn over itself; nothing where the stream is no terminal."""

    def __init__(self, stream: TextIO) -> None:
        """Draw on `stream`."""
        self.stream, self.last, self.drawn = stream, 0.0, False

    def __call__(self, phase: str, done: int, total: int) -> None:
        """Show how far a phase is; a total of 0 is not known."""
        if not self.stream.isatty() or os.environ.get("TERM") == "dumb" or monotonic() - self.last < EVERY:
            return
        self.last, self.drawn = monotonic(), True
        line = f"{phase:<9} {self._bar(done, total)} {done:,} of {total:,}" if total else f"{phase:<9} {done:,}"
        self.stream.write("\r\x1b[K" + line[: shutil.get_terminal_size().columns - 1])
        self.stream.flush()

    def _bar(self, done: int, total: int) -> str:
        full = BAR * done // total
        solid, light = "█░" if "utf" in (self.stream.encoding or "").lower() else "#-"
        return solid * full + light * (BAR - full)

    def end(self) -> None:
        """Take the bar away."""
        if self.drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.drawn = False
