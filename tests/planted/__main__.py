"""`make planted`: faults are put into a copy one after another, and each has to be found by the tests of its folder.

python -m tests.planted                   # all rows of `faults.py`
python -m tests.planted 3 20              # some of them, by their numbers from 1

A fault is tried on the tests that `make check` runs for its file (`tests/changed.py`), then on its two journeys in a
browser, and, where these pass, on all tests. A test that finds it has to pass without it. Each line has the seconds
until a test failed, and its name. It ends with 1 if no test of its folder finds a fault, or if it took too long.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import cache_from_source
from pathlib import Path
from subprocess import PIPE, STDOUT
from time import monotonic

from tests import changed
from tests.changed import HOUR, ROOT
from tests.children import ran
from tests.planted.faults import FAULTS, Fault

MINUTES = 40.0
ELSEWHERE, NOWHERE = "NOT IN ITS FOLDER: ", "NO TEST"
# Without the test that asks whether each row still applies: a planted one does not.
ALL = [*changed.PYTEST, *changed.SPREAD, "--ignore=tests/planted"]
WHERE = "import bpe_core, pages.parts.ui, tests; print(bpe_core.__file__, pages.parts.ui.__file__, tests.__file__)"
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?)(?:\[.*)?(?: - .*)?$", re.M)


class Copy:
    """A copy of the working tree in a folder. Its tests import the copy, with the libraries of this `.venv`."""

    def __init__(self, folder: Path) -> None:
        """Copy what git has or would add, and make it a repository too, since some tests ask git."""
        self.folder = folder
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(folder),
            "PYTEST_ADDOPTS": "--exitfirst -p no:cacheprovider",
            "MERGESCOPE_EXAMPLES": "10",  # as in `make check`
        }
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        for name in filter(None, self.said(command, ROOT).split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        for command in (["git", "init", "--quiet"], ["git", "add", "--all"]):
            self.said(command, folder)
        imported = self.said([sys.executable, "-c", WHERE], Path("/")).split()
        assert all(Path(each).is_relative_to(folder) for each in imported), imported

    def said(self, command: Sequence[str], folder: Path) -> str:
        """Return what a command prints that has to succeed."""
        return ran([*command], cwd=folder, env=self.environment, stdout=PIPE, text=True, check=True).stdout

    @contextmanager
    def planted(self, fault: Fault) -> Iterator[None]:
        """Put a fault into the copy, and take it out again."""
        text = (self.folder / fault.file).read_text(encoding="utf-8")
        self._write(fault, with_fault(fault, text))
        try:
            yield
        finally:
            self._write(fault, text)

    def _write(self, fault: Fault, text: str) -> None:
        path = self.folder / fault.file
        path.write_text(text, encoding="utf-8")
        # Python takes a cached module for this one if both have one size, and were changed in one second.
        Path(cache_from_source(path)).unlink(missing_ok=True)

    def failing(self, command: Sequence[str]) -> str:
        """Return the first test that fails in the copy; "" if none does."""
        done = ran([*command], HOUR, cwd=self.folder, env=self.environment, stdout=PIPE, stderr=STDOUT)
        said = done.stdout.decode(errors="replace")
        if done.returncode == 0:
            return ""
        found = FAILED.search(said)
        if not found:
            sys.exit(f"{said}\nNo test has failed, and the tests did not pass.")
        return found[1]


def with_fault(fault: Fault, text: str) -> str:
    """Return the text of a file with a fault in it."""
    if (found := text.count(fault.old)) != 1:
        sys.exit(f"{fault.file} has the text {fault.old!r} {found} times, where a fault replaces it: mend its row.")
    return text.replace(fault.old, fault.new)


def caught(copy: Copy, fault: Fault) -> tuple[str, float]:
    """Return the test that finds a fault, and the seconds until it failed."""
    begun = monotonic()
    tests, journeys = changed.commands([fault.file])
    for place, command in (("", tests), ("journey: ", journeys), (ELSEWHERE, ALL)):
        with copy.planted(fault):
            test = copy.failing(command) if command else ""
        seconds = monotonic() - begun
        if test:
            if copy.failing([*changed.PYTEST, test]):
                sys.exit(f"{test} fails without a fault too.")
            return f"{place}{test}", seconds
    return NOWHERE, seconds


def main(numbers: Sequence[int]) -> int:
    """Try the faults with these numbers, or all; return 1 if the tests of a folder do not find its fault."""
    begun, survivors = monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder).resolve())
        for number, fault in enumerate(FAULTS, 1):
            if numbers and number not in numbers:
                continue
            test, seconds = caught(copy, fault)
            survivors += test.startswith((ELSEWHERE, NOWHERE))
            print(f"{number:2} {fault.about}\n   {seconds:4.0f} s  {test}", flush=True)
    minutes = (monotonic() - begun) / 60
    print(f"\nNot found by the tests of their folder: {survivors}. {minutes:.1f} minutes, at most {MINUTES:.0f}.")
    return bool(survivors) or minutes > MINUTES


if __name__ == "__main__":
    sys.exit(main([*map(int, sys.argv[1:])]))
