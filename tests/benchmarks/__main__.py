"""`make bench`: measure, print each figure beside its goal and the peers', and write all to a file as they come.

`make bench` measures everything; `.venv/bin/python -m tests.benchmarks lists keys` measures two parts; `--quick` what
the documents quote, once each. A part is a function that yields rows, and a row in `PARTS`.
"""

import sys

from tests.benchmarks.running import Part, run
from tests.benchmarks.sheet import Sheet

HERE = "tests.benchmarks"
ONCE = {"enough": 0.5}  # but short tasks, whose first time is longer, three times
PARTS = {
    "training": Part(f"{HERE}.training", "training", 12, ONCE),
    "lists": Part(f"{HERE}.training", "lists", 5),
    "counting": Part(f"{HERE}.training", "counting", 3),
    "steps": Part(f"{HERE}.training", "steps", 3, {}),
    "encoding": Part(f"{HERE}.encoding", "encoding", 12, {**ONCE, "again": False}),
    "unsplit": Part(f"{HERE}.encoding", "unsplit", 3),
    "small-calls": Part(f"{HERE}.encoding", "small_calls", 3),
    "folders": Part(f"{HERE}.folders", "measure", 4),
    "streaming": Part(f"{HERE}.streaming", "measure", 6, {"sizes": [1000]}),
    "installed": Part(f"{HERE}.installed", "measure", 5),
    "static-page": Part(f"{HERE}.static_page", "measure", 8),
    "keys": Part(f"{HERE}.keys", "in_floors", 8),
    "runs": Part(f"{HERE}.keys", "runs", 4),
    "film-words": Part(f"{HERE}.stepping", "words", 4),
    "film-book": Part(f"{HERE}.stepping", "book", 5),
    "film-large": Part(f"{HERE}.stepping", "large", 8),
    "pages": Part(f"{HERE}.browser", "measure", 6),
}


def main(arguments: list[str]) -> int:
    """Measure the named parts, or all; return 1 if a part failed."""
    quick, names = "--quick" in arguments, [name for name in arguments if name != "--quick"]
    if unknown := sorted({*names} - PARTS.keys()):
        sys.exit(f"no part is called {unknown[0]}; there are: {', '.join(PARTS)}")
    names = names or [name for name, part in PARTS.items() if part.quick is not None or not quick]
    return run({name: PARTS[name] for name in names}, Sheet("bench", quick=quick), quick)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
