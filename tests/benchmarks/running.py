"""The parts of a run, one after the other, each in a process of its own that has so much time.

A part that fails, hangs or is killed leaves the rows that it has measured, and the next part begins.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from threading import Timer
from time import monotonic
from typing import NamedTuple

from tests.benchmarks import machine
from tests.benchmarks.figures import Row, verdict
from tests.benchmarks.sheet import Sheet
from tests.children import started


class Part(NamedTuple):
    """A function that yields rows, and how long it may take. `quick`: its arguments in a quick run; None: not in it."""

    module: str
    function: str
    minutes: float
    quick: Mapping[str, object] | None = None


def run(parts: Mapping[str, Part], sheet: Sheet, quick: bool = False) -> int:
    """Measure all parts, print and write their rows; return 1 if a part failed."""
    machine.adopt_orphans()
    failures = {}
    for name, part in parts.items():
        print(f"\n{name}", flush=True)
        sheet.begin(name)
        begun, others, failed = monotonic(), machine.Others(), None
        for said in _said(part, quick):
            if isinstance(said, list):
                _show(name, tuple(said), others.share(), sheet)
            else:
                failed = said
        seconds = monotonic() - begun
        sheet.end(name, seconds, failed)
        if failed:
            failures[name] = failed
        print(f"  {seconds:.0f} s{f', failed: {failed}' if failed else ''}", flush=True)
    for name, failed in failures.items():
        print(f"\nfailed: {name}: {failed}")
    print(f"\nwritten to {sheet.path}")
    return bool(failures)


def _show(part: str, row: Row, others: float | None, sheet: Sheet) -> None:
    sheet.row(part, row, others)
    what, figure, unit, goal = row
    shown = "not installed" if figure is None else f"{figure:10.3f} {unit:5} {verdict(figure, unit, goal, others)}"
    print(f"  {what:80} {shown}", flush=True)


def _said(part: Part, quick: bool) -> Iterator[list | str | None]:
    """Yield what a part says: rows, then what it failed with, or None. It and all that it started has ended then."""
    out, into = os.pipe()
    arguments = json.dumps(dict(part.quick or {}) if quick else {})
    command = [sys.executable, "-m", "tests.benchmarks.part", str(into), part.module, part.function, arguments]
    limit, ended = Timer(60 * part.minutes, machine.end_all), False
    with started(command, 60 * part.minutes + 60, pass_fds=[into]) as process, open(out, encoding="utf-8") as lines:
        os.close(into)
        limit.start()
        begun = monotonic()
        try:
            for line in lines:
                said = json.loads(line)
                yield said
                if ended := not isinstance(said, list):
                    break  # the pipe may stay open in what it has started
        finally:
            limit.cancel()
            machine.end_all()
    machine.bury_orphans()
    if not ended:
        late = monotonic() - begun >= 60 * part.minutes
        yield f"more than {part.minutes:g} minutes" if late else f"it ended with exit code {process.returncode}"
