"""`make campaign`: hostile links, texts and files, faults, few open files, load; prints each figure beside its goal.

`make campaign` runs everything, up to 22 minutes; `.venv/bin/python -m tests.campaign load` one part of it. At the
end it prints which goals were missed and what could not be measured. Each row is written to a file in
`tests/benchmarks/results/` as it comes.
"""

import sys
import traceback
from argparse import ArgumentParser
from importlib import import_module
from time import monotonic

from tests.benchmarks.machine import Others, adopt_orphans
from tests.benchmarks.sheet import Sheet

PARTS = [
    "hostile",
    "in_browser",
    "faults",
    "files",
    "config_files",
    "counted",
    "sameness",
    "chat",
    "hub",
    "pasted",
    "uploads",
    "resources",
    "open_files",
    "load",
]
MINUTES = 22.0
Row = tuple[str, float, str, float | None]  # what, figure, unit, goal


def line(row: Row) -> str:
    """One figure beside its goal."""
    what, figure, unit, goal = row
    said = "" if goal is None else f"goal ≤ {goal:g}: {'NOT REACHED' if missed(row) else 'reached'}"
    return f"  {what:75} {figure:10.1f} {unit:3} {said}"


def missed(row: Row) -> bool:
    """Whether a figure has a goal and is above it."""
    return row[3] is not None and row[1] > row[3]


def main() -> int:
    """Run the parts named on the command line, or all; 1 where a goal is missed or a part could not be measured."""
    parser = ArgumentParser("python -m tests.campaign", description="Measure what breaks it, beside each goal.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all if none is named")
    parts = parser.parse_args().parts or PARTS
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"{unknown[0]!r} is no part; the parts are {', '.join(PARTS)}")
    begun, rows, undone, sheet = monotonic(), list[Row](), list[str](), Sheet("campaign")
    adopt_orphans()
    for part in parts:
        since, others, failed = monotonic(), Others(), None
        sheet.begin(part)
        print(f"\n{part}", flush=True)
        try:
            for row in import_module(f"tests.campaign.{part}").measure():
                print(line(row), flush=True)
                rows.append(row)
                sheet.row(part, row, others.share())
        except Exception as error:
            traceback.print_exc()
            failed = f"{type(error).__name__}: {error}"[:300]
            undone.append(f"  {part}, from here on: {failed}")
        sheet.end(part, monotonic() - since, failed)
        print(f"  {(monotonic() - since) / 60:.1f} minutes", flush=True)
    rows.append(("the whole campaign", (monotonic() - begun) / 60, "min", MINUTES))
    wrong = [line(row) for row in rows if missed(row)]
    print(f"\n{len(rows)} figures. Goals that were missed: {len(wrong)}", *wrong, sep="\n")
    print(f"\nWhat could not be measured: {len(undone)}", *undone, sep="\n")
    print(f"\nwritten to {sheet.path}")
    return bool(wrong or undone)


if __name__ == "__main__":
    sys.exit(main())
