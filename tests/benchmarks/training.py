"""Training and looking at steps, beside the peers, in one run; processor seconds, as machines are shared.

The goals are ratios: how many times as long the peer takes. Nothing here needs more than one thread, apart from the row
that says so.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator
from statistics import median
from time import perf_counter
from unittest.mock import patch

import numpy as np

from bpe_core import Settings, train
from bpe_core.corpus.counting import count_pretokens
from bpe_core.training.compiling import COMPILING, LOOP
from tests.benchmarks import corpora, peers
from tests.benchmarks.corpora import BOOK, LARGE, MANY, SIZES
from tests.benchmarks.figures import ENOUGH, Row, once, seconds

os.environ.setdefault("RAYON_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

# How many times as long a peer should take.
_WHOLE, _BY_LINE = "Hugging Face, whole text", "Hugging Face, by line"
_AHEAD = dict.fromkeys(("rustbpe", "sentencepiece", "YouTokenToMe", _BY_LINE), 1.0)
SLOWER = {BOOK: {}, LARGE: _AHEAD, MANY: _AHEAD}
FAST = {BOOK: {}, LARGE: {"gigabpe": 1.1}, MANY: {"gigabpe": 1.1}}  # with the extra `fast`


def training(enough: float = ENOUGH) -> Iterator[Row]:
    """Each corpus to its size, the record included, its index apart; then the peers, who give merges only.

    With the extra `fast` the compiled loop is loaded before. `enough`: as in `seconds`.
    """
    has_fast = LOOP.for_training(COMPILING) is not None
    for name, text in corpora.texts().items():
        size = SIZES[name]

        def work(_: object, text: str = text, size: int = size) -> object:
            return train(text, Settings(vocab_size=size))

        with patch.object(LOOP, "for_training", return_value=None):
            ours = seconds(work, enough=enough)
        fast = seconds(work, enough=enough) if has_fast else None
        yield f"train, {name}: its size", len(text.encode()) / 1e6, "MB", None
        yield f"train, {name}, to {size:,}: ours", ours, "s", None
        yield f"train, {name}, to {size:,}: ours with fast", fast, "s", None
        yield f"train, {name}: ours / ours with fast", fast and ours / fast, "x", None
        for peer, theirs in peers.TRAINERS.items():
            if peer == _WHOLE and name != BOOK:
                continue  # half a minute each
            try:
                taken = seconds(lambda _, theirs=theirs, text=text, size=size: theirs(text, size), enough=enough)
            except ImportError:
                yield f"train, {name}: {peer}", None, "s", None
                continue
            yield f"train, {name}: {peer}", taken, "s", None
            yield f"train, {name}: {peer} / ours", taken / ours, "x", SLOWER[name].get(peer)
            yield f"train, {name}: {peer} / ours with fast", fast and taken / fast, "x", FAST[name].get(peer)


def lists() -> Iterator[Row]:
    """Train on the lines of the book and of the documentation, in turn with training on it as one text."""
    corpus = {BOOK: corpora.book(), LARGE: corpora.large()}
    for name, text in corpus.items():
        chosen, lines = Settings(vocab_size=SIZES[name]), text.splitlines(keepends=True)
        yield from _beside_one_text(f"train, {name}", lines, chosen, 3)
    yield from _beside_one_text("train, lists of lines", corpora.short_lines(corpus[LARGE]), Settings(), 5)


def _beside_one_text(what: str, lines: list[str], chosen: Settings, times: int) -> Iterator[Row]:
    """Train on lines and on the text that they join to, in turn and several times; the best of each counts."""
    text = "".join(lines)
    ways: dict[str, Callable[[], str | Iterable[str]]] = {
        "one text": lambda: text,
        "a list": lambda: lines,
        "a generator": lambda: iter(lines),
    }
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(times):
        for way, texts_of in ways.items():
            taken[way].append(once(lambda texts_of=texts_of: train(texts_of(), chosen)))
    for way in ("a list", "a generator"):
        ratio = min(taken[way]) / min(taken["one text"])
        yield f"{what}, {way} of {len(lines):,} lines / one text", ratio, "times", 1.3


def counting() -> Iterator[Row]:
    """One thread and two in turn, by the clock on the wall: only on a quiet machine does it tell anything."""
    text = corpora.large()
    taken: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(7):
        for threads, times in taken.items():
            start = perf_counter()
            count_pretokens(text, Settings(), workers=threads)
            times.append(perf_counter() - start)
    yield "count, 1 thread, best on the wall", min(taken[1]), "s", None
    yield "count, 1 thread / 2 threads", min(taken[1]) / min(taken[2]), "x", 1.4


def steps() -> Iterator[Row]:
    """Random steps of the large run: the index of pair counts, then windows and pairs."""
    run = train(corpora.large(), Settings(vocab_size=SIZES[LARGE]))
    yield "steps of the large run", run.steps, "", None
    yield "index of all pair counts, once a run", once(lambda: run.ties), "s", None
    some = random.Random(1).sample(range(1, run.steps), 60)
    rows = list(range(1000, 1200))
    for name, look, goal in (
        ("200 words at a random step", lambda k: run.words(k, rows), 5.0),
        ("15 most frequent pairs at a random step", lambda k: run.pair_counts(k, 15), 10.0),
        ("tied pairs of a random step", run.tied, 10.0),
    ):
        look(1)
        taken = [1000 * once(lambda k=k, look=look: look(k)) for k in some]
        yield f"{name}, median", median(taken), "ms", goal
        yield f"{name}, worst of {len(some)}", max(taken), "ms", None
    trainer = run.flat.symbols.nbytes * 4  # its own arrays: symbols, steps, and weights of eight bytes
    columns = [*vars(run.history).values(), *vars(run.lifetimes).values(), run.flat.symbols, run.corpus.weights]
    record = sum(column.nbytes for column in columns if isinstance(column, np.ndarray))
    yield "memory of the record's arrays / the trainer's own", record / trainer, "times", 2.0
