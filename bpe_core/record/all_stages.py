"""All stages of a training as one, with steps that count through them.

    first stage      step 0 … 4,743                 within words
    second stage           step 4,744 … 9,744       across words; its own step 0 is step 4,744 here

The last step of a stage is also step 0 of the next stage, with the same tokens. The next stage splits the text in
another way, so other pairs occur. A step belongs to the stage whose merge follows the step, so the shared step belongs
to the next stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from bpe_core.record.check import Finding, check
from bpe_core.record.run import Merge, PairCount, Run
from bpe_core.settings import ForcedPairError
from bpe_core.text.arrays import Counts
from bpe_core.tokenizer.tokenizer import Tokenizer


class Stages:
    """All stages of a training, made from the run of its last stage. Its methods are named as in `Run`.

    >>> from bpe_core import Settings, train
    >>> stages = Stages(train("to be, to be, to be", Settings(vocab_size=261, then_across_words_from=258)))
    >>> stages.steps, stages.merges[2].token, stages.words(1)[0]
    (5, b'to b', ((b'to',), 1))
    >>> stages.pair_counts(1, top=1), stages.pair_counts(2, top=1)
    ([PairCount(left=b' ', right=b'b', count=3)], [PairCount(left=b'to', right=b' b', count=3)])
    """

    def __init__(self, run: Run) -> None:
        """Count the steps of all stages."""
        self.runs = run.stages
        self._begins = [0, *accumulate(each.steps for each in self.runs)]

    @property
    def steps(self) -> int:
        """How many merges all stages made."""
        return self._begins[-1]

    @property
    def merges(self) -> Sequence[Merge]:
        """The merges of all stages."""
        return tuple(merge for run in self.runs for merge in run.merges)

    def at(self, step: int) -> tuple[Run, int]:
        """Return the stage of a step, and the step's number in that stage; `ValueError` if there is no such step."""
        if not 0 <= step <= self.steps:
            raise ValueError(f"step {step} is outside this training: it has steps 0 to {self.steps}")
        number = max(i for i, begin in enumerate(self._begins[:-1]) if begin <= step)
        return self.runs[number], step - self._begins[number]

    def of_vocabulary(self, step: int) -> tuple[Run, int] | None:
        """Return the stage that made step `step` of the vocabulary, and the step's number in that stage.

        The first steps of a vocabulary are the merges of the tokenizer that training started from: 50,000 steps if that
        was GPT-2. For such a step the result is None.

        >>> from bpe_core import Settings, train
        >>> stages = Stages(train("a parrot", Settings(start="gpt2", vocab_size=50258)))
        >>> stages.of_vocabulary(50_000), stages.of_vocabulary(50_001)
        (None, (<Run of 1 merges on 2 words>, 1))
        """
        start = self.runs[0].start
        own = step - (len(start.merges) if start is not None else 0)
        if own < 1:
            return None
        run, before = self.at(own - 1)
        return run, before + 1

    def words(self, step: int) -> list[tuple[tuple[bytes, ...], int]]:
        """Return the words after `step` merges, as the split of the step's stage makes them."""
        run, own = self.at(step)
        return run.words(own)

    def pair_counts(self, step: int, top: int | None = None) -> list[PairCount]:
        """Return the pairs that the merge after `step` chooses from, the most frequent first."""
        run, own = self.at(step)
        return run.pair_counts(own, top)

    def tied(self, step: int) -> list[PairCount]:
        """Return the pairs that merge `step` (from 1) chose from."""
        run, own = self.at(max(step, 1) - 1)
        return run.tied(own + min(step, 1))

    def blocked_pairs(self, step: int, top: int | None = None) -> list[PairCount]:
        """Return the pairs of tokens that touch after `step` merges, but that no merge of the step's stage can join."""
        run, own = self.at(step)
        return run.blocked_pairs(own, top)

    def vocabulary(self, step: int) -> dict[int, bytes]:
        """Return id → bytes after `step` merges."""
        run, own = self.at(step)
        return run.vocabulary(own)

    def tokenizer(self, step: int | None = None) -> Tokenizer:
        """Return the tokenizer with the merges up to `step` (None: all). It splits text as the step's stage does."""
        run, own = self.at(self.steps if step is None else step)
        return run.tokenizer(own)

    def check(self, step: int) -> list[Finding]:
        """Recompute a step, within its stage: see `check.check`."""
        return check(*self.at(step))


def check_choices(run: Run) -> None:
    """Raise `ForcedPairError` for the first forced pair that was not tied for the highest count at its step.

    `run`: the run of the last stage. The error's step counts through all stages, as in `Settings.forced`.

    >>> from bpe_core import Settings, train
    >>> check_choices(train("low low lower", Settings(vocab_size=258, forced={1: (b"o", b"w")})))
    >>> check_choices(train("low low lower", Settings(vocab_size=258, forced={1: (b"e", b"r")})))
    Traceback (most recent call last):
        ...
    bpe_core.settings.ForcedPairError: the pair e + r, chosen for step 1, is not tied for the highest count there
    """
    begin = 0
    for stage in run.stages:
        for step in sorted(stage.settings.forced):
            if step > stage.steps:
                break
            _, counts = stage.history.most_frequent(step - 1, 1)
            if stage.lifetimes.counts[step - 1] < counts.max():
                why = "is not tied for the highest count there"
                raise ForcedPairError.of(stage.settings.forced[step], begin + step, why)
        begin += stage.steps


def freed_pairs(run: Run) -> Counts:
    """Return rows of two ids: the pairs that a stage can join at its first step and the stage before could not.

    These pairs were blocked in the stage before: their tokens touched, but were in two words.

    >>> from bpe_core import Settings, train
    >>> run = train("to be to be", Settings(vocab_size=259, then_across_words_from=257))
    >>> [(run.tokens[left], run.tokens[right]) for left, right in freed_pairs(run).tolist()]
    [(b'e', b' '), (b'to', b' ')]
    """
    if run.earlier is None:
        return np.empty((0, 2), np.int64)
    width = len(run.tokens)
    before, now = (_pair_keys(each, step, width) for each, step in ((run.earlier, run.earlier.steps), (run, 0)))
    freed = np.setdiff1d(now, before)
    return np.stack([freed // width, freed % width], axis=1)


def _pair_keys(run: Run, step: int, width: int) -> Counts:
    """Return left id * `width` + right id for each pair after `step` merges. All stages use the same ids."""
    history = run.history
    rows, _ = history.most_frequent(step)
    return history.left[rows].astype(np.int64) * width + history.right[rows]
