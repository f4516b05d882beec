"""The tokens of a folder: 40 MB in 2,000 files, `count_files` beside a script of a few lines with tiktoken."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from tiktoken import Encoding

from bpe_core import load
from bpe_core.counting import count_files
from tests.benchmarks import corpora, peers
from tests.benchmarks.figures import Row

FILES = 2000


def script(folder: Path, encoding: Encoding) -> int:
    """What people write: each file is read, encoded and counted."""
    return sum(len(encoding.encode_ordinary(path.read_text(encoding="utf-8"))) for path in folder.iterdir())


def measure() -> Iterator[Row]:
    """Processor seconds of both, with tables and caches that are cold, and the sums, which have to be equal."""
    text = corpora.large()
    with tempfile.TemporaryDirectory() as name:
        folder, size = Path(name), len(text) // FILES
        for number in range(FILES):
            part = text[number * size : (number + 1) * size].replace("\0", "")
            (folder / f"{number:04}.txt").write_text(part, encoding="utf-8", newline="")
        load("gpt-4o").count("warm up")
        start = process_time()
        ours = count_files(folder, "gpt-4o")
        seconds = process_time() - start
        yield f"count 40 MB in {FILES:,} files: ours", seconds, "s", None
        encoding = peers.tiktoken_of(load("gpt-4o"))
        start = process_time()
        theirs = script(folder, encoding)
        taken = process_time() - start
        yield f"count 40 MB in {FILES:,} files: a script with tiktoken", taken, "s", None
        yield f"count 40 MB in {FILES:,} files: script / ours", taken / seconds, "x", 1.0
        yield "files whose tokens differ in sum", float(ours.total() != theirs), "", 0.0
