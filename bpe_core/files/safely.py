"""Opening files of strangers: in a process of its own, with a limit of memory and of time.

A file may make its library panic, spin, or eat memory. So a server opens it with `open_safely`: only that file's
process ends then, and whoever asked gets one sentence. A tokenizer of a library goes on asking its process for ids; a
new one is started when it has ended. Only so many processes run; where one more is needed, the one that has not been
asked for longest ends.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Lock, Timer
from typing import Any
from weakref import WeakSet, WeakValueDictionary

import numpy as np

from bpe_core.corpus.worker_process import PLAIN_MEMORY, limit_memory
from bpe_core.files.format import FormatError
from bpe_core.files.later import LaterMerges
from bpe_core.files.libraries import Found
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.opening import loads
from bpe_core.tokenizer.tokenizer import Tokenizer


@dataclass(frozen=True)
class Limits:
    """What the processes may use: how many run at once, bytes of memory of each, seconds until one has answered.

    The largest published file, 33 MB, takes 660 MB and four seconds.
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


class EndedError(Exception):
    """The process ended without an answer: it crashed, or took too much memory or time."""


class _Process:
    """A process that opens one file and answers what is asked about it."""

    def __init__(self, memory: int) -> None:
        path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
        self._child = subprocess.Popen(
            [sys.executable, "-c", f"from bpe_core.files.safely import main; main({memory})"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # where libraries tell of their panics
            env={**os.environ, **PLAIN_MEMORY, "PYTHONPATH": path},
            start_new_session=True,
        )

    def ask(self, seconds: float, *question: Any) -> Any:
        """The answer; raises what was raised there, or `EndedError`, after which the process is gone."""
        timer = Timer(seconds, self._child.kill)
        timer.start()
        try:
            pickle.dump(question, self._child.stdin, pickle.HIGHEST_PROTOCOL)
            self._child.stdin.flush()
            done, answer = pickle.load(self._child.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            self.end()
            raise EndedError from None
        finally:
            timer.cancel()
        if not done:
            raise answer
        return answer

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._child.kill()
        self._child.wait()
        with suppress(OSError):  # what it was still to be told
            self._child.stdin.close()
        self._child.stdout.close()


class Remote:
    """A file in the hands of its library, in a process of its own. Has the methods of `libraries.Library`."""

    def __init__(self, files: Mapping[str, bytes], pretokenizer: str | None, limits: Limits) -> None:
        """Nothing is started yet."""
        self._opening, self.limits = (dict(files), pretokenizer), limits
        self.turn = 0  # when it was asked last
        self._process: _Process | None = None
        self._lock = Lock()

    def open(self) -> Tokenizer:
        """The tokenizer as the process has opened it, without its library; `FormatError` as `loads`."""
        with self._lock:
            return self._start()

    def _start(self) -> Tokenizer:
        self._process = _Process(self.limits.memory)
        _make_way_for(self)
        try:
            return self._process.ask(self.limits.seconds, "open", *self._opening)
        except EndedError:
            self._process = None
            raise FormatError(f"opening the file took more than {self.limits.said}, or crashed its library") from None

    def _ask(self, *question: Any) -> Any:
        with self._lock:
            if self._process is None:
                self._start()
            _make_way_for(self)
            try:
                return self._process.ask(self.limits.seconds, *question)
            except EndedError:
                self._process = None
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
        """Whether it has a process."""
        return self._process is not None

    def end(self) -> None:
        """End the process; it is started again when it is asked."""
        process, self._process = self._process, None
        if process:
            process.end()

    def __del__(self) -> None:
        """Nobody asks any more."""
        self.end()


_remotes: WeakSet[Remote] = WeakSet()
_turns = count(1)
_opened: WeakValueDictionary[str, Tokenizer] = WeakValueDictionary()
_guard = Lock()


def _make_way_for(remote: Remote) -> None:
    """End processes that were not asked for long, so that there is one for `remote`."""
    with _guard:
        remote.turn = next(_turns)
        _remotes.add(remote)
        running = sorted((each for each in _remotes if each.runs), key=lambda each: each.turn)
        for other in running[: -remote.limits.processes]:
            if other is not remote and other._lock.acquire(blocking=False):  # who is being asked may go on
                other.end()
                other._lock.release()


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
        else:
            remote.end()
        _opened[key] = tokenizer
    return tokenizer


def main(memory: int) -> None:
    """The process: open one file and answer until nobody asks any more, with at most so many bytes of memory."""
    limit_memory(memory)
    gc.disable()  # one file is opened and kept: looking through its many tuples finds nothing to free
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get among the answers
    library: Any = None
    merges: Any = ()
    while True:
        try:
            method, *arguments = pickle.load(sys.stdin.buffer)
        except (EOFError, pickle.UnpicklingError):
            return
        try:
            if method == "open":
                answer = loads(*arguments)
                library, merges = getattr(answer, "library", None), answer.merges
                answer = replace(answer, library=None, content=b"") if library else answer
            elif method == "merges":
                answer = merges.rows
            else:
                answer = getattr(library, method)(*arguments)
            message = (True, answer)
        except MemoryError:
            message = (False, FormatError(f"the file needs more than {memory >> 20:,} MB of memory"))
        except Exception as error:
            message = (False, FormatError(str(error) or type(error).__name__))
        pickle.dump(message, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()
