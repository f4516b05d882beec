"""Child processes that stay to be asked again. Only a few run at once.

A child that is asked while too many others run waits for its turn. Idle children make room: the child that was asked
least recently ends first. A child that has ended starts again when it is asked. Who asks may give a question up: the
child ends if it works on that question, and another question is not touched.

    three may run     A answers, B and C are idle; B was asked before C
    D is asked        B ends, and D starts
    E is asked        C ends, and E starts
    F is asked        A, D and E answer: F waits until one has answered
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from threading import Condition, Event
from typing import Any
from weakref import WeakSet, finalize

from bpe_core.processes.child import Child, EndedError, Report

WATCH_SECONDS = 0.2  # between two reports of a question that is watched
WAITING: Report = ("waiting", 0, 0)  # the report of a question that waits for its turn
BEGUN: Report = ("begun", 0, 0)  # the report of a question of which the child has not reported yet


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
    def turn_of(self, child: KeptChild, given_up: Event | None = None) -> Iterator[None]:
        """Wait until a child may answer; in the block it answers. Raise `BusyError` if that takes too long.

        `given_up`: an event that says that the answer is not wanted any more. Then raise `EndedError`.
        """
        given_up = given_up or Event()
        with self._answered:
            if not self._answered.wait_for(
                lambda: given_up.is_set() or self._make_way(child), child.limits.wait * child.limits.seconds
            ):
                raise BusyError
            if given_up.is_set():
                raise EndedError("the question was given up")
            child.turn, child.answers = next(self._turns), given_up
            self._children.add(child)
        try:
            yield
        finally:
            with self._answered:
                child.answers = None
                self._answered.notify_all()

    def give_up(self, child: KeptChild, question: Event) -> None:
        """End a child if it answers a question; if the question still waits, it is never asked."""
        with self._answered:
            question.set()
            if child.answers is question:
                child.kill()
            self._answered.notify_all()

    def _make_way(self, child: KeptChild) -> bool:
        """Return whether a child may answer. If too many others run, end idle ones, the least recently asked first."""
        if child.answers:
            return False
        others = [each for each in self._children if each is not child and (each.answers or each.runs)]
        idle = sorted((each for each in others if not each.answers), key=lambda each: each.turn)
        too_many = len(others) + 1 - child.limits.processes
        for other in idle[: max(too_many, 0)]:
            other.end()
        return too_many <= len(idle)


class KeptChild(ABC):
    """A child of a pool. It answers one question after the other. Its process stays until another child needs the room.

    `turn`: the number of its last question; the questions to all children of a pool are numbered together. `answers`:
    the question that it answers now, as the event that gives the question up; None while it is idle.
    """

    def __init__(self, pool: Pool, limits: ProcessLimits) -> None:
        """Start no process yet."""
        self.limits, self._pool = limits, pool
        self.turn = 0
        self.answers: Event | None = None
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

    def ask(self, *question: Any, given_up: Event | None = None) -> Any:
        """Return the answer to a question. Raise `BusyError`, or the errors of `Child.ask`. `given_up`: see `Pool`."""
        with self._pool.turn_of(self, given_up):
            child = self._child if self._child and self._child.runs else self._start()[0]
            if given_up and given_up.is_set():  # while the process started
                raise EndedError("the question was given up")
            return child.ask(self.limits.seconds, *question)

    def watched(self, report: Callable[[str, int, int], None], *question: Any) -> Any:
        """Return the answer to a question as `ask` does; meanwhile call `report` again and again.

        `report` gets what the child last reported on this question, or `WAITING` or `BEGUN`. If it raises an error, the
        question is given up: that is how a page says that its visitor has left.
        """
        given_up, thread = Event(), ThreadPoolExecutor(1)
        answer = thread.submit(self.ask, *question, given_up=given_up)
        try:
            while not wait([answer], WATCH_SECONDS).done:
                report(*((self.progress or BEGUN) if self.answers is given_up else WAITING))
        except BaseException:
            self._pool.give_up(self, given_up)
            raise
        finally:
            thread.shutdown(wait=False)  # a question that was given up may still wait for its turn
        return answer.result()

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
