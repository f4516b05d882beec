"""Work in processes of their own: they leave this one free, report how far they are, and can be stopped at any time.

Plain child processes and not `multiprocessing`, whose children import the caller's main module: a notebook or a server
would run twice. A child reads tasks from its standard input and answers each on its standard output.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

TASKS = {
    "count": ("bpe_core.corpus.counting", "count_piece"),
    "train": ("bpe_core.record.recording", "train_with_index"),
    "models": ("bpe_core.models.all_models", "train_models"),
}
REPORT_SECONDS = 0.1
MMAP_THRESHOLD = -3  # its number in glibc's malloc.h
LARGE = 1 << 17  # bytes; glibc's own figure, which it would raise with every large string that is freed
Report = Callable[[tuple[str, int, int]], None]


class WorkerError(RuntimeError):
    """The process ended without an answer: it was stopped, or ran out of memory."""


class _Child:
    """A process that answers one task after the other."""

    def __init__(self) -> None:
        path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from bpe_core.corpus.worker_process import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C is for the process that started it, which then stops it
        )

    def ask(self, task: str, arguments: tuple, report: Report = lambda progress: None) -> Any:
        """The answer to a task; raises what the task raised, or `WorkerError` where there is none."""
        try:
            pickle.dump((task, arguments), self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
            kind, content = pickle.load(self._process.stdout)
            while kind == "progress":
                report(content)
                kind, content = pickle.load(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            raise WorkerError("the work was stopped before its end") from None
        if kind == "failed":
            raise content
        return content

    def stop(self) -> None:
        """End the process, whatever it is doing; nothing of it is left."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close what led to a stopped process, once nobody waits for it."""
        with suppress(OSError):  # what it was still to be told
            self._process.stdin.close()
        self._process.stdout.close()


class Worker:
    """One task, running: `Worker("count", piece, settings)`.

    >>> from bpe_core import Settings
    >>> Worker("count", "low lower", Settings("whitespace")).result()
    Counter({'low': 1, 'lower': 1})
    """

    def __init__(self, task: str, *arguments: Any) -> None:
        """Start the process and hand it its task."""
        self._child = _Child()
        self.progress: tuple[str, int, int] | None = None
        self._answer: Future = Future()
        self._thread = Thread(target=self._talk, args=(task, arguments), daemon=True)
        self._thread.start()

    def _talk(self, task: str, arguments: tuple) -> None:
        try:
            self._answer.set_result(self._child.ask(task, arguments, self._report))
        except Exception as error:
            self._answer.set_exception(error)
        finally:
            self._child.stop()
            self._child.close()

    def _report(self, progress: tuple[str, int, int]) -> None:
        self.progress = progress

    @property
    def running(self) -> bool:
        """Whether the answer is still to come."""
        return not self._answer.done()

    def result(self) -> Any:
        """Wait for the answer; raises what the task raised, or `WorkerError` where there is none."""
        return self._answer.result()

    def stop(self) -> None:
        """End the process, whatever it is doing; nothing of it is left."""
        self._child.stop()
        self._thread.join()


class Pool:
    """Several processes that wait for tasks; used with `with`, at whose end they are gone.

    >>> from bpe_core import Settings
    >>> with Pool(2) as pool:
    ...     answers = [pool.submit("count", piece, Settings("whitespace")) for piece in ("low", "lower")]
    ...     [answer.result() for answer in answers]
    [Counter({'low': 1}), Counter({'lower': 1})]
    """

    def __init__(self, size: int) -> None:
        """Start `size` processes."""
        self._children = [_Child() for _ in range(size)]
        self._idle: SimpleQueue[_Child] = SimpleQueue()
        for child in self._children:
            self._idle.put(child)
        self._threads = ThreadPoolExecutor(max(size, 1))

    def submit(self, task: str, *arguments: Any) -> Future:
        """Hand a task to the next process that is idle."""
        return self._threads.submit(self._ask, task, arguments)

    def _ask(self, task: str, arguments: tuple) -> Any:
        child = self._idle.get()
        try:
            return child.ask(task, arguments)
        finally:
            self._idle.put(child)

    def __enter__(self) -> Pool:
        """The pool itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes, whatever they are doing."""
        for child in self._children:
            child.stop()
        self._threads.shutdown(cancel_futures=True)
        for child in self._children:
            child.close()


def steady_memory() -> None:
    """Give the memory of every large string back to the system; only for a process that is all ours.

    glibc would keep it for the next ones, with smaller things between them that last: a process that counts piece after
    piece would slowly grow. Other systems are left as they are.
    """
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)


def main() -> None:
    """The child: read tasks and answer them until there are no more."""
    steady_memory()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a task prints must not get among the answers

    def send(kind: str, content: Any) -> None:
        try:
            pickle.dump((kind, content), answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()
        except BrokenPipeError:
            os._exit(1)  # whoever asked is gone

    while True:
        try:
            name, arguments = pickle.load(sys.stdin.buffer)
        except (EOFError, pickle.UnpicklingError):  # whoever asked is gone, maybe in the middle of a task
            return
        module, function = TASKS[name]
        try:
            task = getattr(importlib.import_module(module), function)
            send("done", task(*arguments, progress=_reporter(send)))
        except Exception as error:
            send("failed", error)


def _reporter(send: Callable[[str, Any], None]) -> Callable[[str, int, int], None]:
    last = 0.0

    def progress(phase: str, done: int, total: int) -> None:
        nonlocal last
        if monotonic() - last > REPORT_SECONDS:
            last = monotonic()
            send("progress", (phase, done, total))

    return progress
