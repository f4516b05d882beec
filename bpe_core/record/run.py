"""The run of a training: its stages, most often one, and the corpus, the pairs and the merges at any step of all."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from bpe_core import arguments, shortcuts
from bpe_core.corpus.sources import SourceCounts
from bpe_core.record.held_bytes import held_bytes
from bpe_core.record.ledger import Source
from bpe_core.record.record import Merge, Record, Steps
from bpe_core.settings import GIVEN, Settings, WordMarker
from bpe_core.text import in_words
from bpe_core.text.arrays import Counts
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.training.lifetimes import StopReason


@dataclass(frozen=True, eq=False, repr=False)
class Stage(Record):
    """The record of one stage of a training of byte-pair encoding, with the tokenizer of any step."""

    def tokenizer(self, step: int | None = None) -> Tokenizer:
        """Return the tokenizer with the merges up to `step`, or with all merges if it is None."""
        step = self.at(self.steps if step is None else step)[1]
        pairs = zip(self.lifetimes.left[:step].tolist(), self.lifetimes.right[:step].tolist(), strict=True)
        merges = tuple((left, right, self.base + k) for k, (left, right) in enumerate(pairs))
        tokens, special_tokens = self.tokens[: self.base + step], self.special_ids(step)
        if self.start is not None:
            merges = (*self.start.merges, *merges)
            return replace(self.start, tokens=tokens, merges=merges, special_tokens=special_tokens)
        return Tokenizer(
            tokens=tokens,
            merges=merges,
            pretokenizer=self.settings.splitter,
            normalizers=self.settings.normalizers,
            alphabet=self.settings.alphabet,
            word_marker=self.settings.word_marker,
            special_tokens=special_tokens,
        )


@dataclass(frozen=True, eq=False, repr=False)
class Run(Steps):
    """The record of one training of byte-pair encoding; made by `train`. The methods are named as in `Record`.

    `settings`: the settings with which `train` was called. `stages`: the records of the training's stages in order,
    most often one. A training that goes on across words has two:

        first stage      step 0 … 4,743                 within words
        second stage           step 4,744 … 9,744       across words; its own step 0 is step 4,744 of the run

    The steps of a run count through its stages. The last step of a stage is also step 0 of the next stage, with the
    same tokens. The next stage splits the text in another way, so it has other words and pairs. A step belongs to the
    stage whose merge follows the step, so the shared step belongs to the next stage.

    What the project itself needs of a training, such as its arrays, is in its stages.

    >>> from bpe_core import Settings, train
    >>> run = train("low low low lower newest", Settings("whitespace", alphabet="characters", vocab_size=10))
    >>> [(m.left, m.right, m.count, m.tied) for m in run.merges]
    [(b'l', b'o', 4, 2), (b'lo', b'w', 4, 1)]
    >>> run.words(1)
    [((b'lo', b'w'), 3), ((b'lo', b'w', b'e', b'r'), 1), ((b'n', b'e', b'w', b'e', b's', b't'), 1)]
    >>> run.pair_counts(1, top=1)
    [PairCount(left=b'lo', right=b'w', count=4)]
    >>> run.tied(1)[1]
    PairCount(left=b'o', right=b'w', count=4)
    >>> run.vocabulary(2)[9], run.changed(1).tolist(), run.token_uses(2).tolist()[9], run.stop_reason
    (b'low', [0, 1], 4, 'target reached')
    >>> run = train("to be, to be, to be", Settings(vocab_size=261, then_across_words_from=258))
    >>> run.steps, [[merge.token for merge in stage.merges] for stage in run.stages]
    (5, [[b'to', b' b'], [b'to b', b'to be', b'to be,']])
    >>> run.pair_counts(1, top=1), run.pair_counts(2, top=1)
    ([PairCount(left=b' ', right=b'b', count=3)], [PairCount(left=b'to', right=b' b', count=3)])
    """

    settings: Settings
    stages: tuple[Stage, ...]

    save, load = shortcuts.save_run, staticmethod(shortcuts.load_run)
    page, svg, tex, html = shortcuts.run_page, shortcuts.run_svg, shortcuts.run_tex, shortcuts.run_html

    def __eq__(self, other: object) -> bool:
        """Return whether two runs have the same settings, corpus, start and merges.

        >>> from bpe_core import train
        >>> train("low low") == train("low low"), train("low low") == train("low lower")
        (True, False)
        """
        if not isinstance(other, Run):
            return NotImplemented
        return self is other or (
            (self.settings, self.texts, self.pretokens) == (other.settings, other.texts, other.pretokens)
            and np.array_equal(self.pretoken_counts, other.pretoken_counts)
            and (self.start, self.merges) == (other.start, other.merges)
            and _same_sources(self.stages[-1].by_source, other.stages[-1].by_source)
        )

    def __hash__(self) -> int:
        """Return a number that equal runs share. The corpus and the merges are too long to be part of it."""
        return hash((self.settings, self.steps))

    @cached_property
    def begins(self) -> tuple[int, ...]:
        """For each stage, the step at which it begins: how many merges the stages before it made."""
        return tuple(accumulate((stage.steps for stage in self.stages[:-1]), initial=0))

    @property
    def steps(self) -> int:
        """How many merges all stages made."""
        return self.begins[-1] + self.stages[-1].steps

    def at(self, step: int) -> tuple[Stage, int]:
        """Return the stage of a step, and the step's number in that stage; `ValueError` if there is no such step.

        >>> from bpe_core import Settings, train
        >>> run = train("to be, to be", Settings(vocab_size=260, then_across_words_from=258))
        >>> [(run.stages.index(stage), own) for stage, own in map(run.at, range(5))]
        [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)]
        """
        number = bisect_right(self.begins, self._checked(step)) - 1
        return self.stages[number], step - self.begins[number]

    @property
    def merges_before(self) -> int:
        """How many merges the tokenizer `start` has. They come first in a vocabulary, and are no steps of the run.

        >>> from bpe_core import Settings, train
        >>> train("a parrot", Settings(start="gpt2", vocab_size=50258)).merges_before
        50000
        """
        return len(self.start.merges) if self.start is not None else 0

    def until(self, number: int) -> Run:
        """Return the run as if the training had ended with stage `number`, an index in `stages`.

        Raises `ValueError` if there is no such stage.
        """
        last = len(self.stages) - 1
        if not 0 <= arguments.whole(number, "a stage") <= last:
            raise ValueError(f"the run has {in_words.counted(last + 1, 'stage')}, from 0 on, and no stage {number}")
        if number == last:
            return self
        return replace(self, settings=within_words(self.settings, self.stages[0].steps), stages=self.stages[:1])

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """One `Merge` for each step; `merges[k - 1]` is step `k`."""
        return sum((stage.merges for stage in self.stages), ())

    @property
    def stop_reason(self) -> StopReason:
        """Why training ended, one of `STOP_REASONS`: "target reached", "no pairs left" and so on."""
        return self.stages[-1].stop_reason

    @property
    def vocab_size(self) -> int:
        """One more than the largest id after all steps, as in `Settings` and `Tokenizer`."""
        return self.stages[-1].vocab_size

    def tokenizer(self, step: int | None = None) -> Tokenizer:
        """Return the tokenizer with the merges up to `step` (None: all). It splits text as the step's stage does."""
        stage, own = self.at(self.steps if step is None else step)
        return stage.tokenizer(own)

    @cached_property
    def corpus_tokens(self) -> Counts:
        """How many tokens the corpus has after each step, from 0 on."""
        *before, last = (stage.corpus_tokens for stage in self.stages)
        return np.concatenate([*(each[:-1] for each in before), last]) if before else last

    @cached_property
    def ties(self) -> Counts:
        """For each merge, how many pairs had the count of the merged pair at that step (1: no tie)."""
        first, *later = (stage.ties for stage in self.stages)
        return np.concatenate([first, *later]) if later else first

    def sources(self, step: int) -> list[Source]:
        """Return the sources after `step` merges, as `Steps.sources` does; `made` counts the merges of all stages."""
        stage, _ = self.at(step)
        earlier = self.stages[: self.stages.index(stage)]
        before = sum((each.ledger.made[-1] for each in earlier), np.zeros(len(stage.ledger.names), np.int64))
        found = super().sources(step)
        return [source._replace(made=source.made + more) for source, more in zip(found, before.tolist(), strict=True)]

    def _born(self) -> list[int]:
        """Return for each merge how many tokens it made."""
        return [born for stage in self.stages for born in stage._born()]

    @property
    def tokens(self) -> tuple[bytes, ...]:
        """The bytes of every token, by id, without the special tokens."""
        return self.stages[-1].tokens

    @property
    def ids(self) -> dict[bytes, int]:
        """Token → id, for every token. The ids of a text are `run.tokenizer().ids(text)`."""
        return self.stages[-1].ids

    @property
    def base(self) -> int:
        """How many ids the alphabet has, or the tokenizer `start`: the id of the first merge's token."""
        return self.stages[0].base

    @property
    def start(self) -> Tokenizer | None:
        """The tokenizer whose tokens the training started from; None for the alphabet."""
        return self.stages[0].start

    @property
    def texts(self) -> tuple[str, ...] | None:
        """The texts of the corpus, if known."""
        return self.stages[0].texts

    @property
    def word_marker(self) -> WordMarker:
        """Where words have a marker; "none" after a tokenizer `start`, whatever the settings say."""
        return self.stages[-1].settings.word_marker

    @property
    def pretokens(self) -> tuple[str, ...]:
        """The words in the order in which they are first seen, as the split of the last stage makes them."""
        return self.stages[-1].pretokens

    @property
    def pretoken_counts(self) -> Counts:
        """How often each of `pretokens` occurs."""
        return self.stages[-1].pretoken_counts

    @cached_property
    def nbytes(self) -> int:
        """How many bytes of memory the run takes, including its text and all that it computes at first use.

        A tokenizer that ships with the project, from which the training started, does not count, since many runs may
        share it. A tokenizer that the caller of `train` gave does count.
        """
        computed: list[object] = [
            (stage.pretokens, stage.merges, stage.ids, stage.corpus_tokens) for stage in self.stages
        ]
        computed += [stage.ledger.tables for stage in self.stages if stage.by_source is not None]
        shared = () if self.settings.start == GIVEN else tuple(stage.start for stage in self.stages)
        return held_bytes(self, self.merges, self.corpus_tokens, *computed, apart=shared)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Return an attribute of the only stage, so that a run of one stage can be used as its record."""
            if name.startswith("_") or name in ("settings", "stages"):
                raise AttributeError(f"a run has no {name!r}")
            if len(self.stages) == 1 and (found := getattr(self.stages[0], name, self)) is not self:
                return found
            if hasattr(Tokenizer, name):
                raise AttributeError(f"a run has no {name!r}, and its tokenizer does: run.tokenizer().{name}")
            if len(self.stages) > 1:
                raise AttributeError(f"a run has no {name!r}; each of its {len(self.stages)} stages may have it")
            raise AttributeError(f"a run has no {name!r}", name=name, obj=self)


def within_words(settings: Settings, steps: int) -> Settings:
    """Return the settings of a training in two stages, as if it ended after the `steps` merges of its first stage."""
    forced = {step: pair for step, pair in settings.forced.items() if step <= steps}
    size = settings.then_across_words_from
    return replace(settings, vocab_size=size, then_across_words_from=0, then_split_by="line", forced=forced)


def _same_sources(one: SourceCounts | None, other: SourceCounts | None) -> bool:
    """Return whether two runs of the same words have the same sources with the same counts."""
    if one is None or other is None:
        return one is other
    return one.names == other.names and np.array_equal(one.counts, other.counts)
