"""From a file to its rows: a text is one row, each record of a table is a row.

    notes.txt              one row, in blocks
    chats.jsonl            a row for each line; with a column, the value of that name in the line's JSON
    reviews.csv, .tsv      a row for each record but the header; with a column, its value
    pages.parquet          a row for each record: the value of the column, which need not be named if only one has text

Without a column, a line or record is a row as it stands in the file, but for its line end. A value that is no text is
counted as JSON. A row comes in parts, of which the last `ends` it, so that no row need be in memory whole. What has to
be read as a whole, JSON and records of a CSV, may have up to `LONGEST` characters.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import BinaryIO, NamedTuple

from bpe_core.corpus.text_files import CHUNK, TextError, TextFile
from bpe_core.counting.found_files import STANDARD_INPUT, FoundFile, FoundFileError

LONGEST = 1 << 24  # characters of a line that is read as a whole
DELIMITERS = ",;\t|"
_HEAD = 8192  # bytes in which a binary file shows itself by a byte of value 0, as git takes it


class BinaryError(FoundFileError):
    """A file that is no text."""


class RowPart(NamedTuple):
    """A part of a row, or the whole row. `ends`: whether the row ends here. `why`: why the row cannot be counted."""

    text: str
    ends: bool = True
    why: str = ""


def rows(found_file: FoundFile, column: str = "", read: Callable[[int], None] = lambda size: None) -> Iterator[RowPart]:
    """Yield the parts of a file's rows. `read` is called with the number of bytes that were read.

    `column`: of a table; a text has no columns, and is one row. Raises `FoundFileError` and `OSError`.
    """
    file = found_file.open()
    try:
        if found_file.ending == ".parquet":
            yield from _parquet(file, column)
            read(found_file.size)
        else:
            stream = _Stream(file, read)
            yield from _TABLES.get(found_file.ending, _text)(_blocks(stream), column)
    except TextError as error:
        raise FoundFileError(str(error).removeprefix(": ")) from None
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
        with found_file.open() as file:
            return list(_COLUMNS[found_file.ending](file))
    except (FoundFileError, TextError, OSError, ValueError, csv.Error, RecursionError):
        return []


def table_records(found_file: FoundFile) -> Iterator[list[str]]:
    """Yield the values of each record of a CSV; the first is the header. Raises `FoundFileError` and `OSError`."""
    try:
        with found_file.open() as file:
            yield from (values for _, values in _records(_blocks(_Stream(file, lambda size: None))))
    except TextError as error:
        raise FoundFileError(str(error).removeprefix(": ")) from None


class _Stream:
    """A binary file that tells how much of it was read. Its first block shows whether it is text."""

    def __init__(self, file: BinaryIO, read: Callable[[int], None]) -> None:
        self._file, self._report, self._is_first = file, read, True

    def read(self, size: int) -> bytes:
        block = self._file.read(size)
        if self._is_first and b"\0" in block[:_HEAD]:
            raise BinaryError("it is a binary file")
        self._is_first = False
        self._report(len(block))
        return block


def _blocks(stream: _Stream) -> Iterator[str]:
    return (block for block, _ in TextFile("", stream).blocks())  # type: ignore[arg-type]  # it is only read from


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
            block, is_first = block.removeprefix("\ufeff"), False
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
        record = json.loads(line)
    except (ValueError, RecursionError):
        return RowPart("", why="no JSON")
    return _value(record.get(column) if isinstance(record, dict) else None, column)


def _value(value: object, column: str) -> RowPart:
    if value is None:
        return RowPart("", why=f"without a value of “{column}”")
    return RowPart(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))


def _records(blocks: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each record of a CSV: as it stands in the file, and its values. The first record is the header."""
    csv.field_size_limit(LONGEST)
    taken: list[str] = []

    def lines() -> Iterator[str]:
        size = 0
        for line in _whole_lines(blocks):
            size = len(line or "") + (size if taken else 0)
            if line is None or size > LONGEST:
                raise FoundFileError(f"a record is longer than {LONGEST >> 20} MB: perhaps a quote is not closed")
            taken.append(line + "\n")
            yield taken[-1]

    given = lines()
    header = next(given, "")
    delimiter = max(DELIMITERS, key=header.count)
    try:
        for values in csv.reader(_chained(header, given), delimiter=delimiter):
            raw = "".join(taken)
            taken.clear()
            if values:
                yield raw.removesuffix("\n").removesuffix("\r"), values
    except csv.Error as error:
        raise FoundFileError(f"it cannot be read as a table: {error}") from None


def _chained(first: str, others: Iterator[str]) -> Iterator[str]:
    if first:
        yield first
    yield from others


def _table(blocks: Iterable[str], column: str) -> Iterator[RowPart]:
    records = _records(blocks)
    _, header = next(records, ("", []))
    if column and column not in header:
        raise FoundFileError(_no_such_column(column, header))
    at = header.index(column) if column else 0
    for raw, values in records:
        yield _value(values[at] if at < len(values) else None, column) if column else RowPart(raw)


def _no_such_column(column: str, known: Iterable[str]) -> str:
    named = ", ".join(f"“{name[:40]}”" for name in [*known][:20])
    return f"it has no column “{column}”; its columns are {named}" if named else f"it has no column “{column}”"


def _parquet(file: BinaryIO, column: str) -> Iterator[RowPart]:
    from bpe_core.counting.parquet_rows import values

    for value, name in values(_seekable(file), column, _no_such_column):
        yield _value(value, name)


def _seekable(file: BinaryIO) -> BinaryIO:
    """Return a file in which one can go back and forth; an entry of an archive and standard input are read whole."""
    try:
        return file if file.seekable() else BytesIO(file.read())
    except AttributeError:
        return BytesIO(file.read())


def _json_names(file: BinaryIO) -> Iterable[str]:
    first = next(filter(None, _whole_lines(_blocks(_Stream(file, lambda size: None)))), "{}")
    record = json.loads(first)
    return record if isinstance(record, dict) else ()


def _table_names(file: BinaryIO) -> Iterable[str]:
    return next(_records(_blocks(_Stream(file, lambda size: None))), ("", []))[1]


def _parquet_names(file: BinaryIO) -> Iterable[str]:
    from bpe_core.counting.parquet_rows import names

    return names(_seekable(file))


_TABLES: dict[str, Callable[[Iterable[str], str], Iterator[RowPart]]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": _table,
    ".tsv": _table,
}
_COLUMNS: dict[str, Callable[[BinaryIO], Iterable[str]]] = {
    ".jsonl": _json_names,
    ".ndjson": _json_names,
    ".csv": _table_names,
    ".tsv": _table_names,
    ".parquet": _parquet_names,
}
TABLES = tuple(_COLUMNS)  # the endings of tables
