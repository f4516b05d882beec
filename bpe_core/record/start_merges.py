"""The merges of a start: those that made the tokens with which a training begins, as steps of a record.

    start        GPT-2's vocabulary, 50,000 merges
    words        The | ␣parrot                      a text
    merges       3: h + e   24: ␣ + p   …   10,344: ro + t      they made the tokens The, ␣par, rot

Each merge is a step, in which the merge's pair is forced. The count of a step is how often the pair occurs in the words
of this training: the corpus of the start is not known. After the last step the words are as at step 0 of the training.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bpe_core.corpus.counting import Progress
from bpe_core.record.record import Record
from bpe_core.text.alphabet import flatten
from bpe_core.training.loops import trainer_for


@dataclass(frozen=True, eq=False, repr=False)
class StartMerges(Record):
    """The record of the merges of a start (see the module). `ranks`: each step's rank among all merges of the start."""

    ranks: tuple[int, ...] = ()


def ranks_needed(record: Record) -> tuple[int, ...]:
    """Return the ranks (from 1, ascending) of the merges of `record.start` that made the words' tokens at step 0.

    >>> from bpe_core import Settings, train
    >>> ranks_needed(train("rot", Settings(vocab_size=50_257, start="gpt2")))
    (50, 10344)
    """
    if record.start is None:
        return ()
    symbols = record.flat.symbols
    rest, found = np.unique(symbols[symbols >= 0]).tolist(), set()  # below 0: separators of words
    while rest:
        if (made := record.start.origin(rest.pop())) and made[2] not in found:
            found.add(made[2])
            rest += made[:2]
    return tuple(sorted(found))


def start_merges(record: Record, progress: Progress | None = None) -> StartMerges:
    """Return the record of the merges of `record.start` that made the words' tokens at step 0.

    `progress`: as for `train`.

    >>> from bpe_core import Settings, train
    >>> run = train("rot rot", Settings(vocab_size=50_257, start="gpt2"))
    >>> [(merge.token, merge.count) for merge in start_merges(run).merges]
    [(b'ro', 2), (b' ro', 1), (b' rot', 1), (b'rot', 1)]
    """
    if record.start is None:
        raise ValueError("this training started from no tokenizer")
    start, ranks = record.start, ranks_needed(record)
    tokens, merges = start.tokens, start.merges
    pairs = {step: (tokens[merges[rank - 1][0]], tokens[merges[rank - 1][1]]) for step, rank in enumerate(ranks, 1)}
    flat = flatten(record.pretoken_bytes, start.alphabet, "none")
    size = len(flat.tokens) + len(ranks)
    settings = replace(record.settings, vocab_size=size, forced=pairs, special_tokens=(), min_count=1)
    lifetimes = trainer_for(flat, record.pretoken_counts, settings).run(progress)
    return StartMerges(
        settings,
        record.pretoken_bytes,
        record.pretoken_counts,
        flat,
        lifetimes,
        record.texts,
        None,
        record.by_source,
        ranks,
    )
