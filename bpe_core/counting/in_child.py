"""Counting files of unknown origin in a process of its own, with limits of memory and time.

The process gets the files once, and is asked several times: for counts, for the text of a row. If it has ended, for
instance because another visitor's files needed its place, the next question starts a new one, which gets them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Event, Semaphore
from typing import Any, TypeVar

from bpe_core.counting.batch_counts import TokenizerOrPath, opened
from bpe_core.counting.counts import Counts
from bpe_core.counting.file_counts import counted
from bpe_core.counting.file_rows import columns_of, rows
from bpe_core.counting.found_files import FoundFile, FoundFileError, in_memory
from bpe_core.counting.other_notations import Notations, notations
from bpe_core.counting.own_tokens import Savings, savings
from bpe_core.files.safely import POOL
from bpe_core.processes.child import Child, EndedError
from bpe_core.processes.pool import BusyError, KeptChild, ProcessLimits

T = TypeVar("T")
Files = Sequence[tuple[str, bytes]]  # names and contents
SHOWN = 20_000  # characters of a row that can be read


@dataclass(frozen=True)
class CountingLimits(ProcessLimits):
    """The limits of the processes that count files. They are some of the processes that open tokenizers' files."""

    processes: int = 4
    memory: int = 768 << 20
    seconds: float = 60.0


class CountingError(ValueError):
    """Files that cannot be counted; the message is a sentence."""


class _Files:
    """The files, in the process that counts them. `Child` calls this object with one of its methods and arguments."""

    _files: Files = ()

    def __call__(self, method: Callable[..., T], *arguments: Any, progress: Callable[[str, int, int], None]) -> T:
        """Return what `method` returns. Every error becomes a `CountingError`: a library's may not be picklable."""
        self._progress = progress
        try:
            return method(self, *arguments)
        except MemoryError:
            raise
        except Exception as error:
            raise CountingError(str(error) or type(error).__name__) from None

    def keep(self, files: Files) -> None:
        """Take the files."""
        self._files = files

    def count(self, given: Sequence[TokenizerOrPath], column: str) -> Counts:
        """Return the counts of all files."""
        return counted([*in_memory(self._files)], given, column, self._progress)

    def savings(self, tokenizer: TokenizerOrPath, column: str) -> Savings:
        """Return what new tokens would save, measured on the beginning of the files."""
        texts = self._texts(column)
        return savings(texts, opened(tokenizer), progress=self._progress)

    def notations(self, name: str, tokenizer: TokenizerOrPath) -> Notations:
        """Return the tokens of a file's data in several notations."""
        return notations(self._file(name), opened(tokenizer))

    def _file(self, name: str) -> FoundFile:
        return next(each for each in in_memory(self._files) if isinstance(each, FoundFile) and each.name == name)

    def _texts(self, column: str) -> Iterator[str]:
        for found_file in in_memory(self._files):
            try:
                for part in rows(found_file, column) if isinstance(found_file, FoundFile) else ():
                    yield part.text
            except (FoundFileError, OSError):  # `count` says why
                continue

    def columns(self) -> list[str]:
        """Return the names of the columns of the first tables, without repetition."""
        known: dict[str, None] = {}
        tables = (each for each in in_memory(self._files) if isinstance(each, FoundFile))
        for table in tables:
            known |= dict.fromkeys(columns_of(table))
            if len(known) > 200:
                break
        return [*known]

    def beginning(self, column: str, most: int) -> str:
        """Return the beginning of all texts, with a line break between two."""
        texts: list[str] = []
        for text in self._texts(column):
            texts.append(text)
            if sum(map(len, texts)) >= most:
                break
        return "\n".join(filter(None, texts))[:most]

    def row(self, name: str, number: int, column: str, most: int) -> str:
        """Return up to `most` characters from the beginning of a row. `number`: the number of the row, from 1."""
        parts: list[str] = []
        at = 1
        for part in rows(self._file(name), column):
            if at == number:
                parts.append(part.text)
            if (at == number and sum(map(len, parts)) >= most) or at > number:
                break
            at += part.ends
        return "".join(parts)[:most]


_turn = Semaphore()  # one process counts at a time, so that the others are left for tokenizers' files


class FilesInChild(KeptChild):
    """Files that a process counts.

    >>> files = FilesInChild([("a.txt", b"low lower"), ("b.txt", b"low")])
    >>> files.counts(["gpt2"]).total(), files.text("a.txt", 1)
    (3, 'low lower')
    >>> files.end()
    """

    limits: CountingLimits

    def __init__(self, files: Files, limits: CountingLimits | None = None) -> None:
        """Store the files; the first question starts the process."""
        super().__init__(POOL, limits or CountingLimits())
        self._files = files

    def new_child(self) -> Child:
        """Return a process without files."""
        return Child(_Files(), self.limits.memory, quiet=True)

    def prepare(self, child: Child) -> None:
        """Give the files to a new process."""
        child.ask(self.limits.seconds, _Files.keep, self._files)

    def counts(
        self, given: Sequence[TokenizerOrPath], column: str = "", report: Callable[[str, int, int], None] | None = None
    ) -> Counts:
        """Return the counts of all files. Raises `CountingError`, whose message is a sentence.

        `report`: called again and again with ("counting", done, total), in bytes: see `KeptChild.watched`.
        """
        question = _Files.count, given, column
        found: Counts = self.watched(report, *question) if report else self.ask(*question)
        return found

    def savings(self, tokenizer: TokenizerOrPath, column: str = "") -> Savings:
        """Return what new tokens would save."""
        found: Savings = self.ask(_Files.savings, tokenizer, column)
        return found

    def notations(self, name: str, tokenizer: TokenizerOrPath) -> Notations:
        """Return the tokens of a file's data in several notations. Raises `CountingError`."""
        found: Notations = self.ask(_Files.notations, name, tokenizer)
        return found

    def beginning(self, column: str, most: int) -> str:
        """Return the beginning of all texts together."""
        found: str = self.ask(_Files.beginning, column, most)
        return found

    def columns(self) -> list[str]:
        """Return the names of the tables' columns."""
        found: list[str] = self.ask(_Files.columns)
        return found

    def text(self, name: str, number: int, column: str = "", most: int = SHOWN) -> str:
        """Return the beginning of a row of a file."""
        found: str = self.ask(_Files.row, name, number, column, most)
        return found

    def ask(self, *question: Any, given_up: Event | None = None) -> Any:
        """Return the answer to a question when it is the turn of these files. Raise `CountingError`."""
        busy = "The files of others are being counted: try again in a minute."
        if not _turn.acquire(timeout=self.limits.wait * self.limits.seconds):
            raise CountingError(busy)
        try:
            return super().ask(*question, given_up=given_up)
        except BusyError:
            raise CountingError(busy) from None
        except (EndedError, MemoryError):
            self.end()
            limits = f"{self.limits.seconds:.0f} seconds or {self.limits.memory >> 20:,} MB of memory"
            raise CountingError(f"Counting took more than {limits}: choose fewer files or tokenizers.") from None
        finally:
            _turn.release()
