"""A child process that answers questions. It reports its progress, has limits of memory and time, and can be killed.

It does not use `multiprocessing`, whose children import the main module of their parent: a notebook or a server would
run twice. Parent and child send pickles through the child's standard input and output:

    to the child      count_pretokens                     once: the function that answers
                      ("low lower", Settings(…))          a question: the arguments of the function
    to the parent     ("progress", ("counting", 1, 2))    what the function reports, ten times a second at most
                      ("done", {"low": 1, "lower": 1})    its result; or ("failed", the exception that it raised)

A sealed child runs a stranger's program. A pickle could run code in the parent, so a sealed child answers in lines of
JSON. It has no variable of the parent's environment that could be a secret. Once its function is loaded, the child can
open no file, no connection and no process, as far as the system has such limits: see `_seal`.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Thread, Timer
from time import monotonic
from typing import Any, BinaryIO, Generic, TypeVar

T = TypeVar("T")
Report = tuple[str, int, int]  # phase, done, total

REPORT_SECONDS = 0.1
PLAIN_MEMORY = {"ARROW_DEFAULT_MEMORY_POOL": "system"}  # Arrow's default pool reserves up to a gigabyte more
LONGEST_LINE = 1 << 25  # bytes of an answer of a sealed child
# The variables that a sealed child gets: what Python needs to start, and the time zone.
PLAIN_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ")


class EndedError(RuntimeError):
    """The child ended without an answer: it was killed, it crashed, or it ran out of memory or time."""


class AnswerError(ValueError):
    """An error that a sealed child's function raised. Only its message reaches the parent."""


class Child:
    """A process that answers questions with one function, `answer(*question, progress=report)`.

    `progress`: the last report on the last question, (phase, done, total); None before the first report. The function
    calls `report(phase, done, total)`.

    >>> from bpe_core import Settings
    >>> from bpe_core.corpus.counting import count_pretokens
    >>> child = Child(count_pretokens)
    >>> child.ask(60.0, "low lower", Settings("whitespace"))
    {'low': 1, 'lower': 1}
    >>> child.end()
    """

    def __init__(
        self, answer: Callable[..., Any], memory: int | None = None, quiet: bool = False, sealed: bool = False
    ) -> None:
        """Start the process. It may use `memory` bytes; with `quiet` on, its standard error is discarded.

        `sealed`: whether it runs a stranger's program. Then the result of `answer` must be a value that JSON can write,
        and every error of `answer` becomes an `AnswerError`.
        """
        function = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
        path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
        process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import main; main({memory}, {sealed})"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            env={**(_plain_environment() if sealed else os.environ), **PLAIN_MEMORY, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C is for the parent, which then ends its children
        )
        assert process.stdin is not None  # both streams are pipes
        assert process.stdout is not None
        self.progress: Report | None = None
        self._process, self._questions, self._answers = process, process.stdin, process.stdout
        self._receive: Callable[[Any], tuple[str, Any]] = _receive_json if sealed else pickle.load
        self._questions.write(function)  # into the buffer: it leaves with the first question

    def ask(self, seconds: float | None, *question: Any) -> Any:
        """Return the answer to a question, or raise the error that the child raised.

        Raises `EndedError` if the process ends without an answer. A process that takes more than `seconds` is killed.
        """
        self.progress = None
        try:
            with self._killed_after(seconds):
                pickle.dump(question, self._questions, pickle.HIGHEST_PROTOCOL)
                self._questions.flush()
                kind, content = self._receive(self._answers)
                while kind == "progress":
                    self.progress = content
                    kind, content = self._receive(self._answers)
        except (OSError, EOFError, pickle.UnpicklingError):
            self.end()
            raise EndedError("the work was stopped before its end") from None
        except BaseException:  # else the rest of this question or answer would be read as the next one
            self.end()
            raise
        if kind == "failed":
            raise content
        return content

    @contextmanager
    def _killed_after(self, seconds: float | None) -> Iterator[None]:
        """Kill the process if the block takes more than `seconds`."""
        if seconds is None:
            yield
            return
        timer = Timer(seconds, self._process.kill)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the process at once. If another thread waits in `ask`, `ask` raises `EndedError` there."""
        self._process.kill()
        self._process.wait()

    def end(self) -> None:
        """End the process at once and close its pipes. No other thread may be using these pipes."""
        self.kill()
        with suppress(OSError):  # a part of a question was still to be sent
            self._questions.close()
        self._answers.close()


def _plain_environment() -> dict[str, str]:
    return {name: os.environ[name] for name in PLAIN_VARIABLES if name in os.environ}


def _receive_json(answers: BinaryIO) -> tuple[str, Any]:
    """Return the kind and the content of a sealed child's next answer. Raise `EOFError` if the line is no answer."""
    line = answers.readline(LONGEST_LINE)
    try:
        kind, content = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        raise EOFError from None
    return kind, AnswerError(str(content)) if kind == "failed" else content


