"""What the command line shows in a terminal: tokens in colour, a progress bar, tables. Only the command line prints."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Iterable, Sequence
from time import monotonic
from typing import TextIO

BACKGROUNDS = (153, 157, 229, 218, 189, 222)  # of the 256 colours; all light enough for black letters
BAR = 30  # letters
EVERY = 0.1  # seconds


def readable(token: bytes, bar: str = "") -> str:
    """A token as one line of text: bytes that are no character, and what would move the cursor, as `\\x..`.

    >>> readable(b"caf\\xc3\\xa9\\n"), readable(b"\\xe2\\x80")
    ('café\\\\n', '\\\\xe2\\\\x80')
    """
    text = token.decode("utf-8", "backslashreplace")
    shown = "".join(char if _is_visible(char) else _escaped(char) for char in text)
    return shown.replace(bar, f"\\{bar}") if bar else shown


def _is_visible(char: str) -> bool:
    return char == "\u200d" or (unicodedata.category(char)[0] != "C" and char not in "\u2028\u2029")


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()


def has_colours(stream: TextIO) -> bool:
    """Whether to colour what goes to `stream`: NO_COLOR says no, FORCE_COLOR yes, else a terminal gets colours."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def coloured(tokens: Iterable[bytes]) -> str:
    """Tokens side by side, neighbours in different colours; a line break also breaks the line.

    >>> coloured([b"a", b"b"])
    '\\x1b[30;48;5;153ma\\x1b[0m\\x1b[30;48;5;157mb\\x1b[0m'
    """
    shown = (
        f"\x1b[30;48;5;{BACKGROUNDS[i % len(BACKGROUNDS)]}m{readable(token)}\x1b[0m" + "\n" * (b"\n" in token)
        for i, token in enumerate(tokens)
    )
    return "".join(shown)


def barred(tokens: Iterable[bytes]) -> str:
    """The same without colours, with a bar between tokens; a bar in the text is written `\\|`.

    >>> barred([b"a", b" b", b"|"])
    'a| b|\\\\|'
    """
    return "".join(("|" if i else "") + readable(token, "|") for i, token in enumerate(tokens))


def table(head: Sequence[str], rows: Iterable[Sequence[object]], left: int = 1) -> str:
    """Rows in columns; the first `left` columns and every text are set left, numbers right.

    >>> print(table(["word", "count"], [["low", 12], ["a", 3]]))
    word  count
    low      12
    a         3
    """
    cells = [[*map(str, row)] for row in rows]
    columns = [*zip(head, *cells, strict=True)]
    widths = [max(map(len, column)) for column in columns]
    right = [i >= left and all(map(_is_number, column[1:])) for i, column in enumerate(columns)]
    set_right = [str.rjust if is_right else str.ljust for is_right in right]
    lines = (
        "  ".join(place(cell, width) for place, cell, width in zip(set_right, row, widths, strict=True))
        for row in zip(*columns, strict=True)
    )
    return "\n".join(line.rstrip() for line in lines)


def _is_number(cell: str) -> bool:
    return cell.replace(".", "").isdecimal()


class ProgressBar:
    """A line that is drawn over itself; nothing where the stream is no terminal."""

    def __init__(self, stream: TextIO) -> None:
        """Draw on `stream`."""
        self.stream, self.last, self.drawn = stream, 0.0, False

    def __call__(self, phase: str, done: int, total: int) -> None:
        """Show how far a phase is."""
        if not self.stream.isatty() or monotonic() - self.last < EVERY:
            return
        self.last, self.drawn = monotonic(), True
        full = BAR * done // max(total, 1)
        line = f"{phase:<9} {'█' * full}{'░' * (BAR - full)} {done:,} of {total:,}"
        self.stream.write("\r\x1b[K" + line[: shutil.get_terminal_size().columns - 1])
        self.stream.flush()

    def end(self) -> None:
        """Take the bar away."""
        if self.drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.drawn = False
