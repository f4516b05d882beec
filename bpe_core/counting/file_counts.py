"""Counting rows under several tokenizers at once, as they are read.

    parts of rows      [a lo][ng row] [a short one] [another] …
    pieces             of each tokenizer: a long row is cut where the tokenizer's split allows it
    batches            pieces of about a million characters, of any number of rows and files, are counted together
    counts             of the pieces of a row, added up

Only the counts stay in memory, most in one byte for each row and tokenizer, and one or two for its characters. A file
that cannot be read to its end is named, and is in no sum. A table whose records count as they stand is counted as one
text as well: its header and its line ends are in no row.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from bpe_core import arguments, files
from bpe_core.by_name import GivenTokenizer
from bpe_core.corpus.counting import GIVE_BACK_EVERY, Progress
from bpe_core.corpus.text_batches import CHUNK
from bpe_core.corpus.workers import in_order, workers_for
from bpe_core.counting.batch_counts import TOO_LONG, Batch, BatchCounts, TokenizerOrPath, count_batch, opened
from bpe_core.counting.counts import MOST, NOT_COUNTED, Counts, FileCount, RowNumbers
from bpe_core.counting.file_rows import TABLES, TEXT_TABLES, BinaryError, Reading, rows
from bpe_core.counting.found_files import (
    Found,
    FoundFile,
    FoundFileError,
    LeftOut,
    in_paths,
    left_out_by_reason,
)
from bpe_core.counting.row_cutter import Cutter, Splits
from bpe_core.processes import give_memory_back
from bpe_core.record.run import Run
from bpe_core.text.encodings import UTF_8
from bpe_core.text.rules import PatternError
from bpe_core.tokenizer.tokenizer import Tokenizer

REASONS = 5  # the most reasons that are said for one file; the other refused rows are only counted


def count_files(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    tokenizers: GivenTokenizer | Iterable[GivenTokenizer],
    column: str = "",
    progress: Progress | None = None,
    dask: str = "",
) -> Counts:
    """Count the tokens of files, and of all files in folders.

    A text is one row; a `.jsonl`, `.csv`, `.tsv`, `.tab` or `.parquet` has a row for each record. `column`: the part of
    a record that counts; without one, a record counts as it stands in the file, but for its line end, and a Parquet
    file must have exactly one column with texts. Other files have no columns and count whole. `Counts.total` has the
    tokens of all rows, `Counts.whole` those of tables' headers and line ends too. The names of special tokens in a text
    are text like any other.

    A file counts each time that it is given: twice if it and its folder are named. Hidden files, symbolic links in
    folders, and pictures, archives and other files that are no text are left out. A text is in UTF-8, or in the
    encoding that its byte order mark says; one that cannot be read is named in `problems`. So is a text or a row that a
    tokenizer refuses: it is in no sum, not even in that of another tokenizer. Files are read in parts and may be larger
    than memory. `tokenizers`: what `load` takes. `progress("counting", done, total)` is called with bytes. `dask`: the
    address of a cluster whose workers count; a tokenizer that is given by a path has to be there for them too.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.txt").write_text("How many tokens is this?")
    ...     count_files([folder], ["gpt-4o", "gpt2"]).files[0].tokens
    (6, 6)
    """
    if isinstance(tokenizers, (Tokenizer, Run, str, os.PathLike)):
        tokenizers = [tokenizers]
    rows = arguments.several(tokenizers, "tokenizers")
    given = [each if isinstance(each, (str, os.PathLike)) else files.opened(each) for each in rows]
    arguments.text(column, "a column")
    arguments.function(progress, "progress")
    return counted([*in_paths(paths)], given, column, progress, dask)


def counted(
    found: Iterable[Found],
    given: Sequence[TokenizerOrPath],
    column: str = "",
    progress: Progress | None = None,
    dask: str = "",
) -> Counts:
    """Count the tokens of the files that were found: see `count_files`."""
    counting = _Counting(given, column, progress)
    with workers_for(1, dask) as crew:
        for number, (counts, where) in enumerate(in_order(counting.batches(found), count_batch, tuple(given), crew), 1):
            counting.add(counts, where)
            if number % GIVE_BACK_EVERY == 0:
                give_memory_back()
                counting.close()
    return counting.result()


class _Piece(NamedTuple):
    """A piece of a row, by the row's index. For the text of a whole file this is -1 - the index of the file."""

    row: int
    text: str


