"""The engine alone, as `pip install` brings it: its size on the disk, and what its import takes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.benchmarks.figures import Row
from tests.empty_environment import environment
from tests.wheel import said

IMPORT = """
import time
begun = time.perf_counter()
import numpy
numpy_there = time.perf_counter()
from bpe_core import train, load
print(time.perf_counter() - begun, time.perf_counter() - numpy_there)
"""
TIMES = 7  # fresh interpreters


def measure() -> Iterator[Row]:
    """Install the wheel into an empty environment, with what it needs and no extra; asks the package index."""
    with tempfile.TemporaryDirectory() as name:
        programs = environment(Path(name), "")
        size = sum(path.stat().st_size for path in programs.parent.rglob("*") if path.is_file())
        yield "the engine alone, installed", size / 1e6, "MB", 110
        said([programs / "python", "-c", IMPORT], Path(name))  # it compiles what pip has not
        taken = [said([programs / "python", "-c", IMPORT], Path(name)).split() for _ in range(TIMES)]
    whole, beyond = (median(map(float, times)) for times in zip(*taken, strict=True))
    yield "from bpe_core import train, load", whole, "s", None
    yield "from bpe_core import train, load, beyond numpy", beyond, "s", 0.08
