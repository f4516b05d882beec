"""The merges of a start that turned the words of a training into tokens of the start, in the start's order.

A start is the tokenizer whose tokens the training starts from.

    start        GPT-2's vocabulary, 50,000 merges
    words        The | ␣parrot                      a text
    merges       3: h + e   24: ␣ + p   …   10,344: ro + t      they made the tokens The, ␣par, rot

Each merge is a step of a record, in which the merge's pair is forced. The count of a step is how often the pair occurs
in the words of this training: the corpus of the start is not known. After the last step the words are as at step 0 of
the training.
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


def ranks_needed(run: Record) -> tuple[int, ...]:
    """Return the ranks (from 1, ascending) of the merges of `run.start` that made the words' tokens at step 0.

    >>> from bpe_core import Settings, train
    >>> ranks_needed(train("rot", Settings(vocab_size=50_257, start="gpt2")))
    (50, 10344)
    """
    if run.start is None:
        return ()
    made = {token_id: (rank, (left, right)) for rank, (left, right, token_id) in enumerate(run.start.merges, 1)}
    rest, found = np.unique(run.flat.symbols).tolist(), set()
    while rest:
        rank, halves = made.get(rest.pop(), (0, ()))
        if rank and rank not in found:
            found.add(rank)
            rest += halves
    return tuple(sorted(found))


def start_merges(run: Record, progress: Progress | None = None) -> StartMerges:
    """Return the record of the merges of `run.start` that made the words' tokens at step 0. `progress`: as for `train`.

    >>> from bpe_core import Settings, train
    >>> run = train("rot rot", Settings(vocab_size=50_257, start="gpt2"))
    >>> [(merge.token, merge.count) for merge in start_merges(run).merges]
    [(b'ro', 2), (b' ro', 1), (b' rot', 1), (b'rot', 1)]
    """
    if run.start is None:
        raise ValueError("this training started from no tokenizer")
    start, ranks = run.start, ranks_needed(run)
    tokens, merges = start.tokens, start.merges
    pairs = {step: (tokens[merges[rank - 1][0]], tokens[merges[rank - 1][1]]) for step, rank in enumerate(ranks, 1)}
    flat = flatten(run.pretoken_bytes, start.alphabet, "none")
    size = len(flat.tokens) + len(ranks)
    settings = replace(run.settings, vocab_size=size, forced=pairs, special_tokens=(), min_count=1)
    lifetimes = trainer_for(flat, run.pretoken_counts, settings).run(progress)
    return StartMerges(
        settings, run.pretoken_bytes, run.pretoken_counts, flat, lifetimes, run.texts, None, run.by_source, ranks
    )