class _Counting:
    """The counts so far, and the pieces of text that wait for a batch."""

    def __init__(self, given: Sequence[TokenizerOrPath], column: str, progress: Progress | None) -> None:
        self.splits = [Splits.of(opened(each)) for each in given]
        self.column, self.progress = column, progress
        self.tokens = [RowNumbers() for _ in given]
        self.characters = RowNumbers()
        self.together, self.own = _Waiting(), [_Waiting() for _ in given]  # pieces for all tokenizers, and for each
        self.sent: list[int] = []  # the first row of each batch whose counts are still to come
        self.files: list[FileCount] = []
        self.problems: dict[str, list[str]] = {}
        self.left_out: list[LeftOut] = []
        self.sums: list[list[int]] = [[] for _ in given]  # of each file; a row's own number may be `MOST`
        self.losses: list[Counter[int]] = [Counter() for _ in given]  # file → pieces of it that are lost
        self.starts: list[int] = []  # the first row of each file
        self.sizes: list[int] = []  # characters of each file
        self.failed: set[int] = set()  # files, by index
        self.not_counted: list[int] = []  # rows
        self.names: list[str] = []
        self.endings: list[str] = []  # of each file
        self.refused: dict[tuple[int, int], str] = {}  # file and row → why a tokenizer does not count it
        self.wholes: list[list[int]] = [[] for _ in given]  # of each file as one text; `NOT_COUNTED` if not known
        self.read_as: dict[str, str] = {}  # file → its encoding

    def batches(self, found: Iterable[Found]) -> Iterator[tuple[Batch, tuple[int, list[int]]]]:
        """Read all files; yield texts to count, with the tokenizer and the row of each."""
        known = found if isinstance(found, (list, tuple)) else [*found]
        total = sum(each.size for each in known if isinstance(each, FoundFile))
        done = 0

        def read(size: int) -> None:
            nonlocal done
            done += size
            if self.progress:
                self.progress("counting", done, max(total, done) if total else 0)

        for each in known:
            if isinstance(each, LeftOut):
                self._leave_out(each)
                continue
            try:
                for piece, tokenizer in self._pieces(each, read):
                    waiting = self.together if tokenizer is None else self.own[tokenizer]
                    waiting.add(piece)
                    if waiting.size >= CHUNK:
                        yield from self._taken(waiting, tokenizer)
            except BinaryError as error:
                self._fail()
                self._leave_out(LeftOut(each.name, str(error) if each.named else error.kind))
            except (FoundFileError, PatternError) as error:
                self._fail()
                self._say(each.name, str(error))
            except OSError as error:
                self._fail()
                self._say(each.name, (error.strerror or str(error)).lower())
        yield from self._taken(self.together, None)
        for tokenizer, waiting in enumerate(self.own):
            yield from self._taken(waiting, tokenizer)

    def _taken(self, waiting: _Waiting, tokenizer: int | None) -> Iterator[tuple[Batch, tuple[int, list[int]]]]:
        """Yield the pieces that wait, for one tokenizer or for all. Then nothing waits."""
        rows_taken, texts = waiting.take()
        if texts:
            each = range(len(self.splits)) if tokenizer is None else [tokenizer]
            self.sent += [_first_row(rows_taken)] * len(each)
            yield from (((number, texts), (number, rows_taken)) for number in each)

    def close(self) -> None:
        """Give the numbers of rows to which nothing is added any more less memory."""
        waiting = [_first_row(each.rows) for each in (self.together, *self.own) if each.rows]
        first = min([*waiting, *self.sent, len(self.characters) - 1])  # the first row to which something may be added
        for numbers in (self.characters, *self.tokens):
            numbers.close(first)

    def _leave_out(self, each: LeftOut) -> None:
        if each.is_problem:
            self._say(each.name, each.why)
        else:
            self.left_out.append(each)

    def _say(self, name: str, why: str) -> None:
        self.problems.setdefault(name, []).append(why)

    def _fail(self) -> None:
        self.failed.add(len(self.starts) - 1)

    def _pieces(self, found_file: FoundFile, read: Callable[[int], None]) -> Iterator[tuple[_Piece, int | None]]:
        """Yield the pieces of a file's rows; with None, a piece is for all tokenizers."""
        file = len(self.starts)
        self.starts.append(len(self.characters))
        self.names.append(found_file.name)
        self.endings.append(found_file.ending)
        self.sizes.append(0)
        whole = _Whole(self.splits if not self.column and found_file.ending in TEXT_TABLES else [])
        for sums, wholes in zip(self.sums, self.wholes, strict=True):
            sums.append(0)
            wholes.append(0 if whole.cutters else NOT_COUNTED)
        reading = Reading(read, whole.add)
        why: dict[str, tuple[int, int]] = {}  # reason → how many rows, and the first
        begun: list[Cutter] = []
        for part in rows(found_file, self.column, reading):
            yield from self._of_whole(file, whole.take())
            if not begun:
                row = len(self.characters)
                for numbers in (self.characters, *self.tokens):
                    numbers.append()
            if part.why:
                self._drop(row, part.why, why)
                continue
            self.sizes[file] += len(part.text)
            self.characters.add(row, len(part.text))
            if part.ends and not begun and len(part.text) <= CHUNK:
                yield _Piece(row, part.text), None
                continue
            begun = begun or [Cutter(splits) for splits in self.splits]
            for tokenizer, cutter in enumerate(begun):
                for text in cutter.cut(part.text, part.ends):
                    yield _Piece(row, text), tokenizer
            if part.ends:
                if any(cutter.failed for cutter in begun):
                    self.refused[file, row] = TOO_LONG
                begun = []
        yield from self._of_whole(file, whole.take(ends=True))
        if reading.encoding is not UTF_8:
            self.read_as[found_file.name] = reading.encoding.name
        for reason, (number, first) in why.items():
            self._say(found_file.name, _rows_are(reason, number, first))

    def _of_whole(self, file: int, pieces: Iterable[tuple[str | None, int]]) -> Iterator[tuple[_Piece, int | None]]:
        for text, tokenizer in pieces:
            if text is None:
                self.wholes[tokenizer][file] = NOT_COUNTED
            else:
                yield _Piece(-1 - file, text), tokenizer

    def _drop(self, row: int, reason: str, why: dict[str, tuple[int, int]]) -> None:
        self.not_counted.append(row)
        number, first = why.get(reason, (0, row - self.starts[-1] + 1))
        why[reason] = number + 1, first

    def add(self, counts: BatchCounts, where: tuple[int, list[int]]) -> None:
        """Add the counts of a batch."""
        tokenizer, rows_of_batch = where
        tokens, sums = self.tokens[tokenizer], self.sums[tokenizer]
        self.sent.remove(_first_row(rows_of_batch))
        wholes = self.wholes[tokenizer]
        files = np.searchsorted(self.starts, rows_of_batch, "right") - 1
        losses = self.losses[tokenizer]
        for row, file, count, lost in zip(rows_of_batch, files.tolist(), counts.tokens, counts.lost, strict=True):
            if row < 0:
                known = wholes[-1 - row] != NOT_COUNTED and not isinstance(count, str)
                wholes[-1 - row] = wholes[-1 - row] + int(count) if known else NOT_COUNTED
            elif isinstance(count, str):
                several = len(self.splits) > 1 and count != TOO_LONG
                why = f"with tokenizer {tokenizer + 1}, {count}" if several else count
                self.refused.setdefault((file, row), sys.intern(why))  # very many rows may have few reasons
            else:
                tokens.add(row, count)
                sums[file] += count
                if lost:
                    losses[file] += lost

    def result(self) -> Counts:
        """Return all counts, without the files that failed and the rows that cannot be counted."""
        ends = [*self.starts, len(self.characters)][1:]
        refused = {place: why for place, why in self.refused.items() if place[0] not in self.failed}
        for file, why in self._reasons(refused):
            self._say(self.names[file], why)
        for file, row in refused:
            if self._is_table(file):
                self.not_counted.append(row)
                self.sizes[file] -= self.characters[row]
            else:
                self.failed.add(file)
        dropped = sorted(set(self.not_counted))
        for file, each in zip(np.searchsorted(self.starts, dropped, "right") - 1, dropped, strict=True):
            for sums, tokens in zip(self.sums, self.tokens, strict=True):
                sums[file] -= tokens[each]  # the parts of the row that came before the place without a cut
        failed = [(self.starts[number], ends[number]) for number in sorted(self.failed)]
        for tokens in self.tokens:
            tokens.drop(dropped, failed)
        files = []
        for number, (name, start, end) in enumerate(zip(self.names, self.starts, ends, strict=True)):
            if number in self.failed:
                continue
            rows_counted = end - start - int(np.searchsorted(dropped, end) - np.searchsorted(dropped, start))
            of_file = tuple(sums[number] for sums in self.sums)
            whole = tuple(wholes[number] for wholes in self.wholes)
            if self.column or self.endings[number] not in TEXT_TABLES:
                whole = of_file
            elif rows_counted < end - start:
                whole = ()  # the whole text has the rows that are in no sum
            known = () if NOT_COUNTED in whole else whole
            files.append(FileCount(name, of_file, self.sizes[number], rows_counted, start, known))
        problems = {name: "; ".join(why) for name, why in self.problems.items()}
        left_out = left_out_by_reason(self.left_out)
        read_as = {name: encoding for name, encoding in self.read_as.items() if name in {file.name for file in files}}
        lost = tuple(
            sum(number for file, number in losses.items() if file not in self.failed) for losses in self.losses
        )
        return Counts(tuple(files), tuple(self.tokens), self.characters, problems, left_out, read_as, lost)

    def _is_table(self, file: int) -> bool:
        """Return whether a file has rows; else it is one text, which is counted or not."""
        return self.endings[file] in TABLES

    def _reasons(self, refused: Mapping[tuple[int, int], str]) -> Iterator[tuple[int, str]]:
        """Yield why texts and rows are refused: for each file and reason once, and only the first of many reasons.

        `refused`: file and row → the reason.
        """
        rows_of: dict[int, dict[str, list[int]]] = {}
        for (file, row), why in sorted(refused.items()):
            rows_of.setdefault(file, {}).setdefault(why, []).append(row - self.starts[file] + 1)
        for file, reasons in rows_of.items():
            if not self._is_table(file):
                yield from ((file, f"it is {why}" if why == TOO_LONG else why) for why in reasons)
                continue
            for why, numbers in islice(reasons.items(), REASONS):
                said = _rows_are if why == TOO_LONG else _rows_because
                yield file, said(why, len(numbers), numbers[0])
            more = sum(map(len, islice(reasons.values(), REASONS, None)))
            if more:
                yield file, f"{more:,} more {'row is' if more == 1 else 'rows are'} refused"


