"""Text to ids and back, beside the peers, in one run; processor seconds of one thread."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from bpe_core import PRETOKENIZERS, Settings, load, train
from tests.benchmarks import corpora, peers
from tests.benchmarks.corpora import BOOK, LARGE, MANY, SIZES
from tests.benchmarks.figures import ENOUGH, Row, seconds

os.environ.setdefault("RAYON_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

IDS = 1_200_000
# How many times as fast as a peer encoding should be, at first sight.
FASTER = {BOOK: {}, LARGE: {"tiktoken": 1.0}, MANY: {"tiktoken": 1.0}}


def encoding(enough: float = ENOUGH, again: bool = True) -> Iterator[Row]:
    """Megabytes a second on first sight, and `again`: on sight of text that has been seen."""
    corpus = corpora.texts()
    run = train(corpus[LARGE], Settings(vocab_size=SIZES[LARGE]))

    def fresh() -> object:
        tok = run.tokenizer()
        tok.ids("warm up " * 1000)  # makes its tables, as the peers do beforehand
        return tok

    for name, text in corpus.items():
        size, known, seen = len(text.encode()) / 1e6, fresh(), 0.0
        first = size / seconds(lambda tok, text=text: tok.ids(text, specials=False), fresh, enough)
        yield f"encode, {name}, first sight: ours", first, "MB/s", None
        if again:
            known.ids(text, specials=False)
            seen = size / seconds(lambda _, text=text, known=known: known.ids(text, specials=False), enough=enough)
            yield f"encode, {name}, seen before: ours", seen, "MB/s", None
        for peer, make in peers.ENCODERS.items():
            try:
                theirs = size / seconds(lambda encode, text=text: encode(text), lambda make=make: make(run), enough)
            except ImportError:
                yield f"encode, {name}: {peer}", None, "MB/s", None
                continue
            yield f"encode, {name}: {peer}", theirs, "MB/s", None
            yield f"encode, {name}, first sight: ours / {peer}", first / theirs, "x", FASTER[name].get(peer)
            if again:
                goal = None if peer == "gigatoken" else 1.5
                yield f"encode, {name}, seen before: ours / {peer}", seen / theirs, "x", goal


def unsplit() -> Iterator[Row]:
    """Texts that no pretokenizer splits, as with Llama 2's and Gemma's tokenizers."""
    text = corpora.large()
    run = train(text, Settings(vocab_size=SIZES[LARGE]))
    tok = replace(run.tokenizer(), pretokenizer=PRETOKENIZERS["none"])
    one, two = (seconds(lambda _, size=size: tok.ids(text[:size], specials=False)) for size in (10**6, 2 * 10**6))
    yield "encode 1 MB that nothing splits", one, "s", 1.0
    yield "encode 2 MB / 1 MB that nothing splits", two / one, "times", 2.4
    yield "encode 100,000 equal characters", seconds(lambda _: tok.encode_word("a" * 100_000)), "s", 1.0


def small_calls() -> Iterator[Row]:
    """A long list of ids to its text, and the ids of many short lines, with GPT-4o's vocabulary."""
    text, ours = corpora.large(8), load("gpt-4o")
    theirs, lines = peers.tiktoken_of(ours), corpora.short_lines(text)
    ids = ours.ids(text, specials=False)[:IDS]
    if len(ids) < IDS or theirs.decode_bytes(ids) != ours.decode_bytes(ids):
        raise ValueError("the text is too short, or tiktoken decodes another one")
    tasks = {
        f"decode {IDS:,} ids": (lambda _: ours.decode(ids), lambda _: theirs.decode(ids), 3.0),
        f"ids of {len(lines):,} short lines": (
            lambda _: [ours.ids(line, specials=False) for line in lines],
            lambda _: [theirs.encode_ordinary(line) for line in lines],
            1.5,
        ),
    }
    for what, (work, of_peer, goal) in tasks.items():
        one, other = (seconds(task) for task in (work, of_peer))
        yield f"{what}: ours", one, "s", None
        yield f"{what}: ours / tiktoken", one / other, "times", goal
