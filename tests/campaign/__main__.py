"""`make campaign`: hostile links, texts and files, faults, few open files, load; prints each figure beside its goal.

`make campaign` runs everything, up to twenty minutes; `.venv/bin/python -m tests.campaign load` one part of it.
"""

import sys
from importlib import import_module
from time import monotonic

PARTS = ["hostile", "in_browser", "faults", "files", "chat", "uploads", "open_files", "load"]


def main() -> int:
    """Run the parts named on the command line, or all; 1 where a goal is missed."""
    begun, missed = monotonic(), 0
    for part in sys.argv[1:] or PARTS:
        print(f"\n{part}", flush=True)
        for what, figure, unit, goal in import_module(f"tests.campaign.{part}").measure():
            reached = goal is None or figure <= goal
            missed += not reached
            said = "" if goal is None else f"goal ≤ {goal:g}: {'reached' if reached else 'NOT REACHED'}"
            print(f"  {what:75} {figure:10.1f} {unit:3} {said}", flush=True)
    print(f"\n{missed} goals missed, {(monotonic() - begun) / 60:.1f} minutes")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
