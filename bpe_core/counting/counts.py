"""The tokens of files and of their rows: sums, lengths, what is longer than a limit, and the place of a row.

`RowNumbers` has a number for each of very many rows in little memory: one byte where numbers are small, as most are.

open      the latest rows, whose numbers may still grow: four bytes each
closed    chunks of rows whose numbers are known: one, two or four bytes each, as the largest of a chunk needs
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_core import arguments, shortcuts
from bpe_core.counting.file_rows import TABLES
from bpe_core.text import in_words

CHUNK_ROWS = 1 << 16
NOT_COUNTED = -1
MOST = 2**31 - 1  # the largest number that is kept
Numbers = NDArray[np.int32]


class RowNumbers:
    """Numbers that grow, row by row.

    >>> numbers = RowNumbers()
    >>> for size in (3, 500, 2):
    ...     numbers.append()
    ...     numbers.add(len(numbers) - 1, size)
    >>> numbers.close(3, rows=2)
    >>> numbers.array().tolist(), numbers[1], [chunk.dtype.name for chunk in numbers.chunks()]
    ([3, 500, 2], 500, ['uint16', 'int32'])
    """

    def __init__(self) -> None:
        """Begin without rows."""
        self._closed: list[NDArray[np.integer]] = []
        self._open = array("i")
        self._start = 0  # the first open row
        self._ends: list[int] = []  # of the closed chunks

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self._start + len(self._open)

    def __getitem__(self, row: int) -> int:
        """Return the number of a row."""
        if row >= self._start:
            return self._open[row - self._start]
        chunk = int(np.searchsorted(self._ends, row, "right"))
        return int(self._closed[chunk][row - (self._ends[chunk - 1] if chunk else 0)])

    def append(self) -> None:
        """Add a row whose number is 0."""
        self._open.append(0)

    def add(self, row: int, number: int) -> None:
        """Add to the number of an open row."""
        at = row - self._start
        self._open[at] = min(self._open[at] + number, MOST)

    def close(self, before: int, rows: int = CHUNK_ROWS) -> None:
        """Close the rows before a row, in chunks of `rows` rows; the rest stays open."""
        while before - self._start >= rows:
            numbers = np.array(self._open[:rows])
            del self._open[:rows]
            self._closed.append(numbers.astype(np.min_scalar_type(int(numbers.max()))))
            self._start += rows
            self._ends.append(self._start)

    def drop(self, rows: Sequence[int], ranges: Sequence[tuple[int, int]] = ()) -> None:
        """Let rows, and all rows of ranges, count as not counted."""
        wrong = np.zeros(0, np.int64)
        if rows or ranges:
            wrong = np.unique(np.concatenate([np.array(rows, np.int64), *(np.arange(*each) for each in ranges)]))
        for number, (start, end) in enumerate(zip([0, *self._ends], self._ends, strict=False)):
            here = wrong[np.searchsorted(wrong, start) : np.searchsorted(wrong, end)]
            if len(here):
                self._closed[number] = self._closed[number].astype(np.int32)
                self._closed[number][here - start] = NOT_COUNTED
        for row in wrong[np.searchsorted(wrong, self._start) :].tolist():
            self._open[row - self._start] = NOT_COUNTED

    def chunks(self) -> Iterator[NDArray[np.integer]]:
        """Yield the numbers of all rows, in order."""
        yield from self._closed
        if self._open:
            yield np.frombuffer(self._open, np.int32)

    def array(self) -> Numbers:
        """Return the numbers of all rows as one array."""
        return np.concatenate([np.zeros(0, np.int32), *self.chunks()]).astype(np.int32)

    def more_than(self, limit: int) -> int:
        """Return how many numbers are larger than a limit."""
        return sum(int((chunk > limit).sum()) for chunk in self.chunks())

    def largest(self) -> tuple[int, int]:
        """Return the largest number, and the first row that has it; (`NOT_COUNTED`, 0) without rows."""
        found, at, start = NOT_COUNTED, 0, 0
        for chunk in self.chunks():
            row = int(chunk.argmax())
            if int(chunk[row]) > found:
                found, at = int(chunk[row]), start + row
            start += len(chunk)
        return found, at

    def quantiles(self, shares: Sequence[float]) -> list[int]:
        """Return for each share a number that at least this share of the rows does not exceed; [] without rows.

        Between two rows it is the number of the longer one, as with `interpolation="higher"` in pandas.

        >>> numbers = RowNumbers()
        >>> numbers.append(), numbers.append(), numbers.add(1, 5)
        (None, None, None)
        >>> numbers.quantiles([0, 0.5, 1])
        [0, 5, 5]
        """
        counts: dict[int, int] = {}
        for chunk in self.chunks():
            for value, count in zip(*(each.tolist() for each in np.unique(chunk, return_counts=True)), strict=True):
                counts[value] = counts.get(value, 0) + count
        counts.pop(NOT_COUNTED, None)
        values = sorted(counts)
        ends = np.cumsum([counts[value] for value in values])
        if not values:
            return []
        places = [ceil(share * (int(ends[-1]) - 1)) for share in shares]
        return [values[int(at)] for at in np.searchsorted(ends, places, "right")]


# The tables whose `FileCount.whole` is not known: one, several.
NOT_KNOWN = (
    "table that is long or has rows that are not counted",
    "tables that are long or have rows that are not counted",
)


class FileCount(NamedTuple):
    """A file that was counted.

    `tokens`: how many its rows have, a number for each tokenizer. `first`: the index of its first row. `whole`: the
    tokens of the file as one text, a number for each tokenizer. In a table whose records count as they stand, the
    header and the line ends make these more than `tokens`. () if it is not known: the table is long and a tokenizer has
    to take a text whole, or some rows are not counted.
    """

    name: str
    tokens: tuple[int, ...]
    characters: int
    rows: int
    first: int
    whole: tuple[int, ...] = ()

    def all_tokens(self, tokenizer: int = 0) -> int:
        """Return how many tokens the file has; those of its rows if `whole` is not known."""
        return (self.whole or self.tokens)[tokenizer]

    def row_name(self, number: int) -> str:
        """Return the name of a row by its number, from 1: of a text, which is one row, the file's name alone.

        >>> FileCount("a.csv", (2,), 5, 1, 0, (9,)).row_name(1), FileCount("a.txt", (2,), 9, 1, 0, (2,)).row_name(1)
        ('a.csv, row 1', 'a.txt')
        """
        return f"{self.name}, row {number:,}" if self.name.lower().endswith(TABLES) else self.name


@dataclass(frozen=True, eq=False)
class Counts:
    """The tokens of files and of their rows, under one tokenizer or several.

    `tokens[t]`: the number of tokens of each row under tokenizer `t`; `NOT_COUNTED` for a row that cannot be counted.
    `characters`: of each row. Both have the rows of all files, in order. `problems`: name of a file → why it, or which
    of its rows, was not counted. `left_out`: how many files and folders were left out for each ordinary reason, one of
    `found_files.LEFT_OUT`. `read_as`: name of a file → its encoding, if it is not UTF-8. `lost[t]`: how many pieces of
    the files tokenizer `t` cannot write, as `Encoding.pieces_lost` has it.

    >>> from bpe_core.counting.file_counts import counted
    >>> from bpe_core.counting.found_files import in_memory
    >>> found = counted(in_memory([("a.txt", b"low lower"), ("b.jsonl", b'{"text": "low"}')]), ["gpt2"], "text")
    >>> found.files[0]
    FileCount(name='a.txt', tokens=(2,), characters=9, rows=1, first=0, whole=(2,))
    >>> found, found.longer_than(1), found.quantiles([0.5])
    (<Counts: 3 tokens in 2 rows of 2 files>, 1, [2])
    """

    files: tuple[FileCount, ...]
    tokens: tuple[RowNumbers, ...]
    characters: RowNumbers
    problems: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    read_as: Mapping[str, str] = field(default_factory=dict)
    lost: tuple[int, ...] = ()

    _repr_html_ = shortcuts.in_notebook

    def __repr__(self) -> str:
        """Return the sums and how many problems there are; the files and rows are too many to print."""
        problems = f"; {in_words.counted(len(self.problems), 'problem')}" if self.problems else ""
        return f"<Counts: {self.summary}{problems}>"

    @property
    def summary(self) -> str:
        """How many tokens there are under each tokenizer, in how many rows and files."""
        sums = " and ".join(f"{self.total(side):,}" for side in range(len(self.tokens)))
        rows = f"{in_words.counted(self.rows, 'row')} of {in_words.counted(len(self.files), 'file')}"
        return f"{sums} tokens in {rows}" if sums else rows

    @property
    def rows(self) -> int:
        """How many rows were counted."""
        return sum(file.rows for file in self.files)

    def total(self, tokenizer: int = 0) -> int:
        """Return how many tokens the rows of all files have under a tokenizer, an index; so for the other methods."""
        tokenizer = self._index(tokenizer)
        return sum(file.tokens[tokenizer] for file in self.files)

    def whole(self, tokenizer: int = 0) -> int:
        """Return how many tokens all files have under a tokenizer, with the headers and line ends of tables.

        If that is not known of a file, and where a column was asked for, only rows count.
        """
        tokenizer = self._index(tokenizer)
        return sum(file.all_tokens(tokenizer) for file in self.files)

    def lengths(self, tokenizer: int = 0) -> Numbers:
        """Return how many tokens each row that was counted has."""
        found = self.tokens[self._index(tokenizer)].array()
        counted_rows: Numbers = found[found != NOT_COUNTED]
        return counted_rows

    def longer_than(self, limit: int, tokenizer: int = 0) -> int:
        """Return how many rows have more than `limit` tokens."""
        return self.tokens[self._index(tokenizer)].more_than(arguments.whole(limit, "a limit"))

    def longer_said(self, limit: int, tokenizer: int = 0) -> str:
        """Return how many rows have more than `limit` tokens, in words."""
        more = self.longer_than(limit, tokenizer)
        are = "is" if 1 in (more, self.rows) else "are"
        of, tokens = in_words.counted(self.rows, "row"), in_words.counted(limit, "token")
        return f"{more:,} of {of} {are} longer than {tokens}"

    def quantiles(self, shares: Sequence[float], tokenizer: int = 0) -> list[int]:
        """Return the numbers of tokens that at least these shares of the rows do not exceed; [] if there are no rows.

        Each is the number of a row. A share, from 0 to 1, that falls between two rows takes the longer row.
        """
        given = [arguments.number(share, "a share") for share in arguments.several(shares, "shares")]
        if wrong := [share for share in given if not 0 <= share <= 1]:
            raise ValueError(f"a share of the rows is a number from 0 to 1, such as 0.5, and this is {wrong[0]:g}")
        return self.tokens[self._index(tokenizer)].quantiles(given)

    def place(self, row: int) -> tuple[FileCount, int]:
        """Return the file of a row, and the row's number in that file, from 1. `row`: its index in `characters`."""
        if not 0 <= arguments.whole(row, "a row") < len(self.characters):
            raise ValueError(f"there is no row {row}: the rows are 0 to {len(self.characters) - 1}")
        firsts = [file.first for file in self.files]
        file = self.files[int(np.searchsorted(firsts, row, "right")) - 1]
        return file, row - file.first + 1

    def _index(self, tokenizer: int) -> int:
        """Return the index of a tokenizer; raise an error if there is no such tokenizer."""
        size = len(self.tokens)
        if not -size <= arguments.whole(tokenizer, "the index of a tokenizer") < size:
            if not size:
                raise ValueError("no tokenizer was given, so there are no counts of tokens")
            last = f"0 to {size - 1}" if size > 1 else "0 alone"
            raise ValueError(f"there is no tokenizer {tokenizer}: the indexes are {last}")
        return tokenizer