def _rows_are(why: str, number: int, first: int) -> str:
    """Return the sentence about rows that are not counted.

    >>> _rows_are("no JSON", 1, 3), _rows_are("no JSON", 2, 3)
    ('row 3 is no JSON', '2 rows are no JSON, the first of them row 3')
    """
    return f"row {first:,} is {why}" if number == 1 else f"{number:,} rows are {why}, the first of them row {first:,}"


def _rows_because(why: str, number: int, first: int) -> str:
    """Return the sentence about rows that are not counted for a reason that is a sentence itself."""
    which = f"row {first:,}" if number == 1 else f"{number:,} rows, the first of them row {first:,}"
    return f"{which}: {why}"


def _first_row(rows_of_batch: Iterable[int]) -> int:
    """Return the first row of a batch; one after all rows if it has none but pieces of whole files."""
    return next((row for row in rows_of_batch if row >= 0), MOST)


class _Whole:
    """The text of a table as it is read, cut for each tokenizer. `splits`: [] for a file that is no such table."""

    def __init__(self, splits: Sequence[Splits]) -> None:
        self.cutters = [Cutter(each) if each.cuts else Cutter(each, longest=CHUNK) for each in splits]
        self._blocks: list[str] = []

    def add(self, block: str) -> None:
        if self.cutters:
            self._blocks.append(block)

    def take(self, ends: bool = False) -> Iterator[tuple[str | None, int]]:
        """Yield (piece, index of the tokenizer) of what was read; None for a text that a tokenizer has to take whole.

        `ends`: whether the text is read to its end.
        """
        if not self._blocks and not ends:
            return
        text = "".join(self._blocks)
        self._blocks.clear()
        for tokenizer, cutter in enumerate(self.cutters):
            if cutter.failed:
                continue
            yield from ((piece, tokenizer) for piece in cutter.cut(text, ends) if piece)
            if cutter.failed:
                yield None, tokenizer


class _Waiting:
    """Pieces that wait to be counted together."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.texts: list[str] = []
        self.size = 0

    def add(self, piece: _Piece) -> None:
        self.rows.append(piece.row)
        self.texts.append(piece.text)
        self.size += len(piece.text) + 1

    def take(self) -> tuple[list[int], list[str]]:
        """Return the rows and the texts of the waiting pieces. Then none waits."""
        taken = self.rows, self.texts
        self.rows, self.texts, self.size = [], [], 0
        return taken
