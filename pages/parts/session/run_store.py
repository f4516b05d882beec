"""The latest runs of all users, and the trainings that are on their way."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from bpe_core import Run, Settings
from bpe_core.corpus.worker_process import Worker
from bpe_core.models.all_models import Models

STORE_RUNS, STORE_BYTES = 24, 1 << 30

Wanted = tuple[str, Settings]  # what a record is kept under: the text's digest, and how it is trained on


class RunStore:
    """The latest runs of all users, one for each text and settings, bounded in number and in bytes."""

    def __init__(self) -> None:
        self._runs: OrderedDict[Wanted, Run | Models] = OrderedDict()
        self._lock = Lock()

    def get(self, wanted: Wanted) -> Any:
        """The run, if it is here."""
        with self._lock:
            if wanted in self._runs:
                self._runs.move_to_end(wanted)
            return self._runs.get(wanted)

    def add(self, wanted: Wanted, run: Run | Models) -> None:
        """Keep a run; the ones longest unused make room."""
        with self._lock:
            self._runs[wanted] = run
            while len(self._runs) > STORE_RUNS or (
                len(self._runs) > 1 and sum(run.nbytes for run in self._runs.values()) > STORE_BYTES
            ):
                self._runs.popitem(last=False)


class StillTraining(Exception):  # noqa: N818 (not an error: the run is on its way)
    """The run is being trained in a process of its own."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.job = job


@dataclass
class Job:
    """One training in the background, of one session."""

    wanted: Wanted
    worker: Worker
    started: float
    cancelled: bool = False

    def cancel(self) -> None:
        """End the process."""
        self.cancelled = True
        self.worker.stop()
