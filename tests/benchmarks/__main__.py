"""`make bench`: measures, prints each figure beside its goal and the peers', and writes them to a file.

`make bench` measures everything; `.venv/bin/python -m tests.benchmarks engine streaming` measures two parts. `engine`
prints the README's table too.
"""

import json
import platform
import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from tests.benchmarks.readme import table

PARTS = ["engine", "folders", "streaming", "stepping", "browser"]
RESULTS = Path(__file__).parent / "results"


def verdict(figure: float | None, unit: str, goal: float | None) -> str:
    """Whether a figure reaches its goal: times and sizes at most, ratios to peers (x) at least."""
    if figure is None or goal is None:
        return ""
    at_least = unit == "x"
    reached = figure >= goal if at_least else figure <= goal
    return f"goal {'≥' if at_least else '≤'} {goal:g}: {'reached' if reached else 'NOT REACHED'}"


def main() -> None:
    """Measure the parts named on the command line, or all."""
    rows = []
    for part in sys.argv[1:] or PARTS:
        print(f"\n{part}", flush=True)
        for what, figure, unit, goal in import_module(f"tests.benchmarks.{part}").measure():
            rows.append({"part": part, "what": what, "figure": figure, "unit": unit, "goal": goal})
            shown = "not installed" if figure is None else f"{figure:10.3f} {unit:5} {verdict(figure, unit, goal)}"
            print(f"  {what:75} {shown}", flush=True)
        if part == "engine":
            print("\n" + table([tuple(row.values())[1:] for row in rows if row["part"] == part]))
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}.json"
    about = {"python": platform.python_version(), "machine": platform.machine(), "figures": rows}
    path.write_text(json.dumps(about, indent=1))
    print(f"\nwritten to {path}")


main()
