"""The forms in which commands write what they found: for people, as CSV, as JSON.

Each of the three tables below is for one kind of what is found; a command whose answer is of no such kind has a table
of its own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple

from bpe_core.cli.command import Form
from bpe_core.cli.outputs import write_csv, write_text
from bpe_core.pictures.paper.terminal import aligned_columns, readable


class Listing(NamedTuple):
    """The rows of a table, in which bytes are a token and None is an empty cell.

    `right`: the indexes of right-aligned columns. `glyph`: what is written for the word marker in tokens.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    right: Container[int]
    glyph: str

    def cells(self, quote: str) -> Iterable[list[object]]:
        """Yield the rows for CSV or a table. `quote`: what stands around a token, with `{}` in its place.

        >>> list(Listing(["id", "token", "step"], [[262, b" the", None]], {0}, "_").cells("‘{}’"))
        [[262, '‘ the’', '']]
        """
        for row in self.rows:
            yield [
                quote.format(readable(cell, self.glyph)) if isinstance(cell, bytes) else "" if cell is None else cell
                for cell in row
            ]


class Said(NamedTuple):
    """What a command says to people, and what it says to programs."""

    text: str
    figures: object


def for_json(row: Mapping[str, object]) -> dict[str, object]:
    """Return a row for JSON. Next to the text of a token are its bytes in hex, since parts of characters are U+FFFD.

    >>> for_json({"id": 262, "token": b" the"}), for_json({"one": (b"a", b"b")})
    ({'id': 262, 'token': ' the', 'token_hex': '20746865'}, {'one': ['a', 'b'], 'one_hex': ['61', '62']})
    """
    found: dict[str, object] = {}
    for name, cell in row.items():
        if isinstance(cell, bytes):
            found |= {name: text_of(cell), f"{name}_hex": cell.hex()}
        elif isinstance(cell, tuple):
            found |= {name: [*map(text_of, cell)], f"{name}_hex": [token.hex() for token in cell]}
        else:
            found[name] = cell
    return found


def text_of(token: bytes) -> str:
    """Return a token as a text for JSON: parts of characters are U+FFFD."""
    return token.decode("utf-8", "replace")


def write_json(value: object) -> None:
    """Write a value to standard output as JSON, in one line."""
    write_text(json.dumps(value, ensure_ascii=False) + "\n")


def _write_table(found: Listing) -> None:
    write_text(aligned_columns(found.head, found.cells("‘{}’"), found.right) + "\n")


def _write_csv(found: Listing) -> None:
    write_csv([found.head, *found.cells("{}")])


def _write_rows(found: Listing) -> None:
    write_json([for_json(dict(zip(found.head, row, strict=True))) for row in found.rows])


LISTING = {  # of a `Listing`
    "text": Form(_write_table),
    "csv": Form(_write_csv, "print CSV instead"),
    "json": Form(_write_rows, "print JSON instead: a list with an object for each row"),
}
FIGURES = {  # of what was `Said`, to standard output
    "text": Form(lambda found: write_text(found.text)),
    "json": Form(lambda found: write_json(found.figures), "print JSON instead"),
}
REPORT = {  # of what was `Said` about files that a command wrote
    "text": Form(lambda found: print(found.text, file=sys.stderr)),
    "json": Form(lambda found: write_json(found.figures), "print the names of the files and the figures as JSON"),
}
