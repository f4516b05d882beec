"""What the command line shows in a terminal: tokens in colour, tables, a progress bar. Only the command line prints.

`rich` draws colours and the bar. This module decides a token's colour, and writes the token so that no character is
hidden. It aligns tables itself, since `rich` takes a minute for a vocabulary.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.style import Style

from bpe_core.corpus.counting import Progress as Report
from bpe_core.pictures.shared.colours import hue, shades
from bpe_core.text.alphabet import MARKER

# Pale backgrounds among the 256 colours, as (usual, deeper). The deeper background is for a neighbour of the same hue.
# On every background black letters have a contrast above 9:1, both in light and in dark terminals.
HUES = ((153, 117), (157, 120), (223, 216), (218, 212), (189, 183), (229, 222), (159, 116), (187, 180))
BLACK = 16
_STYLES = {colour: Style.parse(f"color({BLACK}) on color({colour})") for hue in HUES for colour in hue}


def readable(token: bytes, glyph: str = "") -> str:
    """Return a token as one line of text. Invisible characters and stray bytes become `\\x..` or `\\u....`.

    A backslash is doubled, so that no two tokens look the same. The word marker is drawn as `glyph`, if given.

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
    """Escape a character as Python does. Above ASCII, write `\\u....`, since `\\x..` there stands for a byte."""
    return f"\\u{ord(char):04x}" if 0x80 <= ord(char) < 0x100 else char.encode("unicode_escape").decode()


def has_colours(stream: TextIO) -> bool:
    """Return whether to write to `stream` in colour.

    The environment variable NO_COLOR forbids colour, FORCE_COLOR demands colour. Without them a terminal gets colour.
    """
    console = Console(file=stream)
    return bool(console.color_system) and not console.no_color


def backgrounds(tokens: Sequence[bytes]) -> list[int]:
    """Return the number of each token's background, one of a terminal's 256 colours. Two neighbours never share one.

    >>> backgrounds([b"a", b"b", b"a", b"a"])
    [218, 157, 218, 212]
    """
    hues = len(HUES)
    return [HUES[hue(token, hues)][shade] for token, shade in zip(tokens, shades(tokens, hues), strict=True)]


def coloured(tokens: Sequence[bytes], glyph: str = "") -> str:
    """Return tokens side by side in colour; a newline in a token also breaks the line.

    >>> coloured([b"a", b"b"])
    '\\x1b[38;5;16;48;5;218ma\\x1b[0m\\x1b[38;5;16;48;5;157mb\\x1b[0m'
    """
    shown = (
        _STYLES[colour].render(readable(token, glyph), color_system=ColorSystem.EIGHT_BIT) + "\n" * (b"\n" in token)
        for token, colour in zip(tokens, backgrounds(tokens), strict=True)
    )
    return "".join(shown)


def barred(tokens: Sequence[bytes], glyph: str = "") -> str:
    """Return tokens with a bar between them, without colours; a bar in the text is written `\\|`.

    >>> barred([b"a", b" b", b"|"])
    'a| b|\\\\|'
    """
    ends = ("\n" if b"\n" in token else "|" for token in tokens)
    shown = (readable(token, glyph).replace("|", "\\|") + end for token, end in zip(tokens, ends, strict=True))
    return "".join(shown).removesuffix("|")


def aligned_columns(head: Sequence[str], rows: Iterable[Sequence[object]], right: Container[int]) -> str:
    """Return rows as aligned columns. Whole numbers get commas. `right`: the indexes of right-aligned columns.

    >>> print(aligned_columns(["word", "count"], [["low", 1200], ["a", 3]], {1}))
    word  count
    low   1,200
    a         3
    """
    cells = [[*head], *([f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows)]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    lines = (
        "  ".join(
            " " * (width - cell_len(cell)) + cell if i in right else cell + " " * (width - cell_len(cell))
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    )
    return "\n".join(line.rstrip() for line in lines)


UNITS = {"counting": "bytes", "merging": "merges", "drawing": "steps"}  # of the phases of a training and its film


@contextmanager
def progress_bar(stream: TextIO) -> Iterator[Report]:
    """Show the progress of a phase as a bar, which disappears at the end. Show nothing if the stream is no terminal.

    Yields a function to call with (phase, done, total). A total of 0 means that the total is not known.
    """
    columns = TextColumn("{task.description:<9}"), BarColumn(), TextColumn("{task.fields[done]}"), TimeRemainingColumn()
    console = Console(file=stream)
    hidden = not stream.isatty() or console.is_dumb_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
        number = bar.add_task("", visible=False, done="")

        def report(phase: str, done: int, total: int) -> None:
            first = bar.tasks[0].description != phase
            of_all = f"{done:,} of {total:,}" if total else f"{done:,}"
            what = f"{of_all} {UNITS.get(phase, '')}".rstrip()
            if first:
                bar.reset(number)  # so that the remaining time is estimated from this phase alone
            bar.update(
                number, description=phase, completed=done, total=total or None, visible=True, refresh=first, done=what
            )

        yield report
