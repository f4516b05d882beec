"""A process that opens one file and answers what is asked about it: how it is asked, and what it does.

Why files are opened in processes, and how many run: see `safely`.
"""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from threading import Timer
from typing import Any

from bpe_core.corpus.worker_process import answer_stream, limit_memory, start_child
from bpe_core.files.format import FormatError
from bpe_core.files.opening import loads


class EndedError(Exception):
    """The process ended without an answer: it crashed, or took too much memory or time."""


class FileProcess:
    """A process that opens one file and answers what is asked about it."""

    def __init__(self, memory: int) -> None:
        """Start it; it may use so many bytes."""
        code = f"from bpe_core.files.file_process import main; main({memory})"
        self._child = start_child(code, stderr=subprocess.DEVNULL)  # where libraries tell of their panics

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
        except BaseException:  # half of an answer would be taken for the next
            self.end()
            raise
        finally:
            timer.cancel()
        if not done:
            raise answer
        return answer

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._child.poll() is None

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._child.kill()
        self._child.wait()
        with suppress(OSError):  # what it was still to be told
            self._child.stdin.close()
        self._child.stdout.close()


def main(memory: int) -> None:
    """The process: open one file and answer until nobody asks any more, with at most so many bytes of memory."""
    limit_memory(memory)
    gc.disable()  # one file is opened and kept: looking through its many tuples finds nothing to free
    answers = answer_stream()
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
