"""What commands write, and in which forms: for people, as CSV, as JSON.

Each of the three tables below is for one kind of answer; a command whose answer is of another kind has its own table.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Container, Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from bpe_core.cli.command import Form, InputError
from bpe_core.files import FORMATS, FormatError, check_writable
from bpe_core.files.opening import format_named
from bpe_core.pictures.paper.terminal import aligned_columns, readable
from bpe_core.text.alphabet import encode_text


def write_text(text: str) -> None:
    """Write a text to standard output, in UTF-8 whatever the terminal's encoding is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(encode_text(text))


def write_csv(rows: Iterable[Sequence[object]]) -> None:
    """Write rows to standard output as CSV."""
    write_text(csv_of(rows))


def csv_of(rows: Iterable[Sequence[object]]) -> str:
    r"""Return rows as CSV.

    >>> csv_of([["id", "token"], [262, " the"]])
    'id,token\r\n262, the\r\n'
    """
    lines = StringIO(newline="")
    csv.writer(lines).writerows(rows)
    return lines.getvalue()


def check_out(out: str, paths: list[Path], read: list[str], force: bool) -> None:
    """Raise the errors that writing to `paths` would raise.

    Raises `InputError` if the folder does not exist, if a path is a file in `read`, or if a path is any other file and
    `force` is off. `out`: the path as it was typed.
    """
    folder = Path(out) if out.endswith(("/", os.sep)) else paths[0].parent
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder to write to")
    check_not_read(paths, read)
    for path in paths:
        if path.is_file() and not force:
            raise InputError(f"{path} is there already; --force overwrites it")
    check_writable(paths)


def check_apart(paths: Iterable[Path]) -> None:
    """Raise `InputError` if two of the `paths` that a command writes are one file."""
    resolved: set[Path] = set()
    for path in paths:
        if path.resolve() in resolved:
            raise InputError(f"{path} would be written twice: give each file a name of its own")
        resolved.add(path.resolve())


def check_not_read(paths: Iterable[Path], read: Iterable[str]) -> None:
    """Raise `InputError` if one of `paths` is a file in `read`."""
    texts = [Path(name) for name in read if name != "-" and Path(name).is_file()]
    for path in paths:
        if path.is_file() and any(path.samefile(text) for text in texts):
            raise InputError(f"{path} is read by this command, and would be overwritten")


def add_out(parser: ArgumentParser) -> None:
    """Add the options of a command that writes a tokenizer."""
    parser.add_argument(
        "--out", type=_path_to_write, required=True, metavar="PATH", help="the file to write, whole or not at all"
    )
    parser.add_argument(
        "--format",
        type=_format,
        choices=FORMATS,
        help="default: by the end of the file's name; tokenizer.json if it has none",
    )
    add_force(parser)


def add_force(parser: ArgumentParser) -> None:
    """Add the option `--force`."""
    parser.add_argument("--force", action="store_true", help="overwrite a file that is there")


def _path_to_write(text: str) -> str:
    if text in ("", "-"):
        raise ArgumentTypeError("a name is needed, as the tokenizer is not written to standard output")
    return text


def _format(text: str) -> str:
    try:
        return format_named(text)
    except FormatError as error:
        raise ArgumentTypeError(str(error)) from None


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
