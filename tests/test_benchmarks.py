"""The measurements themselves: a part that fails takes nothing with it, and the documents say what the results say."""

import doctest
import os
import sys
from pathlib import Path

import pytest

from tests.benchmarks import figures, machine, readme, sheet
from tests.campaign.server import running
from tests.children import ran

ROOT = Path(__file__).parents[1]
PARTS = """
import os, time
from subprocess import Popen

def works():
    print("noise of a library")
    yield "a row", 1.0, "s", 2.0
    yield "not installed", None, "s", None

def raises():
    yield "before it fails", 1.0, "s", None
    raise ValueError("no film is drawn")

def hangs():
    child = Popen(["sleep", "100"], start_new_session=True)  # as Chromium is started
    yield "what it leaves", child.pid, "", None
    time.sleep(100)

def dies():
    yield "before it dies", 1.0, "s", None
    os.abort()

def ends_well():
    yield "the last row", 3.0, "s", None
"""
RUN = """
import sys
from pathlib import Path
from tests.benchmarks.running import Part, run
from tests.benchmarks.sheet import Sheet
parts = {name: Part("some_parts", name, 0.05 if name == "hangs" else 5) for name in sys.argv[2:]}
sys.exit(run(parts, Sheet("bench", Path(sys.argv[1]))))
"""
NOT_LINUX = pytest.mark.skipif(not Path("/proc/stat").exists(), reason="the system has no /proc")


def measured(folder: Path, *parts: str) -> tuple[int, sheet.Results]:
    (folder / "some_parts.py").write_text(PARTS)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = ran([sys.executable, "-c", RUN, folder / "rows.jsonl", *parts], cwd=ROOT, env=environment)
    return done.returncode, sheet.read(folder / "rows.jsonl")


@pytest.mark.thorough
@NOT_LINUX
def test_a_part_that_fails_hangs_or_dies_keeps_its_rows_and_the_next_goes_on(tmp_path: Path):
    code, results = measured(tmp_path, "works", "raises", "hangs", "dies", "ends_well")
    assert code == 1
    assert [(row["part"], row["what"]) for row in results.rows] == [
        ("works", "a row"), ("works", "not installed"), ("raises", "before it fails"),
        ("hangs", "what it leaves"), ("dies", "before it dies"), ("ends_well", "the last row"),
    ]  # fmt: skip
    assert results.failed == {
        "raises": "ValueError: no film is drawn",
        "hangs": "more than 0.05 minutes",
        "dies": "it ended with exit code -6",
    }
    assert not running(int(results.figure("what it leaves")))


def test_parts_that_all_work_end_well(tmp_path: Path):
    code, results = measured(tmp_path, "works", "ends_well")
    assert (code, results.failed) == (0, {})
    assert results.about["cores"] >= 1
    assert results.about["libraries"]["numpy"]


def test_a_busy_machine_reaches_no_goal(monkeypatch: pytest.MonkeyPatch):
    """Of two cores with 100 ticks a second, others have one core in the second ten seconds and none afterwards."""
    samples = iter([(0.0, 0, 0), (10.0, 40, 2000), (20.0, 1040, 4000), (21.0, 1040, 4200), (40.0, 1040, 8000)])
    monkeypatch.setattr(machine, "_sample", lambda: next(samples))
    monkeypatch.setattr(machine, "_STAT", ROOT)
    others = machine.Others()
    shares = [others.share() for _ in range(4)]
    assert shares == [0.02, 0.5, 0.5, 0.5]
    said = [figures.verdict(1.0, "s", 2.0, share) for share in (*shares, None)]
    assert ["reached" in each.lower() for each in said] == [True, False, False, False, False]


COUNTED = """
import sys, time
from subprocess import run
from tests.benchmarks import machine
machine.adopt_orphans()
before = sum(machine._tree().values())
burn = "import time\\nwhile time.process_time() < 0.5: pass"
starts = f"import sys; from subprocess import Popen; Popen([sys.executable, '-c', {burn!r}], start_new_session=True)"
run([sys.executable, "-c", burn])  # a child, waited for
run([sys.executable, "-c", starts])  # its child outlives it
while len(machine._tree()) == 1: pass
(orphan,) = machine._tree().keys() - {machine.os.getpid()}
while "Z" not in open(f"/proc/{orphan}/stat").read().split(")")[1]: time.sleep(0.05)
ended = sum(machine._tree().values()) - before
machine.bury_orphans()
print(ended, sum(machine._tree().values()) - before)
"""


@pytest.mark.thorough
@NOT_LINUX
def test_what_children_and_orphans_use_is_no_work_of_others():
    done = ran([sys.executable, "-c", COUNTED], cwd=ROOT, capture_output=True, text=True)
    ended, buried = map(int, done.stdout.split())
    assert 0.9 * os.sysconf("SC_CLK_TCK") <= ended <= buried


@pytest.mark.parametrize("document", readme.DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_tables_of_the_documents_are_what_the_results_make(document: Path):
    text = document.read_text(encoding="utf-8")
    assert text.count("<!-- made from results: ") == len(readme.BLOCK.findall(text)) > 0
    assert readme.renewed(text) == text


def test_other_results_make_other_tables():
    """Each table, apart from the sentence that there is nothing, follows a row."""
    results = sheet.read(readme.released("bench"))
    before = {name: make(results) for name, (of, make) in readme.TABLES.items() if of == "bench"}
    measured = [row for row in results.rows if row["figure"] is not None]
    for row in measured:
        row |= {"figure": 2 * row["figure"], "goal": 1.0, "others": 0.5}
    after = {name: make(results) for name, (of, make) in readme.TABLES.items() if of == "bench"}
    assert [name for name in before if before[name] == after[name]] == []
    assert after["goals"].count("busy machine") == len(measured)
    assert "reached" not in after["goals"]
    assert "busy with other work, so these figures tell little: training, lists" in after["made-on"]


@pytest.mark.parametrize("module", [figures, readme], ids=lambda module: module.__name__)
def test_examples_are_true(module):
    assert doctest.testmod(module).failed == 0
