"""Corpora larger than memory: the peak memory of `python -m bpe_core train` on files of different sizes."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks import corpora
from tests.benchmarks.figures import Row

MEGABYTES = (100, 1000)
WORKERS = 2
TRAIN = """
import sys, time
from bpe_core.cli.main import main
start = time.perf_counter()
assert main(["train", sys.argv[1], "--vocab-size", "32000", "--workers", sys.argv[2], "--out", sys.argv[3]]) == 0
peak = int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) / 1024
print(time.perf_counter() - start, peak)
"""


def varied(megabytes: int) -> Iterator[bytes]:
    """A corpus of any size: lines in ever new order, one digit changed, so that no part is repeated.

    The lines are few enough for nearly all words to have been seen after the smallest size: what is measured is what
    the size of the file costs, and not what new words do.
    """
    lines = corpora.large(4).splitlines(keepends=True)
    chance, left = random.Random(1), megabytes * 10**6
    while left > 0:
        part = "".join(chance.choices(lines, k=20_000)).replace("0", str(chance.randrange(3))).encode()[:left]
        yield part.decode("utf-8", "ignore").encode()
        left -= len(part)


def measure(sizes: Sequence[int] = MEGABYTES) -> Iterator[Row]:
    """For each size seconds on the wall and the peak memory. Only where the system tells it."""
    if not Path("/proc/self/status").exists():
        return
    peaks = []
    for megabytes in sizes:
        with tempfile.TemporaryDirectory() as folder:
            file, out = Path(folder, "corpus.txt"), Path(folder, "tokenizer.json")
            with file.open("wb") as corpus:
                corpus.writelines(varied(megabytes))
            command = [sys.executable, "-c", TRAIN, file, str(WORKERS), out]
            output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        seconds, peak = map(float, output.split())
        what = f"{megabytes:,} MB file to 32,000, {WORKERS} threads"
        yield what, seconds, "s", 44.0 if megabytes == sizes[-1] else None
        yield f"{what}: peak memory", peak, "MB", None
        peaks.append(peak)
    if len(peaks) > 1:
        yield f"peak memory of {sizes[-1]:,} MB / of {sizes[0]} MB", peaks[-1] / peaks[0], "times", 1.1
