"""Work in a process of its own: it leaves this one free, reports how far it is, and can be stopped at any time.

A plain child process and not `multiprocessing`, whose children import the caller's main module: a notebook or a server
would run twice. The child reads one task from its standard input and answers on its standard output.
"""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

TASKS = {
    "count": ("bpe_core.counting", "count_share"),
    "train": ("bpe_core.run", "train_with_index"),
    "models": ("bpe_core.models", "train_models"),
}
REPORT_SECONDS = 0.1


class WorkerError(RuntimeError):
    """The process ended without an answer: it was stopped, or ran out of memory."""


class Worker:
    """One task, running: `Worker("count", pieces, settings)`.

    >>> from bpe_core import Settings
    >>> Worker("count", ["low lower"], Settings("whitespace")).result()
    Counter({'low': 1, 'lower': 1})
    """

    def __init__(self, task: str, *arguments: Any) -> None:
        """Start the process and hand it its task."""
        path = os.pathsep.join([str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from bpe_core.worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.progress: tuple[str, int, int] | None = None
        self._answer: tuple[str, Any] | None = None
        self._thread = Thread(target=self._talk, args=((task, arguments),), daemon=True)
        self._thread.start()

    def _talk(self, task: tuple[str, tuple]) -> None:
        try:
            with self._process.stdin as task_pipe:
                pickle.dump(task, task_pipe, pickle.HIGHEST_PROTOCOL)
            for kind, content in self._messages():
                if kind == "progress":
                    self.progress = content
                else:
                    self._answer = kind, content
        except (BrokenPipeError, pickle.UnpicklingError):
            pass  # the process is gone; `result` says so
        self._process.wait()

    def _messages(self) -> Iterator[tuple[str, Any]]:
        with self._process.stdout as answers:
            while True:
                try:
                    yield pickle.load(answers)
                except EOFError:
                    return

    @property
    def running(self) -> bool:
        """Whether the answer is still to come."""
        return self._thread.is_alive()

    def result(self) -> Any:
        """Wait for the answer; raises what the task raised, or `WorkerError` where there is none."""
        self._thread.join()
        if self._answer is None:
            raise WorkerError("the work was stopped before its end")
        kind, content = self._answer
        if kind == "failed":
            raise content
        return content

    def stop(self) -> None:
        """End the process, whatever it is doing; nothing of it is left."""
        if self._process.poll() is None:
            self._process.kill()
        self._thread.join()


def main() -> None:
    """The child: read the task, answer, end."""
    from time import monotonic

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever the task prints must not get among the answers
    name, arguments = pickle.load(sys.stdin.buffer)
    last = 0.0

    def send(kind: str, content: Any) -> None:
        pickle.dump((kind, content), answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()

    def progress(phase: str, done: int, total: int) -> None:
        nonlocal last
        if monotonic() - last > REPORT_SECONDS:
            last = monotonic()
            send("progress", (phase, done, total))

    module, function = TASKS[name]
    try:
        send("done", getattr(importlib.import_module(module), function)(*arguments, progress=progress))
    except Exception as error:
        send("failed", error)
