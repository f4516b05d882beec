"""The records of a table in text: a `.csv`, or a `.tsv` or `.tab` with tabs.

    lines        id;text⏎        1;"low,⏎        lower"⏎        2;new⏎
    records      [id, text]      [1, "low,⏎lower"]              [2, new]

The delimiter is that of the file's ending. A `.csv` may have another one than the comma, which whole records decide.
Rows are those of Python's `csv` and of pandas. A record that pandas would refuse is not cut: `why` says what is wrong.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from bpe_core.counting.found_files import FoundFileError
from bpe_core.text.encodings import without_mark

LONGEST = 1 << 24  # characters of a record
DELIMITERS = {".csv": ",;\t|", ".tsv": "\t", ".tab": "\t"}  # the usual one first
TOO_LONG = "longer than the header"  # a record where the column of a value is not known
_SAMPLE_LINES, _SAMPLE_SIZE = 1000, 1 << 18  # lines and characters that decide the delimiter
_LINE_END = re.compile(r"\r\n|\r|\n")


class TableRecord(NamedTuple):
    """A record. `raw`: its text in the file, but for the line end. `values`: a value for each column."""

    raw: str
    values: list[str]


def records(blocks: Iterable[str], ending: str) -> Iterator[TableRecord]:
    """Yield each record of a table but empty lines; the first is the header. Raises `FoundFileError`.

    `blocks`: the text, in parts. `ending`: the end of the file's name, a key of `DELIMITERS`.

    >>> [record.values for record in records(["id;text\\n1;low, lower\\n"], ".csv")]
    [['id', 'text'], ['1', 'low, lower']]
    """
    csv.field_size_limit(LONGEST)
    given = _lines(blocks)
    sample = _sample(given)
    delimiter = _delimiter(sample, DELIMITERS[ending])
    yield from _records(chain(sample, given), delimiter)


def _records(lines: Iterable[str], delimiter: str) -> Iterator[TableRecord]:
    taken: list[str] = []
    number = size = 0

    def fed() -> Iterator[str]:
        nonlocal size
        for line in lines:
            size = len(line) + (size if taken else 0)
            if size > LONGEST:
                many = f"longer than {LONGEST >> 20} MB"
                raise FoundFileError(f"{_named(number)} is {many}: perhaps a quote is not closed")
            taken.append(line)
            yield line

    reader = csv.reader(chain(fed(), [_END]), delimiter=delimiter)
    try:
        for values in reader:
            if not taken:
                return  # the end, which is a record of its own
            if values and values[-1].endswith(_END):
                raise FoundFileError(f"{_named(number)} has a quote that is not closed")
            raw = "".join(taken)
            taken.clear()
            if values:
                yield TableRecord(raw.removesuffix("\n").removesuffix("\r"), values)
                number += 1
    except csv.Error as error:
        raise FoundFileError(f"it cannot be read as a table: {error}") from None


_END = "\0\0end of the file\0\0"  # a line after the last one: inside a quote that is open it is a part of a value


def _named(number: int) -> str:
    """Return how a record is named: the header, or a row from 1 on."""
    return f"row {number:,}" if number else "its header"


def _lines(blocks: Iterable[str]) -> Iterator[str]:
    r"""Yield the lines of a text with their line ends, as a file yields them to `csv`; a last line may have none.

    >>> list(_lines(["a\r", "\nb\rc"]))
    ['a\r\n', 'b\r', 'c']
    """
    rest: list[str] = []
    size, is_first = 0, True
    for block in blocks:
        if is_first and block:
            block, is_first = without_mark(block), False
        if not block:
            continue
        if rest and rest[-1].endswith("\r"):
            yield "".join(rest) + ("\n" if block.startswith("\n") else "")
            block, rest, size = block.removeprefix("\n"), [], 0
        at = 0
        for match in _LINE_END.finditer(block):  # a pattern of whole lines would look at a long one again and again
            if match.end() == len(block) and match[0] == "\r":
                break  # a line feed may follow in the next block
            yield "".join((*rest, block[at : match.end()]))
            at, rest, size = match.end(), [], 0
        rest.append(block[at:])
        size += len(block) - at
        if size > LONGEST:
            break  # the record is refused
    if any(rest):
        yield "".join(rest)


def _sample(lines: Iterator[str]) -> list[str]:
    """Take the first lines."""
    taken, size = [], 0
    for line in islice(lines, _SAMPLE_LINES):
        taken.append(line)
        size += len(line)
        if size > _SAMPLE_SIZE:
            break
    return taken


def _delimiter(sample: list[str], known: str) -> str:
    """Return the delimiter: the first of `known`, unless most records fit their header with another one alone."""
    shares = {delimiter: _share_that_fits(sample, delimiter) for delimiter in known} if len(known) > 1 else {}
    best = max(shares, key=lambda delimiter: shares[delimiter], default=known)
    return best if shares.get(best, 0.0) > 0.5 else known[0]


def _share_that_fits(sample: list[str], delimiter: str) -> float:
    """Return the share of the records that have as many values as their header; 0 if that has one only."""
    try:
        found = [record for record in csv.reader(sample, delimiter=delimiter) if record]
    except csv.Error:
        return 0.0
    if not found or len(found[0]) < 2:
        return 0.0
    fitting = sum(len(record) == len(found[0]) for record in found[1:])
    return fitting / (len(found) - 1) if len(found) > 1 else 1.0