class Task(Generic[T]):
    """A call of a function in a child of its own, in the background. The function takes `progress`.

    >>> from bpe_core import Settings
    >>> from bpe_core.corpus.counting import count_pretokens
    >>> Task(count_pretokens, "low lower", Settings("whitespace")).result()
    {'low': 1, 'lower': 1}
    """

    def __init__(self, function: Callable[..., T], *arguments: Any, memory: int | None = None) -> None:
        """Start the child and ask it. If the child needs more than `memory` bytes, `result` raises `MemoryError`."""
        self._child = Child(function, memory)
        self._answer: Future[T] = Future()
        self._thread = Thread(target=self._ask, args=arguments, daemon=True)
        self._thread.start()

    def _ask(self, *arguments: Any) -> None:
        try:
            self._answer.set_result(self._child.ask(None, *arguments))
        except Exception as error:
            self._answer.set_exception(error)
        finally:
            self._child.end()

    @property
    def progress(self) -> Report | None:
        """The child's last report, (phase, done, total); None before the first."""
        return self._child.progress

    @property
    def pid(self) -> int:
        """The number of the child's process."""
        return self._child.pid

    @property
    def running(self) -> bool:
        """Whether the answer is still to come."""
        return not self._answer.done()

    def result(self) -> T:
        """Wait for the answer and return it. Raises the function's own error, or `EndedError`."""
        return self._answer.result()

    def stop(self) -> None:
        """End the child at once, and wait until it is gone."""
        self._child.kill()
        self._thread.join()


def main(memory: int | None, sealed: bool = False) -> None:
    """Run the child: answer the parent's questions, until the parent closes the pipe.

    `memory`: how many bytes the child may use; None for no limit. `sealed`: whether it runs a stranger's program.
    """
    if memory:
        _limit_memory(memory)
    send, last = partial(_send_json if sealed else _send, _answer_stream()), 0.0

    def report(phase: str, done: int, total: int) -> None:
        nonlocal last
        if monotonic() - last > REPORT_SECONDS:
            last = monotonic()
            send("progress", (phase, done, total))

    answer = None
    while True:
        try:
            if answer is None:
                answer = pickle.load(sys.stdin.buffer)
                if sealed:
                    _seal()
            question = pickle.load(sys.stdin.buffer)
        except (EOFError, pickle.UnpicklingError):  # the parent has ended, perhaps in the middle of a question
            return
        except MemoryError as error:
            send("failed", error)
            return
        try:
            send("done", answer(*question, progress=report))
        except Exception as error:
            send("failed", error.with_traceback(None))  # frees what the answer had made: sending takes memory too


def _limit_memory(memory: int) -> None:
    """Let this process use at most `memory` bytes: more raises `MemoryError`. Not every system can limit memory."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def _seal() -> None:
    """Let this process open no file, no connection and no process from now on, as far as the system has such limits.

    Unix       The limit of open files becomes 0; a connection counts as a file. Files that are open stay open.
               The limit of processes becomes 0, which does not bind root.
    Linux      With Python 3.12 or newer the process also leaves the network, if its user may do that.
    Windows    There are no such limits.
    """
    with suppress(AttributeError, OSError):  # a network without a way out; not every user may make one
        os.unshare(os.CLONE_NEWUSER | os.CLONE_NEWNET)  # type: ignore[attr-defined]
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _answer_stream() -> BinaryIO:
    """Return a stream to the parent for answers alone: from here on, printing goes to the standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _send(answers: BinaryIO, kind: str, content: object) -> None:
    try:
        pickle.dump((kind, content), answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()
    except BrokenPipeError:
        os._exit(1)  # the parent has ended


def _send_json(answers: BinaryIO, kind: str, content: object) -> None:
    if isinstance(content, Exception):
        content = str(content) or type(content).__name__
    try:
        # without escapes, of which two surrogates side by side would come back as one character
        answers.write(json.dumps([kind, content], ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
        answers.flush()
    except BrokenPipeError:
        os._exit(1)  # the parent has ended
