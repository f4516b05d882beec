"""What goes wrong around the program: killed processes, a full disk, little memory, closed output, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from tests.campaign import app_faults
from tests.campaign.server import ROOT, running
from tests.children import ran, started
from tests.texts import EXAMPLES

Row = tuple[str, float, str, float | None]
STORY = str(EXAMPLES / "short-story.txt")
# Without a cache of modules: Python takes a cut cache file for whole.
LIMIT = """
import resource, sys
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_{0}, ({1}, {1}))
from bpe_core.cli.main import main
sys.exit(main())
"""
PARENT = """
import time
from bpe_core import Settings
from bpe_core.processes.child import Task
from bpe_core.record.run_training import train_with_index
task = Task(train_with_index, "low lower " * 3_000_000, Settings("none", vocab_size=5000))
print(task.pid, flush=True)
time.sleep(60)
"""


def command(*arguments: str, limit: tuple[str, int] | None = None) -> AbstractContextManager[subprocess.Popen]:
    """`python -m bpe_core` with these arguments; `limit`: (a resource, how much of it)."""
    start = ["-c", LIMIT.format(*limit)] if limit else ["-m", "bpe_core"]
    return python(*start, *arguments)


def python(*arguments: str) -> AbstractContextManager[subprocess.Popen]:
    """Python with these arguments, and pipes from which to read what it says."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return started([sys.executable, *arguments], cwd=ROOT, text=True, **pipes)


def ended(command: AbstractContextManager[subprocess.Popen]) -> tuple[int, str]:
    """How a command ended, and what it said about that."""
    with command as process:
        said = process.communicate()[1]
    return process.returncode, said


def full_disk(folder: Path) -> str:
    """A file that does not fit is not left half written."""
    code, said = ended(
        command("train", STORY, "--vocab-size", "600", "--out", f"{folder}/t.json", limit=("FSIZE", 1000))
    )
    left = [path.name for path in folder.iterdir()]
    return "" if code and one_sentence(said) and not left else f"{code} {said!r} {left}"


def little_memory(folder: Path) -> str:
    """Too little memory is one sentence."""
    large = folder / "large.txt"
    large.write_text("".join(map(str, range(3_000_000))))
    arguments = ("train", str(large), "--vocab-size", "600", "--pretokenizer", "none", "--out", f"{folder}/t.json")
    code, said = ended(command(*arguments, limit=("DATA", 300 << 20)))
    return "" if code and one_sentence(said) and not (folder / "t.json").exists() else f"{code} {said!r}"


def closed_output(folder: Path) -> str:
    """What cannot be said is an error, and says so to the shell."""
    written = ended(command("train", STORY, "--vocab-size", "600", "--out", f"{folder}/t.json"))
    shell = f'echo hug | "{sys.executable}" -m bpe_core encode {folder}/t.json >&-'
    done = ran(["sh", "-c", shell], cwd=ROOT, capture_output=True, text=True)
    return "" if done.returncode and one_sentence(done.stderr) else f"{written} {done.returncode} {done.stderr!r}"


def early_interrupt(folder: Path) -> str:
    """Ctrl-C at any moment of the start, and no traceback."""
    for wait in (0.02, 0.05, 0.1, 0.15, 0.3):
        with command("train", STORY, "--vocab-size", "100000") as process:
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            said = process.communicate()[1]
        if "Traceback" in said and "bpe_core" in said:  # before, Python itself is starting
            return f"after {wait} seconds: {said[-300:]!r}"
    return ""


def killed_parent(folder: Path) -> str:
    """A child whose parent is ended goes, too, and says nothing."""
    with python("-c", PARENT) as process:
        child = int(process.stdout.readline())
        process.terminate()
        said = process.communicate()[1]
    for _ in range(200):
        if not running(child):
            return "" if "Error" not in said else said[-300:]
        time.sleep(0.1)
    return "the child goes on"


def one_sentence(said: str) -> bool:
    """Whether an error is said in one line without a traceback."""
    return 0 < len(said.strip().splitlines()) <= 2 and "Traceback" not in said


FAULTS: dict[str, Callable[[Path], str]] = {
    "a full disk": full_disk,
    "little memory": little_memory,
    "a closed output": closed_output,
    "Ctrl-C in the first moments": early_interrupt,
    "a child without its parent": killed_parent,
}


def measure(full: bool = True) -> Iterator[Row]:
    """Each fault: 0 where it ends as it should."""
    for name, fault in FAULTS.items():
        with tempfile.TemporaryDirectory() as folder:
            if said := fault(Path(folder)):
                print("   ", said)
        yield name, float(bool(said)), "", 0.0
    for name, fault in app_faults.FAULTS.items():
        if said := fault():
            print("   ", said)
        yield name, float(bool(said)), "", 0.0
    yield from determinism()


def determinism() -> Iterator[Row]:
    """The same corpus, whatever the hash seed and the number of workers: how many different files come out."""
    files = set()
    for seed, workers in [("0", "1"), ("1", "1"), ("2", "2"), ("3", "4")]:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "t.json")
            arguments = ["train", STORY, STORY, "--vocab-size", "900", "--workers", workers, "--out", str(out)]
            environment = {**os.environ, "PYTHONHASHSEED": seed}
            ran(
                [sys.executable, "-m", "bpe_core", *arguments],
                cwd=ROOT,
                env=environment,
                check=True,
                capture_output=True,
            )
            files.add(out.read_bytes())
    yield "different files of one corpus, with four hash seeds and 1, 2 and 4 workers", float(len(files)), "", 1.0
