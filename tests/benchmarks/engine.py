"""Training, looking at steps and encoding, beside the peers, in one run; processor seconds, as machines are shared.

The goals are ratios: how many times as long the peer takes. Nothing here needs more than one thread, apart from the row
that says so.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from statistics import median
from time import perf_counter, process_time
from unittest.mock import patch

import numpy as np

from bpe_core import PRETOKENIZERS, Run, Settings, train
from bpe_core.corpus.counting import count_pretokens
from bpe_core.training.compiling import COMPILING, LOOP
from tests.benchmarks import corpora, peers

Row = tuple[str, float | None, str, float | None]  # what, figure (None: not installed), unit, goal

os.environ.setdefault("RAYON_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

BOOK, LARGE, MANY = "book", "40 MB of documentation", "40 MB in many languages"
SIZES = {BOOK: 10_000, LARGE: 32_000, MANY: 32_000}
SHORT_LINES = 32_000  # of four words
ENOUGH = 12.0  # seconds after which a task is not repeated
# How many times as long a peer should take.
_WHOLE, _BY_LINE = "Hugging Face, whole text", "Hugging Face, by line"
_LARGE = {"rustbpe": 1.2, "sentencepiece": 1.5, "YouTokenToMe": 1.0, _BY_LINE: 3.0}
SLOWER = {
    BOOK: dict.fromkeys((_WHOLE, _BY_LINE), 1.0),
    LARGE: _LARGE | {"gigatoken": 1.1},
    MANY: _LARGE | {"gigabpe": 1.0},
}
FAST = {BOOK: {_BY_LINE: 1.0}, LARGE: {"gigabpe": 0.9}, MANY: {"gigabpe": 0.9}}  # with the extra `fast`
# How many times as fast as a peer encoding should be, at first sight.
FASTER = {BOOK: {"tiktoken": 0.7, _BY_LINE: 0.7}, LARGE: {"tiktoken": 2.0}, MANY: {"tiktoken": 2.0}}


def texts() -> dict[str, str]:
    """The corpora that there are."""
    found = {BOOK: corpora.book(), LARGE: corpora.large(), MANY: corpora.many_languages()}
    return {name: text for name, text in found.items() if text}


def seconds(
    work: Callable[[object], object],
    prepare: Callable[[], object] = lambda: None,
    clock: Callable[[], float] = process_time,
) -> float:
    """The best of three times that some work takes, or of fewer where it takes long; its preparation apart."""
    taken: list[float] = []
    while len(taken) < 3 and sum(taken) < ENOUGH:
        prepared = prepare()
        start = clock()
        work(prepared)
        taken.append(clock() - start)
    return min(taken)


def training(corpus: dict[str, str]) -> Iterator[Row]:
    """Each corpus to its size, the record included, its index apart; then the peers, who give merges only.

    With the extra `fast` the compiled loop is loaded before.
    """
    has_fast = LOOP.for_training(COMPILING) is not None
    for name, text in corpus.items():
        size = SIZES[name]

        def work(_: object, text: str = text, size: int = size) -> object:
            return train(text, Settings(vocab_size=size))

        with patch.object(LOOP, "for_training", return_value=None):
            ours = seconds(work)
        fast = seconds(work) if has_fast else None
        yield f"train, {name}, {len(text.encode()) / 1e6:.2f} MB to {size:,}: ours", ours, "s", None
        yield f"train, {name}: ours with fast", fast, "s", None
        yield f"train, {name}: ours / ours with fast", fast and ours / fast, "x", None
        for peer, theirs in peers.TRAINERS.items():
            if peer == _WHOLE and name != BOOK:
                continue  # half a minute each
            try:
                taken = seconds(lambda _, theirs=theirs, text=text, size=size: theirs(text, size))
            except ImportError:
                yield f"train, {name}: {peer}", None, "s", None
                continue
            yield f"train, {name}: {peer}", taken, "s", None
            yield f"train, {name}: {peer} / ours", taken / ours, "x", SLOWER[name].get(peer)
            yield f"train, {name}: {peer} / ours with fast", fast and taken / fast, "x", FAST[name].get(peer)


def lists(corpus: dict[str, str]) -> Iterator[Row]:
    """Train on the lines of the book and of the documentation, in turn with training on it as one text."""
    for name in (BOOK, LARGE):
        chosen, lines = Settings(vocab_size=SIZES[name]), corpus[name].splitlines(keepends=True)
        yield from _beside_one_text(f"train, {name}", lines, chosen, 3)
    words = corpus[LARGE][: 4 * 10**6].split()
    short = [" ".join(words[start : start + 4]) + "\n" for start in range(0, 4 * SHORT_LINES, 4)]
    yield from _beside_one_text("train, lists of lines", short, Settings(), 5)


def _beside_one_text(what: str, lines: list[str], chosen: Settings, times: int) -> Iterator[Row]:
    """Train on lines and on the text that they join to, in turn, so many times; the best of each counts."""
    text = "".join(lines)
    ways: dict[str, Callable[[], str | Iterable[str]]] = {
        "one text": lambda: text,
        "a list": lambda: lines,
        "a generator": lambda: iter(lines),
    }
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(times):
        for way, texts_of in ways.items():
            taken[way].append(_once(lambda texts_of=texts_of: train(texts_of(), chosen)))
    for way in ("a list", "a generator"):
        ratio = min(taken[way]) / min(taken["one text"])
        yield f"{what}, {way} of {len(lines):,} lines / one text", ratio, "times", 1.3


def counting(text: str) -> Iterator[Row]:
    """One thread and two in turn, by the clock on the wall: only on a quiet machine does it tell anything."""
    taken: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(7):
        for threads, times in taken.items():
            start = perf_counter()
            count_pretokens(text, Settings(), workers=threads)
            times.append(perf_counter() - start)
    yield "count, 1 thread, best on the wall", min(taken[1]), "s", None
    yield "count, 1 thread / 2 threads", min(taken[1]) / min(taken[2]), "x", 1.3


def _once(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def steps(run: Run) -> Iterator[Row]:
    """Random steps of the large run: the index of pair counts, then windows and pairs."""
    yield "index of all pair counts, once a run", _once(lambda: run.ties), "s", None
    some = random.Random(1).sample(range(1, run.steps), 60)
    rows = list(range(1000, 1200))
    for name, look, goal in (
        ("200 words at a random step", lambda k: run.words(k, rows), 5.0),
        ("15 most frequent pairs at a random step", lambda k: run.pair_counts(k, 15), 10.0),
        ("tied pairs of a random step", run.tied, 10.0),
    ):
        look(1)
        taken = [1000 * _once(lambda k=k, look=look: look(k)) for k in some]
        yield f"{name}, median", median(taken), "ms", goal
        yield f"{name}, worst of {len(some)}", max(taken), "ms", None
    trainer = run.flat.symbols.nbytes * 4  # its own arrays: symbols, steps, and weights of eight bytes
    columns = [*vars(run.history).values(), *vars(run.lifetimes).values(), run.flat.symbols, run.corpus.weights]
    record = sum(column.nbytes for column in columns if isinstance(column, np.ndarray))
    yield "memory of the record's arrays / the trainer's own", record / trainer, "times", 2.0


def encoding(run: Run, corpus: dict[str, str]) -> Iterator[Row]:
    """Megabytes a second on first sight, and on sight of text that has been seen."""

    def fresh() -> object:
        tok = run.tokenizer()
        tok.ids("warm up " * 1000)  # makes its tables, as the peers do beforehand
        return tok

    for name, text in corpus.items():
        size, known = len(text.encode()) / 1e6, fresh()
        first = size / seconds(lambda tok, text=text: tok.ids(text, specials=False), fresh)
        known.ids(text, specials=False)
        seen = size / seconds(lambda _, text=text, known=known: known.ids(text, specials=False))
        yield f"encode, {name}, first sight: ours", first, "MB/s", None
        yield f"encode, {name}, seen before: ours", seen, "MB/s", None
        for peer, make in peers.ENCODERS.items():
            try:
                theirs = size / seconds(lambda encode, text=text: encode(text), lambda make=make: make(run))
            except ImportError:
                yield f"encode, {name}: {peer}", None, "MB/s", None
                continue
            goal = FASTER[name].get(peer)
            yield f"encode, {name}: {peer}", theirs, "MB/s", None
            yield f"encode, {name}, first sight: ours / {peer}", first / theirs, "x", goal
            yield (
                f"encode, {name}, seen before: ours / {peer}",
                seen / theirs,
                "x",
                None if peer == "gigatoken" else 1.5,
            )


def unsplit(run: Run, text: str) -> Iterator[Row]:
    """Texts that no pretokenizer splits, as with Llama 2's and Gemma's tokenizers."""
    tok = replace(run.tokenizer(), pretokenizer=PRETOKENIZERS["none"])
    one, two = (seconds(lambda _, size=size: tok.ids(text[:size], specials=False)) for size in (10**6, 2 * 10**6))
    yield "encode 1 MB that nothing splits", one, "s", 1.0
    yield "encode 2 MB / 1 MB that nothing splits", two / one, "times", 2.4
    yield "encode 100,000 equal characters", seconds(lambda _: tok.encode_word("a" * 100_000)), "s", 1.0


def measure() -> Iterator[Row]:
    """All of it."""
    corpus = texts()
    yield from training(corpus)
    yield from lists(corpus)
    yield from counting(corpus[LARGE])
    run = train(corpus[LARGE], Settings(vocab_size=SIZES[LARGE]))
    yield from steps(run)
    yield from encoding(run, corpus)
    yield from unsplit(run, corpus[LARGE])
