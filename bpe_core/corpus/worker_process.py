"""Runs a function in a process of its own, which reports its progress and can be stopped.

A plain child process and not `multiprocessing`, whose children import the caller's main module: a notebook or a server
would run twice. The child reads its task from its standard input and answers on its standard output.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, BinaryIO

REPORT_SECONDS = 0.1
PLAIN_MEMORY = {"ARROW_DEFAULT_MEMORY_POOL": "system"}  # Arrow's own would reserve a gigabyte beside what it uses


class WorkerError(RuntimeError):
    """The process ended without an answer: it was stopped, or ran out of memory."""


class Worker:
    """One call of a function of a module, running elsewhere; it gets `progress` beside its arguments.

    `progress` is the last of its reports: (phase, done, total), or None before the first. `memory`: how many bytes it
    may use; beyond them the task raises `MemoryError`.

    >>> from bpe_core import Settings
    >>> from bpe_core.corpus.counting import count_pretokens
    >>> Worker(count_pretokens, "low lower", Settings("whitespace")).result()
    {'low': 1, 'lower': 1}
    """

    def __init__(self, task: Callable[..., Any], *arguments: Any, memory: int | None = None) -> None:
        """Start the process and hand it its task."""
        self._process = start_child(f"from bpe_core.corpus.worker_process import main; main({memory})")
        self.progress: tuple[str, int, int] | None = None
        self._answer: Future = Future()
        self._thread = Thread(target=self._talk, args=(task, arguments), daemon=True)
        self._thread.start()

    def _talk(self, task: Callable[..., Any], arguments: tuple) -> None:
        try:
            kind, content = self._ask(task, arguments)
            if kind == "done":
                self._answer.set_result(content)
            else:
                self._answer.set_exception(content)
        except (OSError, EOFError, pickle.UnpicklingError):
            self._answer.set_exception(WorkerError("the work was stopped before its end"))
        except Exception as error:  # a task that cannot be handed over
            self._answer.set_exception(error)
        finally:
            self._end()
            with suppress(OSError):  # what it was still to be told
                self._process.stdin.close()
            self._process.stdout.close()

    def _ask(self, task: Callable[..., Any], arguments: tuple) -> tuple[str, Any]:
        pickle.dump((task, arguments), self._process.stdin, pickle.HIGHEST_PROTOCOL)
        self._process.stdin.flush()
        kind, content = pickle.load(self._process.stdout)
        while kind == "progress":
            self.progress = content
            kind, content = pickle.load(self._process.stdout)
        return kind, content

    def _end(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()

    @property
    def running(self) -> bool:
        """Whether the answer is still to come."""
        return not self._answer.done()

    def result(self) -> Any:
        """Wait for the answer; raises what the task raised, or `WorkerError` where there is none."""
        return self._answer.result()

    def stop(self) -> None:
        """End the process, whatever it is doing; nothing of it is left."""
        self._end()
        self._thread.join()


def limit_memory(memory: int) -> None:
    """Let this process use so many bytes; where it asks for more, `MemoryError` is raised. Not every system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def start_child(code: str, **how: Any) -> subprocess.Popen:
    """A Python process that runs `code`, which may import this package; `how`: more of what `Popen` takes.

    >>> start_child("print(2 + 2)").communicate()[0].split()
    [b'4']
    """
    path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **PLAIN_MEMORY, "PYTHONPATH": path},
        start_new_session=True,  # Ctrl-C is for the process that started it, which then stops it
        **how,
    )


def answer_stream() -> BinaryIO:
    """The child's standard output, for its answers alone: what anything else prints goes to the errors instead."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _send(answers: BinaryIO, kind: str, content: Any) -> None:
    try:
        pickle.dump((kind, content), answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()
    except BrokenPipeError:
        os._exit(1)  # whoever asked is gone


def main(memory: int | None = None) -> None:
    """The child: read a task and answer it, with at most so many bytes of memory."""
    if memory:
        limit_memory(memory)
    send, last = partial(_send, answer_stream()), 0.0

    def progress(phase: str, done: int, total: int) -> None:
        nonlocal last
        if monotonic() - last > REPORT_SECONDS:
            last = monotonic()
            send("progress", (phase, done, total))

    try:
        task, arguments = pickle.load(sys.stdin.buffer)
    except (EOFError, pickle.UnpicklingError):  # whoever asked ended in the middle of its question
        return
    except MemoryError as error:
        send("failed", error)
        return
    try:
        send("done", task(*arguments, progress=progress))
    except Exception as error:
        send("failed", error)
