"""Opening files of strangers: in a process of its own, with a limit of memory and of time.

A file may make its library panic, spin, or eat memory. So a server opens it with `open_safely`: only that file's
process ends then, and whoever asked gets one sentence. A tokenizer of a library goes on asking its process for ids; a
new one is started when it has ended. Only so many processes run; where one more is needed, the one that has not been
asked for longest ends, or an answer is waited for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from threading import Condition, Lock
from typing import Any
from weakref import WeakSet, WeakValueDictionary, finalize

import numpy as np

from bpe_core.files.file_process import EndedError, FileProcess
from bpe_core.files.format import FormatError
from bpe_core.files.later import LaterMerges
from bpe_core.files.libraries import Found
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.tokenizer.tokenizer import Tokenizer


@dataclass(frozen=True)
class Limits:
    """What the processes may use: how many run at once, bytes of memory of each, seconds until one has answered.

    Whoever needs one more process than may run waits for so many seconds too. The largest published
    file, 33 MB, takes 660 MB and four seconds.
    """

    processes: int = 4
    memory: int = 1 << 30
    seconds: float = 60.0

    @property
    def said(self) -> str:
        """Of one process.

        >>> Limits().said
        '60 seconds or 1,024 MB of memory'
        """
        return f"{self.seconds:.0f} seconds or {self.memory >> 20:,} MB of memory"


LIMITS = Limits()


class Remote:
    """A file in the hands of its library, in a process of its own. Has the methods of `libraries.Library`."""

    def __init__(self, files: Mapping[str, bytes], pretokenizer: str | None, limits: Limits) -> None:
        """Nothing is started yet."""
        self._opening, self.limits = (dict(files), pretokenizer), limits
        self.turn, self.asked = 0, False  # when it was asked last, and whether it is being asked
        self._process: FileProcess | None = None
        self._forgotten: finalize | None = None
        self._lock = Lock()

    def open(self) -> Tokenizer:
        """The tokenizer as the process has opened it, without its library; `FormatError` as `loads`."""
        with self._lock, _one_of_few(self):
            return self._start()

    def _start(self) -> Tokenizer:
        self.end()  # one that has ended by itself
        self._process = FileProcess(self.limits.memory)
        self._forgotten = finalize(self, self._process.end)  # in a circle of garbage __del__ would come too late
        try:
            return self._process.ask(self.limits.seconds, "open", *self._opening)
        except EndedError:
            self.end()
            raise FormatError(f"opening the file took more than {self.limits.said}, or crashed its library") from None
        except FormatError:
            self.end()
            raise

    def _ask(self, *question: Any) -> Any:
        with self._lock, _one_of_few(self):
            if not self.runs:
                self._start()
            try:
                return self._process.ask(self.limits.seconds, *question)
            except EndedError:
                self.end()
                raise FormatError(
                    f"this text took the file's tokenizer more than {self.limits.said}, or crashed it"
                ) from None

    def encode(self, text: str, specials: bool) -> Found:
        """The tokens of a text; `FormatError` where the process ends over it."""
        return Found(*self._ask("encode", text, specials))

    def ids_of_each(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of many texts; `FormatError` where the process ends over them."""
        return self._ask("ids_of_each", list(texts))

    def merges(self) -> np.ndarray:
        """The merges as rows of an array, which the process works out when they are asked for."""
        return self._ask("merges")

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids; `FormatError` where the process ends over it."""
        return self._ask("decode", list(ids))

    @property
    def runs(self) -> bool:
        """Whether it has a process that has not ended."""
        return self._process is not None and self._process.runs

    def end(self) -> None:
        """End the process; it is started again when it is asked."""
        if self._process:
            self._process.end()
            self._forgotten.detach()

    def __del__(self) -> None:
        """Nobody asks any more."""
        self.end()


_remotes: WeakSet[Remote] = WeakSet()
_turns = count(1)
_opened: WeakValueDictionary[str, Tokenizer] = WeakValueDictionary()
_answered = Condition()


@contextmanager
def _one_of_few(remote: Remote) -> Iterator[None]:
    """While `remote` is asked; first waits until it may have a process, `FormatError` where that takes too long."""
    with _answered:
        if not _answered.wait_for(lambda: _made_way_for(remote), remote.limits.seconds):
            raise FormatError("too many opened files are in use at once; try again in a minute")
        remote.turn, remote.asked = next(_turns), True
        _remotes.add(remote)
    try:
        yield
    finally:
        with _answered:
            remote.asked = False
            _answered.notify_all()


def _made_way_for(remote: Remote) -> bool:
    """Whether `remote` may have a process; where there are too many, those not asked for longest end."""
    others = [each for each in _remotes if each is not remote and (each.asked or each.runs)]
    idle = sorted((each for each in others if not each.asked), key=lambda each: each.turn)
    too_many = len(others) + 1 - remote.limits.processes
    for other in idle[: max(too_many, 0)]:
        other.end()
    return too_many <= len(idle)


def open_safely(files: Mapping[str, bytes], pretokenizer: str | None = None, limits: Limits = LIMITS) -> Tokenizer:
    """As `loads`, but in a process of its own; equal files are opened once as long as somebody holds their tokenizer.

    What the tokenizer is asked later raises `FormatError` too: a text may be what its library crashes over.

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
            content = max(files.values(), key=len) if len(files) == 1 else b""
            merges = tokenizer.merges
            if isinstance(merges, LaterMerges):
                merges = LaterMerges(len(merges), remote.merges)
            tokenizer = replace(tokenizer, library=remote, content=content, merges=merges)
        tokenizer = _opened.setdefault(key, tokenizer)  # others may have opened them meanwhile
        if getattr(tokenizer, "library", None) is not remote:
            remote.end()
    return tokenizer
