"""The tokens of a folder: 40 MB in 2,000 files, `count_files` beside a script of a few lines with tiktoken."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from bpe_core import load
from bpe_core.counting import count_files
from tests.benchmarks import corpora

Row = tuple[str, float | None, str, float | None]  # what, figure (None: not installed), unit, goal
FILES = 2000


def script(folder: Path) -> int:
    """What people write: each file is read, encoded and counted."""
    import tiktoken

    ours = load("gpt-4o")
    made = {new: rank for rank, (_, _, new) in enumerate(ours.merges, 256)}
    base = [i for i, token in enumerate(ours.tokens) if token and i not in made][:256]
    ranks = {ours.tokens[i]: rank for i, rank in {**{i: rank for rank, i in enumerate(base)}, **made}.items()}
    encoding = tiktoken.Encoding(
        "o200k_base", pat_str=ours.pretokenizer.pattern, mergeable_ranks=ranks, special_tokens={}
    )
    start = process_time()
    total = sum(len(encoding.encode_ordinary(path.read_text(encoding="utf-8"))) for path in folder.iterdir())
    script.seconds = process_time() - start  # type: ignore[attr-defined]
    return total


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
        try:
            theirs = script(folder)
        except ImportError:
            yield f"count 40 MB in {FILES:,} files: a script with tiktoken", None, "s", None
            return
        yield f"count 40 MB in {FILES:,} files: a script with tiktoken", script.seconds, "s", None  # type: ignore[attr-defined]
        yield f"count 40 MB in {FILES:,} files: script / ours", script.seconds / seconds, "x", 1.0  # type: ignore[attr-defined]
        yield "files whose tokens differ in sum", float(ours.total() != theirs), "", 0.0
