"""Training, looking at steps and encoding, beside the peers, in one run; processor seconds, as machines are shared."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np

from bpe_core import Run, Settings, train
from tests.benchmarks import corpora, peers

Row = tuple[str, float, str, float | None]  # what, figure, unit, goal

os.environ.setdefault("RAYON_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def seconds(work: Callable[[], object], times: int = 3, clock: Callable[[], float] = process_time) -> float:
    """The median processor time of some work, or its time by another clock."""
    taken = []
    for _ in range(times):
        start = clock()
        work()
        taken.append(clock() - start)
    return median(taken)


def _peer_rows(what: str, ours: float, text: str, size: int, times: int) -> Iterator[Row]:
    for name, peer in peers.TRAINERS.items():
        try:
            theirs = seconds(lambda peer=peer: peer(text, size), times)
        except ImportError:
            continue
        yield f"{what}: {name}", theirs, "s", None
        yield f"{what}: {name} / ours", theirs / ours, "x", 1.0


def training() -> Iterator[Row]:
    """A book to 10,000 and the large corpus to 32,000, one thread and two; the record included, its index apart."""
    book, large = corpora.book(), corpora.large()
    ours = seconds(lambda: train(book, Settings(vocab_size=10_000)))
    yield f"book ({len(book.encode()) / 1e6:.2f} MB) to 10,000", ours, "s", 0.5
    yield from _peer_rows("book", ours, book, 10_000, 3)
    size = f"large corpus ({len(large.encode()) / 1e6:.0f} MB) to 32,000"
    one = seconds(lambda: train(large, Settings(vocab_size=32_000)), 2)
    yield f"{size}, 1 thread", one, "s", None
    for threads in (1, 2):
        wall = seconds(lambda n=threads: train(large, Settings(vocab_size=32_000), workers=n), 2, perf_counter)
        yield f"{size}, threads: {threads}, by the clock on the wall", wall, "s", None
    yield from _peer_rows("large, against our 1 thread", one, large, 32_000, 1)


def steps(run: Run) -> Iterator[Row]:
    """Random steps of the large run: the index of pair counts, then windows and pairs."""
    yield "index of all pair counts, once a run", seconds(lambda: run.ties, 1), "s", None
    some = random.Random(1).sample(range(1, run.steps), 60)
    rows = list(range(1000, 1200))
    for name, look, goal in (
        ("200 words at a random step", lambda k: run.words(k, rows), 5.0),
        ("15 most frequent pairs at a random step", lambda k: run.pair_counts(k, 15), 10.0),
        ("tied pairs of a random step", run.tied, 10.0),
    ):
        look(1)
        taken = [1000 * seconds(lambda k=k, look=look: look(k), 1) for k in some]
        yield f"{name}, median", median(taken), "ms", goal
        yield f"{name}, worst of {len(some)}", max(taken), "ms", None
    trainer = run.flat.symbols.nbytes * 4  # its own arrays: symbols, steps, and weights of eight bytes
    columns = [*vars(run.history).values(), *vars(run.film).values(), run.flat.symbols, run.corpus.weights]
    record = sum(column.nbytes for column in columns if isinstance(column, np.ndarray))
    yield "memory of the record's arrays / the trainer's own", record / trainer, "times", 2.0


def encoding(run: Run) -> Iterator[Row]:
    """Megabytes a second on first sight, and on sight of text that has been seen."""
    for name, text, goal in (("book", corpora.book(), 0.7), ("large corpus", corpora.large(), 1.0)):
        size = len(text.encode()) / 1e6
        tok = run.tokenizer()
        tok.ids("warm up " * 1000)  # makes its tables, as the peers do beforehand
        cold = size / seconds(lambda tok=tok, text=text: tok.ids(text), 1)
        warm = size / seconds(lambda tok=tok, text=text: tok.ids(text), 2)
        yield f"encoding, {name}, first sight", cold, "MB/s", None
        yield f"encoding, {name}, seen before", warm, "MB/s", None
        for peer, make in peers.ENCODERS.items():
            encode = make(run)
            theirs = size / seconds(lambda encode=encode, text=text: encode(text), 1)
            yield f"encoding, {name}: {peer}", theirs, "MB/s", None
            yield f"encoding, {name}: ours at first sight / {peer}", cold / theirs, "x", goal
            yield f"encoding, {name}: ours seen before / {peer}", warm / theirs, "x", 1.5
    tok = run.tokenizer()
    yield "encoding 100,000 equal characters", seconds(lambda: tok.encode_word("a" * 100_000), 1), "s", 1.0


def memory() -> Iterator[Row]:
    """The peak of a process that trains on the large corpus, where the system tells it (Linux)."""
    if not Path("/proc/self/status").exists():
        return
    script = (
        "import sys; from bpe_core import Settings, train;"
        "peak = lambda: int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]) / 1024;"
        "text = open(sys.argv[1], encoding='utf-8', newline='').read(); before = peak();"
        "train(text, Settings(vocab_size=32000)).ties; print(before, peak())"
    )
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="") as file:
        file.write(corpora.large())
        file.flush()
        command = [sys.executable, "-c", script, file.name]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    before, after = map(float, output.split())
    yield "peak memory of training on the large corpus, its text included", after, "MB", None
    yield "of which the text and the interpreter", before, "MB", None


def measure() -> Iterator[Row]:
    """All of it."""
    yield from training()
    run = train(corpora.large(), Settings(vocab_size=32_000))
    yield from steps(run)
    yield from encoding(run)
    yield from memory()
