"""What commands write: to standard output, and to files that they must not overwrite by mistake."""

from __future__ import annotations

import csv
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path

from bpe_core.cli.command import InputError
from bpe_core.files import FORMATS, FormatError, check_writable
from bpe_core.files.opening import format_named
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
