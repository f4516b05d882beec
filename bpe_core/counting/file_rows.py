"""From a file to its rows: a text is one row, each record of a table is a row.

    notes.txt              one row, in blocks
    chats.jsonl            a row for each line; with a column, the value of that name in the line's JSON
    reviews.csv, .tsv      a row for each record but the header; with a column, its value
    pages.parquet          a row for each record: the value of the column, which need not be named if only one has text

Without a column, a line or record is a row as it stands in the file, but for its line end. A value that is no text is
counted as JSON. A row comes in parts, so that no row need be in memory whole; the last part `ends` the row. What has to
be read as a whole, JSON and records of a CSV, may have up to `LONGEST` characters.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from io import BytesIO
from typing import BinaryIO, NamedTuple

from bpe_core.corpus.text_batches import CHUNK
from bpe_core.corpus.text_files import TextError, TextFile, blocks_of, first_bytes
from bpe_core.counting.found_files import STANDARD_INPUT, FoundFile, FoundFileError
from bpe_core.counting.table_records import DELIMITERS, LONGEST, TOO_LONG, records
from bpe_core.extras import needed
from bpe_core.text.encodings import (
    HEAD,
    NO_TEXT,
    UTF_8,
    TextEncoding,
    encoding_of,
    kind_of_data,
    without_mark,
)


class BinaryError(FoundFileError):
    """A file that is no text. `kind`: the kind of its data."""

    def __init__(self, kind: str) -> None:
        """Take the kind of the data; the message says it."""
        super().__init__(NO_TEXT[kind])
        self.kind = kind


class RowPart(NamedTuple):
    """A part of a row, or the whole row. `ends`: whether the row ends here. `why`: why the row cannot be counted."""

    text: str
    ends: bool = True
    why: str = ""


class Reading:
    """What is told while a file is read: `read` is called with the size of each block, `block` with its text.

    `encoding`: that of the file's text, known after the first block.
    """

    def __init__(
        self, read: Callable[[int], None] = lambda size: None, block: Callable[[str], None] = lambda text: None
    ) -> None:
        """Take what is called."""
        self.read, self.block = read, block
        self.encoding: TextEncoding = UTF_8

    def blocks(self, file: BinaryIO) -> Iterator[str]:
        """Yield the text of a file, block by block. Raises `FoundFileError` if it is none."""
        stream = _Stream(file, self)
        try:
            for block, _ in TextFile("", stream).blocks():  # type: ignore[arg-type]  # it is only read from
                self.block(block)
                yield block
        except TextError as error:
            if kind := kind_of_data(stream.head):
                raise BinaryError(kind) from None
            raise FoundFileError(str(error).removeprefix(": ")) from None


def rows(found_file: FoundFile, column: str = "", reading: Reading | None = None) -> Iterator[RowPart]:
    """Yield the parts of a file's rows. `reading`: is told what is read.

    `column`: the column of a table to count; a text has no columns, and is one row. Raises `FoundFileError` and
    `OSError`.
    """
    file, reading = found_file.open(), reading or Reading()
    try:
        if found_file.ending == ".parquet":
            yield from _parquet(file, column)
            reading.read(found_file.size)
        else:
            yield from _TABLES.get(found_file.ending, _text)(reading.blocks(file), column)
    finally:
        if found_file.name != STANDARD_INPUT:
            file.close()


def columns_of(found_file: FoundFile) -> list[str]:
    """Return the names of a table's columns; [] for a file that is no table, or a table that cannot be read.

    For a file of JSON lines these are the names in its first line.
    """
    if found_file.ending not in _COLUMNS:
        return []
    try:
        with closing(found_file.open()) as file:
            return list(_COLUMNS[found_file.ending](file))
    except (FoundFileError, OSError, ValueError, csv.Error, RecursionError):
        return []


def table_records(found_file: FoundFile) -> Iterator[list[str]]:
    """Yield the values of each record of a CSV; the first is the header. Raises `FoundFileError` and `OSError`."""
    with closing(found_file.open()) as file:
        yield from (record.values for record in records(Reading().blocks(file), found_file.ending))


class _Stream:
    """A binary file that tells how much was read. Its first bytes show whether it is text."""

    def __init__(self, file: BinaryIO, reading: Reading) -> None:
        self._blocks, self._reading = blocks_of(file), reading
        self.head = b""

    def read(self, size: int) -> bytes:
        if self.head:
            block = next(self._blocks, b"")
        else:
            block = first_bytes(self._blocks)
            self.head = block[:HEAD]
            self._reading.encoding = encoding_of(block)
            if b"\0" in self.head and (kind := kind_of_data(self.head)):
                raise BinaryError(kind)
        self._reading.read(len(block))
        return block


def _text(blocks: Iterable[str], column: str) -> Iterator[RowPart]:
    for block in blocks:
        yield RowPart(block, ends=False)
    yield RowPart("")


def _lines(blocks: Iterable[str]) -> Iterator[tuple[str, bool]]:
    r"""Yield (text, whether it ends the line) for the lines of a text, without their line breaks.

    >>> list(_lines(["low\nlow", "er\n\nnew"]))
    [('low', True), ('lower', True), ('', True), ('new', True)]
    """
    rest = ""
    is_first = True
    for block in blocks:
        if is_first:
            block, is_first = without_mark(block), False
        *whole, rest = (rest + block).split("\n")
        for line in whole:
            yield line, True
        if len(rest) >= CHUNK:
            yield rest, False
            rest = ""
    if rest:
        yield rest, True


def _whole_lines(blocks: Iterable[str]) -> Iterator[str | None]:
    """Yield the lines of a text; None for a line of more than `LONGEST` characters."""
    parts: list[str] = []
    size = 0
    for part, ends in _lines(blocks):
        size += len(part)
        if size <= LONGEST:
            parts.append(part)
        if ends:
            yield "".join(parts) if size <= LONGEST else None
            parts, size = [], 0
    if parts:
        yield "".join(parts) if size <= LONGEST else None


def _json_lines(blocks: Iterable[str], column: str) -> Iterator[RowPart]:
    if column:
        for line in _whole_lines(blocks):
            if line is None or line.strip():
                yield _json_value(line, column)
        return
    begun = False
    for part, ends in _lines(blocks):
        if begun or part.strip() or not ends:
            yield RowPart(part.removesuffix("\r") if ends else part, ends)
        begun = not ends
    if begun:
        yield RowPart("")


def _json_value(line: str | None, column: str) -> RowPart:
    if line is None:
        return RowPart("", why=f"longer than {LONGEST >> 20} MB")
    try:
        record = json.loads(line, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return RowPart("", why="no JSON")
    return _value(record.get(column) if isinstance(record, dict) else None, column)


def refuse_constant(name: str) -> None:
    """Raise `ValueError` for NaN and Infinity, which Python reads and JSON has not: a `parse_constant` of `json`."""
    raise ValueError(f"{name} is no number of JSON")


def _value(value: object, column: str) -> RowPart:
    if value is None:
        return RowPart("", why=f"without a value of “{column}”")
    try:
        if isinstance(value, str | bytes):
            return RowPart(_as_text(value))
        return RowPart(json.dumps(value, ensure_ascii=False, default=_as_text))
    except UnicodeDecodeError:
        return RowPart("", why=f"of bytes that are no text in UTF-8, in “{column}”")


def _as_text(value: object) -> str:
    """Return what JSON has no form for, a date for one, as text. Bytes are text in UTF-8 or an error."""
    return value.decode() if isinstance(value, bytes) else str(value)


def _table(ending: str, blocks: Iterable[str], column: str) -> Iterator[RowPart]:
    given = records(blocks, ending)
    _, header = next(given, ("", []))
    if column and column not in header:
        raise FoundFileError(_no_such_column(column, header))
    if column and header.count(column) > 1:
        raise FoundFileError(_several(column, header.count(column)))
    at = header.index(column) if column else 0
    for raw, values in given:
        if not column:
            yield RowPart(raw)
        elif len(values) > len(header):
            yield RowPart("", why=TOO_LONG)
        else:
            yield _value(values[at] if at < len(values) else None, column)


def _no_such_column(column: str, known: Iterable[str]) -> str:
    named = ", ".join(f"“{name[:40]}”" for name in [*known][:20])
    return f"it has no column “{column}”; its columns are {named}" if named else f"it has no column “{column}”"


def _several(column: str, number: int) -> str:
    return f"it has {number} columns “{column[:40]}”: give each a name of its own"


def _parquet(file: BinaryIO, column: str) -> Iterator[RowPart]:
    with needed("files", "a Parquet file"):
        from bpe_core.counting.parquet_rows import values

    for value, name in values(_seekable(file), column, _no_such_column, _several):
        yield _value(value, name)


def _seekable(file: BinaryIO) -> BinaryIO:
    """Return a file in which one can go back and forth; an entry of an archive and standard input are read whole."""
    try:
        return file if file.seekable() else BytesIO(file.read())
    except AttributeError:
        return BytesIO(file.read())


def _json_names(file: BinaryIO) -> Iterable[str]:
    first = next(filter(None, _whole_lines(Reading().blocks(file))), "{}")
    record = json.loads(first)
    return record if isinstance(record, dict) else ()


def _table_names(ending: str, file: BinaryIO) -> Iterable[str]:
    return next(records(Reading().blocks(file), ending), ("", []))[1]


def _parquet_names(file: BinaryIO) -> Iterable[str]:
    with needed("files", "a Parquet file"):
        from bpe_core.counting.parquet_rows import names

    return names(_seekable(file))


_TABLES: dict[str, Callable[[Iterable[str], str], Iterator[RowPart]]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    **{ending: partial(_table, ending) for ending in DELIMITERS},
}
_COLUMNS: dict[str, Callable[[BinaryIO], Iterable[str]]] = {
    ".jsonl": _json_names,
    ".ndjson": _json_names,
    **{ending: partial(_table_names, ending) for ending in DELIMITERS},
    ".parquet": _parquet_names,
}
TEXT_TABLES = tuple(_TABLES)  # the endings of tables that are texts
TABLES = tuple(_COLUMNS)  # the endings of tables
