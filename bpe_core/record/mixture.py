"""The mixture of a training, found backwards: from its merges and from samples of its sources, and no more.

A merge says that its pair was the most frequent pair at its step. In a mixture with the shares a (English) and b
(Hindi) a pair occurs a times as often as in English plus b times as often as in Hindi. So each merge is an inequality
in a and b for each pair that it beat:

                        English   Hindi      in 100,000 bytes of a sample
    t + h                 2,100       0
    E0 + A4                   0  24,000      the pair that step 1 merged:  24,000 b ≥ 2,100 a

Thousands of such inequalities leave little room. A sample is not the text itself, so that no shares may fulfil all. A
linear program finds the shares that break them least. What an inequality lacks is made up for by its step and by its
pair, and the program makes the sum of these smallest. The method is that of J. Hayase et al., "Data Mixture Inference"
(2024), arXiv:2407.16607.

The samples must be of the text that was trained on, such as a random part of it. Samples of other texts, even of the
same kind, give shares that are far off. So this takes the run of a training, and no published vocabulary: nobody has
samples of the text of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from bpe_core.corpus.source_counts import checked, count_sources
from bpe_core.corpus.text_files import Text
from bpe_core.extras import needed
from bpe_core.record.run import Run
from bpe_core.text.arrays import Floats, Integers, repeated
from bpe_core.text.byte_strings import ByteStrings

STEPS = 300  # the most steps whose inequalities are taken
ROUNDS = 30  # the most linear programs; most often four to ten are enough
NEW = 5  # pairs of a step that a round adds
SLIGHT = 1e-9  # occurrences in a byte; less is the rounding of the program
SCALE = 1e4  # the program's tolerance is meant for numbers near 1, and pairs occur in one byte of some thousands


class MixtureError(ValueError):
    """A mixture cannot be found; the message says why."""


class Mixture(NamedTuple):
    """The shares of the sources of which a training's text was mixed.

    `shares`: for each source its part of the bytes, from 0 to 1; together 1. `steps`: how many steps were looked at.
    `kept`: at how many of them the pair that was merged is the most frequent one in this mixture of the samples.
    Far fewer than all steps: the samples are unlike the text.
    """

    shares: dict[str, float]
    steps: int
    kept: int


class _Step(NamedTuple):
    """The pairs that may be the most frequent after some step, in some mixture.

    `pairs`: a number for each pair, the same at every step. `counts`: how often each occurs in a byte of each source.
    `merged`: the row of the pair that is merged next.
    """

    pairs: Integers
    counts: Floats
    merged: int

    def lacks(self, shares: Floats) -> Floats:
        """Return by how much each pair is more frequent than the merged pair, in a mixture."""
        rates: Floats = self.counts @ shares
        lacks: Floats = rates - rates[self.merged]
        return lacks


def mixture(run: Run, samples: Mapping[str, Text | Iterable[Text]], steps: int = STEPS) -> Mixture:
    """Return the mixture of sources on which a run was trained. Needs scipy.

    `samples`: a name and a text, or several texts, for each source that may be in the mixture. `steps`: how many of the
    run's steps are looked at, at most; they are evenly spread. Raises `MixtureError` for a vocabulary without its
    training, for a training of two stages or from the tokens of another one, and for a sample without words.

    >>> mixture("gpt2", {"English": "the cat", "French": "le chat"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    bpe_core.record.mixture.MixtureError: a mixture is found for a run of `train` only: nobody has samples of the ...
    """
    if not isinstance(run, Run):
        raise MixtureError(
            "a mixture is found for a run of `train` only: nobody has samples of the text of a published vocabulary, "
            "and samples of other texts give false shares"
        )
    if run.start is not None or len(run.stages) > 1 or not run.steps:
        raise MixtureError("a mixture is found for a training with merges, of one stage, that starts from no tokenizer")
    words, by_source = count_sources(checked(samples), run.settings)
    sizes = by_source.counts @ words.words.sizes
    if not sizes.all():
        name = by_source.names[int(np.argmin(sizes))]
        raise MixtureError(f"the sample of {name!r:.60} has no words: give some of its text, or leave it out")
    chosen = np.unique(np.linspace(0, run.steps - 1, min(max(steps, 1), run.steps)).astype(int))
    rates = by_source.counts / sizes[:, None]
    every = [_step(run, step, words.words, rates) for step in chosen.tolist()]
    shares = _shares(every)
    kept = sum(bool(step.lacks(shares).max() <= SLIGHT) for step in every)
    return Mixture(dict(zip(by_source.names, shares.tolist(), strict=True)), len(every), kept)


def _step(run: Run, step: int, words: ByteStrings, rates: Floats) -> _Step:
    """Return the pairs after `step` merges. `rates`: how often each word (column) occurs in a byte of each source."""
    ids, lengths = run.tokenizer(step).pipeline.encoder.rows(words)
    row = repeated(np.arange(len(lengths)), lengths)
    inside = np.flatnonzero((row[1:] == row[:-1]) & (ids[1:] >= 0) & (ids[:-1] >= 0))  # -1: not in the alphabet
    width, lifetimes = run.base + run.steps, run.stages[0].lifetimes
    wanted = int(lifetimes.left[step]) * width + int(lifetimes.right[step])
    pairs, which = np.unique(
        np.append(ids[inside].astype(np.int64) * width + ids[inside + 1], wanted), return_inverse=True
    )
    counts = np.array([np.bincount(which[:-1], source[row[inside]], len(pairs)) for source in rates]).T
    merged = int(which[-1])
    may_win = (counts > counts[merged]).any(axis=1)  # in no mixture, a pair that is rarer in every source
    may_win[merged] = True
    return _Step(pairs[may_win], counts[may_win], int(np.count_nonzero(may_win[:merged])))


def _shares(every: list[_Step]) -> Floats:
    """Return the shares that break the inequalities least.

    There are too many inequalities for one program. So each round adds those that the shares of the round before break
    most, until none is broken by more than its step and its pair make up for.
    """
    pairs, numbers = np.unique(np.concatenate([step.pairs for step in every]), return_inverse=True)
    numbers_of = np.split(numbers, np.cumsum([len(step.pairs) for step in every])[:-1])
    sources = every[0].counts.shape[1]
    taken = [set[int]() for _ in every]
    shares = np.full(sources, 1 / sources)
    made_up = np.zeros(len(every) + len(pairs))  # by the steps, and by the pairs
    for _ in range(ROUNDS):
        before = sum(map(len, taken))
        for number, (step, own) in enumerate(zip(every, numbers_of, strict=True)):
            beyond = step.lacks(shares) - made_up[number] - made_up[len(every) + own]
            taken[number] |= {int(row) for row in np.argsort(-beyond)[:NEW] if beyond[row] > SLIGHT}
        rows = [(number, row) for number, some in enumerate(taken) for row in sorted(some)]
        if len(rows) == before:
            break
        lacks = np.array(
            [every[number].counts[row] - every[number].counts[every[number].merged] for number, row in rows]
        )
        columns = [(number, len(every) + int(numbers_of[number][row])) for number, row in rows]
        shares, made_up = _program(lacks, np.array(columns), len(made_up))
    return shares


def _program(lacks: Floats, columns: Integers, size: int) -> tuple[Floats, Floats]:
    """Return the shares for which the sum of what makes up is smallest, and what makes up.

    `lacks`: for each inequality, how much the merged pair lacks in each source. `columns`: for each inequality, the two
    of `size` variables that make up for it.
    """
    with needed("mixture", "finding a mixture"):
        from scipy.optimize import linprog
        from scipy.sparse import csr_array, hstack
    sources = lacks.shape[1]
    at = repeated(np.arange(len(lacks)), np.full(len(lacks), 2))
    made_up = csr_array((np.full(2 * len(lacks), -1.0), (at, columns.ravel())), shape=(len(lacks), size))
    found = linprog(
        np.append(np.zeros(sources), np.ones(size)),
        A_ub=hstack([csr_array(lacks * SCALE), made_up]),
        b_ub=np.zeros(len(lacks)),
        A_eq=csr_array(np.append(np.ones(sources), np.zeros(size))[None]),
        b_eq=[1.0],
        method="highs",
    )
    if found.x is None:
        raise MixtureError(f"the linear program has no answer: {found.message}")
    return found.x[:sources], found.x[sources:] / SCALE
