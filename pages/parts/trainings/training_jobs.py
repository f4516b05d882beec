"""Trainings in the background. The whole server runs a few at a time, and limits the time and the memory of each.

Further trainings wait in a line. When the visitor of a training has left, no tab attends to it any more, and the server
ends it: when any tab asks next, or when its own timer looks. Comparisons of tokenizers stand in the same line: to it
they are another kind of work.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock, Timer
from time import monotonic
from typing import Any

from bpe_core import Settings
from bpe_core.processes.child import EndedError, Task
from pages.parts.server.limits import LIMITS

TrainingKey = tuple[str, Settings]  # the digest of the text, and the settings


@dataclass(frozen=True)
class Work:
    """A kind of work. `seconds`: how long its process may take.

    `name`: its name in sentences. `ended`: a sentence for a process that was ended from outside. `advice`: what to do
    if it takes too much.
    """

    name: str
    seconds: int
    ended: str
    advice: str


TRAINING = Work(
    "training",
    LIMITS.training_seconds,
    "The training was stopped from outside: train again.",
    "choose a smaller text",
)


class TrainingError(Exception):
    """A training ended without a result; the message says why."""


class StillTraining(Exception):  # noqa: N818 (not an error: the run is on its way)
    """A training in the background has not ended yet. `job`: that training; a page shows its progress."""

    def __init__(self, job: Job) -> None:
        """Store the training whose progress a page shows."""
        super().__init__()
        self.job = job


@dataclass(eq=False)
class Job:
    """One training for one session, made by `Trainings.ask`.

    `start`: the function that starts the job's process. `seen`: the time, on the clock of `Trainings`, when a tab of
    the visitor last asked for the job. `began`: the time when the process started. `waiting`: how many jobs come before
    this job in the line; None once the process has started. `problem`: why the job has no result; "" if there is no
    problem.
    """

    key: Hashable
    start: Callable[[], Task[Any]] = field(repr=False)
    seen: float
    work: Work = TRAINING
    task: Task[Any] | None = None
    began: float = 0.0
    waiting: int | None = 0
    cancelled: bool = False
    problem: str = ""

    @property
    def running(self) -> bool:
        """Whether the job waits or its process works."""
        return not (self.cancelled or self.problem) and (self.task is None or self.task.running)

    def result(self) -> Any:
        """Return the result of the training. If there is no result, raise the training's error or `TrainingError`."""
        if self.problem or self.task is None:
            raise TrainingError(self.problem or "The training has not begun.")
        try:
            return self.task.result()
        except EndedError:
            raise TrainingError(self.work.ended) from None
        except MemoryError:
            raise TrainingError(
                f"The {self.work.name} takes more than {LIMITS.training_mb:,} MB of memory: {self.work.advice}."
            ) from None


class Trainings:
    """The trainings of all sessions."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """Start without jobs. `clock`: returns seconds."""
        self._jobs: list[Job] = []
        self._lock, self._clock = Lock(), clock
        self._watched = False  # whether a timer will look at the jobs

    def ask(self, key: Hashable, start: Callable[[], Task[Any]], work: Work = TRAINING) -> Job:
        """Add a job to the end of the line, and return the job. `start`: the function that starts the job's process."""
        job = Job(key, start, self._clock(), work)
        with self._lock:
            self._jobs.append(job)
        self.attend(job)
        return job

    def attend(self, job: Job) -> None:
        """Record that the job's visitor is still there, and look after all jobs."""
        with self._lock:
            job.seen = self._clock()
            self._tidy()

    def _tidy(self) -> None:
        """End overdue and abandoned jobs, and begin waiting ones. The caller has the lock."""
        now = self._clock()
        for each in list(self._jobs):
            if each.task and now - each.began > each.work.seconds:
                each.problem = f"The {each.work.name} took more than {each.work.seconds:,} seconds: {each.work.advice}."
            if now - each.seen > LIMITS.unattended_seconds:
                each.problem = each.problem or f"The {each.work.name} was ended, since no page asked for it any more."
            if each.problem or each.cancelled:
                self._drop(each)
            elif each.task and not each.task.running:
                self._jobs.remove(each)
        line = [each for each in self._jobs if each.task is None]
        for each in line[: LIMITS.trainings - (len(self._jobs) - len(line))]:
            self._begin(each, now)
        for position, each in enumerate(each for each in self._jobs if each.task is None):
            each.waiting = position

    def _begin(self, job: Job, now: float) -> None:
        try:
            job.task, job.began, job.waiting = job.start(), now, None
            self._look_later()
        except OSError:
            job.problem = f"The server has no room for another {job.work.name}: try again later."
            self._jobs.remove(job)

    def _look_later(self) -> None:
        """Look at the jobs again after a while: nobody's tab may ask any more. The caller has the lock."""
        if self._watched:
            return
        self._watched = True
        watch = Timer(LIMITS.unattended_seconds, self._look)
        watch.daemon = True
        watch.start()

    def _look(self) -> None:
        with self._lock:
            self._watched = False
            self._tidy()
            if self._jobs:
                self._look_later()

    def cancel(self, job: Job) -> None:
        """End a job at once."""
        with self._lock:
            job.cancelled = True
            self._drop(job)

    def _drop(self, job: Job) -> None:
        if job in self._jobs:
            self._jobs.remove(job)
        job.cancelled = job.cancelled or not job.problem
        if job.task:
            job.task.stop()
