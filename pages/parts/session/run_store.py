"""The latest runs of all users, in memory, within a budget."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

from bpe_core import Run, Settings
from bpe_core.models.all_models import Models
from pages.parts.session.budget import BUDGET

Wanted = tuple[str, Settings]  # the digest of the text, and the settings of the training


class RunStore:
    """The latest runs of all users, one for each text and settings, bounded in number and in bytes."""

    def __init__(self) -> None:
        """Start without runs."""
        self._runs: OrderedDict[Wanted, tuple[Run | Models, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Wanted) -> Any:
        """Return the run of a key, or None."""
        with self._lock:
            if key not in self._runs:
                return None
            self._runs.move_to_end(key)
            return self._runs[key][0]

    def add(self, key: Wanted, run: Run | Models) -> None:
        """Add a run, and drop the least recently used ones beyond the budget."""
        size = run.nbytes  # takes a moment, so before the lock
        with self._lock:
            self._runs[key] = run, size
            self._runs.move_to_end(key)
            while len(self._runs) > BUDGET.runs or (len(self._runs) > 1 and self._bytes() > BUDGET.runs_mb << 20):
                self._runs.popitem(last=False)

    def _bytes(self) -> int:
        return sum(size for _, size in self._runs.values())
