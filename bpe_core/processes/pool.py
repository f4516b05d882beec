"""Child processes that stay to be asked again. Only a few run at once.

A child that is asked while too many others run waits for its turn. Idle children make room: the child that was asked
least recently ends first. A child that has ended starts again when it is asked.

    three may run     A answers, B and C are idle; B was asked before C
    D is asked        B ends, and D starts
    E is asked        C ends, and E starts
    F is asked        A, D and E answer: F waits until one has answered
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from threading import Condition
from typing import Any
from weakref import WeakSet, finalize

from bpe_core.processes.child import Child, Report


@dataclass(frozen=True)
class ProcessLimits:
    """How many processes run at once, how many bytes of memory each may use, and how many seconds an answer may take.

    `wait`: how long a question waits at most until its process may run, as a multiple of `seconds`.
    """

    processes: int
    memory: int
    seconds: float
    wait: float = 1.0


class BusyError(RuntimeError):
    """A question has waited too long, since as many processes as may run were answering others."""


class Pool:
    """The child processes of one use, such as opening files. The pool decides which children may answer."""

    def __init__(self) -> None:
        """Begin without children."""
        self._children: WeakSet[KeptChild] = WeakSet()
        self._turns = count(1)
        self._answered = Condition()

    @contextmanager
    def turn_of(self, child: KeptChild) -> Iterator[None]:
        """Wait until a child may answer; in the block it answers. Raise `BusyError` if that takes too long."""
        with self._answered:
            if not self._answered.wait_for(lambda: self._make_way(child), child.limits.wait * child.limits.seconds):
                raise BusyError
            child.turn, child.asked = next(self._turns), True
            self._children.add(child)
        try:
            yield
        finally:
            with self._answered:
                child.asked = False
                self._answered.notify_all()

    def _make_way(self, child: KeptChild) -> bool:
        """Return whether a child may answer. If too many others run, end idle ones, the least recently asked first."""
        if child.asked:
            return False
        others = [each for each in self._children if each is not child and (each.asked or each.runs)]
        idle = sorted((each for each in others if not each.asked), key=lambda each: each.turn)
        too_many = len(others) + 1 - child.limits.processes
        for other in idle[: max(too_many, 0)]:
            other.end()
        return too_many <= len(idle)


class KeptChild(ABC):
    """A child of a pool. It answers one question after the other. Its process stays until another child needs the room.

    `turn`: the number of its last question; the questions to all children of a pool are numbered together. `asked`:
    whether it is answering a question now.
    """

    def __init__(self, pool: Pool, limits: ProcessLimits) -> None:
        """Start no process yet."""
        self.limits, self._pool = limits, pool
        self.turn, self.asked = 0, False
        self._child: Child | None = None
        self._forgotten: finalize[[], KeptChild] | None = None

    @abstractmethod
    def new_child(self) -> Child:
        """Return a new process."""

    def prepare(self, child: Child) -> Any:
        """Ask a new process its first question, if it has one, and return the answer."""
        return None

    def begin(self) -> Any:
        """Start the process, and return the answer to its first question: see `prepare`."""
        with self._pool.turn_of(self):
            return self._start()[1]

    def ask(self, *question: Any) -> Any:
        """Return the answer to a question. Raise `BusyError`, or the errors of `Child.ask`."""
        with self._pool.turn_of(self):
            child = self._child if self._child and self._child.runs else self._start()[0]
            return child.ask(self.limits.seconds, *question)

    def _start(self) -> tuple[Child, Any]:
        self.end()  # closes the pipes of a process that has ended
        child = self._child = self.new_child()
        self._forgotten = finalize(self, child.end)  # in a cycle of references `__del__` comes too late
        try:
            return child, self.prepare(child)
        except BaseException:
            self.end()
            raise

    @property
    def runs(self) -> bool:
        """Whether the child has a process that has not ended."""
        return self._child is not None and self._child.runs

    @property
    def progress(self) -> Report | None:
        """The last report of the process: see `Child`."""
        return self._child.progress if self._child else None

    def kill(self) -> None:
        """End the process at once, although another thread waits for its answer, which is then an `EndedError`."""
        if self._child:
            self._child.kill()

    def end(self) -> None:
        """End the process; the next question starts another."""
        if self._child and self._forgotten:
            self._child.end()
            self._forgotten.detach()

    def __del__(self) -> None:
        """End the process before the pool forgets this child, so that no other process starts too early."""
        self.end()
