"""Opening files of unknown origin, each in its own process with limits of memory and time.

A file may make its library panic, run forever, or use all memory. So a server opens it with `open_safely`: only the
file's process ends, and the visitor reads one sentence. A tokenizer that needs its library sends each question to its
process. If the process has ended, a new one starts. Only a few processes run at once. If one more is needed, the idle
process that was asked least recently ends; if no process is idle, the question waits.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NamedTuple, TypeVar, TypeVarTuple
from weakref import WeakValueDictionary

import numpy as np

from bpe_core.files.belonging import parted
from bpe_core.files.format import FormatError, RefusedTextError
from bpe_core.files.libraries import AbsentLibrary, Library, LibraryTokens
from bpe_core.files.library_losses import Seen
from bpe_core.files.library_tokenizer import LaterMerges, LibraryTokenizer
from bpe_core.files.opening import read
from bpe_core.processes.child import Child, EndedError
from bpe_core.processes.pool import BusyError, KeptChild, Pool, ProcessLimits
from bpe_core.text.arrays import Integers
from bpe_core.tokenizer.tokenizer import Tokenizer

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@dataclass(frozen=True)
class FileLimits(ProcessLimits):
    """The limits of the processes that open files.

    The largest published file has 33 MB; opening it takes 660 MB of memory and four seconds.
    """

    processes: int = 4
    memory: int = 1 << 30
    seconds: float = 60.0

    def __str__(self) -> str:
        """Return the limits of one process.

        >>> str(FileLimits())
        '60 seconds or 1,024 MB of memory'
        """
        return f"{self.seconds:.0f} seconds or {self.memory >> 20:,} MB of memory"


LIMITS = FileLimits()
_BUSY = "too many opened files are in use at once; try again in a minute"


class OpenedFile:
    """A file, in the process that opens it. `Child` calls this object with one of its methods and the arguments."""

    _tokenizer: LibraryTokenizer
    _library: Library

    def __init__(self, memory: int) -> None:
        """Store how many bytes the process may use, for the error message."""
        self._memory = memory

    def __call__(self, method: Callable[[OpenedFile, *Ts], T], *arguments: *Ts, progress: object) -> T:
        """Return what `method` returns. Every error becomes a `FormatError`: a library's may not be picklable."""
        try:
            return method(self, *arguments)
        except RefusedTextError:
            raise
        except MemoryError:
            raise FormatError(f"the file needs more than {self._memory >> 20:,} MB of memory") from None
        except Exception as error:
            raise FormatError(str(error) or type(error).__name__) from None

    def open(self, files: Mapping[str, bytes], pretokenizer: str | None) -> Tokenizer:
        """Return the tokenizer of the files, without its library; errors as for `loads`."""
        gc.disable()  # this process opens one file: its many tuples take long to scan, and none can be freed
        tokenizer = read(files, pretokenizer)
        if not isinstance(tokenizer, LibraryTokenizer):
            return tokenizer
        self._tokenizer, self._library = tokenizer, tokenizer.library
        made = b"" if tokenizer.content in files.values() else tokenizer.content  # the asker has its own files
        return replace(tokenizer, library=AbsentLibrary(), content=made)

    def plain(self) -> Tokenizer:
        """Return a tokenizer that has the same ids and needs no library; errors as for `LibraryTokenizer.plain`."""
        return self._tokenizer.plain()

    def merges(self) -> Integers:
        """Return the merges as rows of an array."""
        merges = self._tokenizer.merges
        return merges.rows if isinstance(merges, LaterMerges) else np.array(merges)

    def encode(self, text: str, specials: bool) -> LibraryTokens:
        """Return the tokens of a text."""
        return self._library.encode(text, specials)

    def ids_of_each(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of many texts."""
        return self._library.ids_of_each(texts)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids."""
        return self._library.decode(ids)

    def before_model(self, text: str, specials: bool) -> tuple[list[Seen], list[Seen]]:
        """Return the parts of a text after its normalization, and the parts that are in pretokens."""
        return self._library.before_model(text, specials)


class GivenFiles(NamedTuple):
    """The contents of files by name, and the key of a pretokenizer: what `loads` takes."""

    files: Mapping[str, bytes]
    pretokenizer: str | None = None


class Remote(KeptChild):
    """A file and its library in another process. It has the methods of `libraries.Library`. `given`: what it opens."""

    def __init__(self, files: Mapping[str, bytes], pretokenizer: str | None, limits: FileLimits) -> None:
        """Store what to open; `open` starts the process."""
        super().__init__(POOL, limits)
        self.given = GivenFiles(dict(files), pretokenizer)

    def new_child(self) -> Child:
        """Return a process for the file. Libraries print their panics, so its standard error is discarded."""
        return Child(OpenedFile(self.limits.memory), self.limits.memory, quiet=True)

    def prepare(self, child: Child) -> Tokenizer:
        """Open the file in a new process, and return the tokenizer without its library."""
        try:
            tokenizer: Tokenizer = child.ask(self.limits.seconds, OpenedFile.open, *self.given)
        except (EndedError, MemoryError):
            raise FormatError(f"opening the file took more than {self.limits}, or crashed its library") from None
        return tokenizer

    def open(self) -> Tokenizer:
        """Return the tokenizer from the process, without its library; raises `FormatError` as `loads` does."""
        try:
            tokenizer: Tokenizer = self.begin()
        except BusyError:
            raise FormatError(_BUSY) from None
        return tokenizer

    def _ask(self, method: Callable[[OpenedFile, *Ts], T], *arguments: *Ts) -> T:
        try:
            answer: T = self.ask(method, *arguments)
        except BusyError:
            raise FormatError(_BUSY) from None
        except (EndedError, MemoryError):
            self.end()
            raise FormatError(f"this text took the file's tokenizer more than {self.limits}, or crashed it") from None
        return answer

    def encode(self, text: str, specials: bool) -> LibraryTokens:
        """Return the tokens of a text; `FormatError` if its process ends instead."""
        return self._ask(OpenedFile.encode, text, specials)

    def ids_of_each(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of many texts; `FormatError` if its process ends instead."""
        return self._ask(OpenedFile.ids_of_each, list(texts))

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids; `FormatError` if its process ends instead."""
        return self._ask(OpenedFile.decode, list(ids))

    def before_model(self, text: str, specials: bool) -> tuple[list[Seen], list[Seen]]:
        """Return the parts of a text before its model; `FormatError` if its process ends instead."""
        return self._ask(OpenedFile.before_model, text, specials)

    def plain(self) -> Tokenizer:
        """Return a tokenizer that has the same ids and needs no library. The remote's process makes it.

        Raises `FormatError` if there is no such tokenizer.
        """
        return self._ask(OpenedFile.plain)

    def merges(self) -> Integers:
        """Let the process compute the merges, and return them as rows of an array."""
        return self._ask(OpenedFile.merges)


POOL = Pool()  # for files of unknown origin, also while texts are counted
_opened: WeakValueDictionary[str, Tokenizer] = WeakValueDictionary()


def open_safely(files: Mapping[str, bytes], pretokenizer: str | None = None, limits: FileLimits = LIMITS) -> Tokenizer:
    """Open files in another process, and return the tokenizer that `loads` returns for them.

    Equal files are opened once, as long as their tokenizer is in use. The methods of the tokenizer may raise
    `FormatError`, since a text may crash its library.

    >>> from bpe_core import Settings, dumps, train
    >>> tok = open_safely(dumps(train("hug hug pug", Settings(vocab_size=258)).tokenizer()))
    >>> tok.ids("hug pug"), tok.merges[0]
    ([257, 32, 112, 256], (117, 103, 256))
    """
    sums = sorted((name, sha256(content).hexdigest()) for name, content in files.items())
    key = repr((sums, pretokenizer))
    tokenizer = _opened.get(key)
    if tokenizer is None:
        remote = Remote(files, pretokenizer, limits)
        tokenizer = remote.open()
        if isinstance(tokenizer, LibraryTokenizer):
            own, _ = parted(files)
            content = tokenizer.content or (next(iter(own.values())) if len(own) == 1 else b"")
            merges = tokenizer.merges
            if isinstance(merges, LaterMerges):
                merges = LaterMerges(len(merges), remote.merges)
            tokenizer = replace(tokenizer, library=remote, content=content, merges=merges)
        tokenizer = _opened.setdefault(key, tokenizer)  # another thread may have opened the same files meanwhile
        if getattr(tokenizer, "library", None) is not remote:
            remote.end()
    return tokenizer


def plain_safely(tokenizer: Tokenizer) -> Tokenizer:
    """Return `tokenizer.plain()`. If `open_safely` opened the file, the file's process makes the plain tokenizer.

    >>> from bpe_core import Settings, dumps, train
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> plain_safely(open_safely(dumps(tok))) == tok
    True
    """
    match tokenizer:
        case LibraryTokenizer(library=Remote() as remote):
            return remote.plain()
    return tokenizer.plain()


def files_of(tokenizer: Tokenizer) -> GivenFiles | None:
    """Return the files from which `open_safely` made a tokenizer that needs its library; None for other tokenizers."""
    match tokenizer:
        case LibraryTokenizer(library=Remote() as remote):
            return remote.given
    return None
