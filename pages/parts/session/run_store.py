"""The latest runs of all users, kept in memory within a budget."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

from bpe_core import Run, Settings
from bpe_core.models.all_models import Models
from pages.parts.session.budget import BUDGET

Wanted = tuple[str, Settings]  # what a record is kept under: the text's digest, and how it is trained on


class RunStore:
    """The latest runs of all users, one for each text and settings, bounded in number and in bytes."""

    def __init__(self) -> None:
        self._runs: OrderedDict[Wanted, tuple[Run | Models, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, wanted: Wanted) -> Any:
        """The run, if it is here."""
        with self._lock:
            if wanted not in self._runs:
                return None
            self._runs.move_to_end(wanted)
            return self._runs[wanted][0]

    def add(self, wanted: Wanted, run: Run | Models) -> None:
        """Keep a run; the ones longest unused make room."""
        size = run.nbytes  # takes a moment: not under the lock
        with self._lock:
            self._runs[wanted] = run, size
            self._runs.move_to_end(wanted)
            while len(self._runs) > BUDGET.runs or (len(self._runs) > 1 and self._bytes() > BUDGET.runs_mb << 20):
                self._runs.popitem(last=False)

    def _bytes(self) -> int:
        return sum(size for _, size in self._runs.values())
