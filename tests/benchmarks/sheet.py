"""The file with the results of a run: one JSON value a line, written as it comes, so it is whole at any moment.

{"of": "bench", "version": "3.0.0", "at": "2026-11-28 17:30", "processor": …, "cores": 2, "python": …, …}
{"begun": "lists", "load": 0.1}
{"part": "lists", "what": "train, …", "figure": 1.2, "unit": "times", "goal": 1.3, "others": 0.01}
{"ended": "lists", "load": 1.0, "seconds": 52.1, "failed": null}
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bpe_core
from tests.benchmarks import machine
from tests.benchmarks.figures import BUSY, Row

FOLDER = Path(__file__).parent / "results"


class Sheet:
    """The file of a run that is under way. `of`: "bench" or "campaign"."""

    def __init__(self, of: str, path: Path | None = None, **more: object) -> None:
        """Write what the run is, and what it runs on."""
        now = datetime.now(UTC)
        self.path = path or FOLDER / f"{now:%Y-%m-%d-%H%M%S}-{of}.jsonl"
        self.path.parent.mkdir(exist_ok=True)
        self._write({"of": of, "version": bpe_core.__version__, "at": f"{now:%Y-%m-%d %H:%M}"} | machine.about() | more)

    def begin(self, part: str) -> None:
        """Write that a part begins."""
        self._write({"begun": part, "load": machine.load()})

    def row(self, part: str, row: Row, others: float | None) -> None:
        """Write a row."""
        what, figure, unit, goal = row
        self._write({"part": part, "what": what, "figure": figure, "unit": unit, "goal": goal, "others": others})

    def end(self, part: str, seconds: float, failed: str | None) -> None:
        """Write that a part has ended. `failed`: with what, or None."""
        self._write({"ended": part, "load": machine.load(), "seconds": round(seconds, 1), "failed": failed})

    def _write(self, line: dict[str, object]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


@dataclass
class Results:
    """What a results file says: about its run, its rows, its parts that failed or have not ended."""

    about: dict[str, Any]
    rows: list[dict[str, Any]] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)

    def figure(self, what: str) -> float | None:
        """Return a row's figure by its name; None if there is no such row."""
        return next((row["figure"] for row in self.rows if row["what"] == what), None)

    def busy(self) -> list[str]:
        """Return the parts that were measured beside too much other work."""
        return list(dict.fromkeys(row["part"] for row in self.rows if (row["others"] or 0) > BUSY))


def read(path: Path) -> Results:
    """Return what a results file says."""
    first, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    results = Results(first)
    for line in lines:
        if "what" in line:
            results.rows.append(line)
        elif "begun" in line:
            results.failed[line["begun"]] = "its end is missing"
        elif line["failed"]:
            results.failed[line["ended"]] = line["failed"]
        else:
            del results.failed[line["ended"]]
    return results
