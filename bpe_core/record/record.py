"""The record of one stage of a training: the corpus, the pairs and the merges at any step, in any order.

Step 0 is before any merge, step `k` after `k` merges. No step is stored and no merge is repeated. The words of a step
follow from the lifetimes (see `corpus_history`), and so do the pairs and their counts (see `pair_history`). This module
joins both, and turns ids into bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bpe_core import arguments, shortcuts
from bpe_core.corpus.sources import SourceCounts
from bpe_core.record.blocked_pairs import blocked_pairs, touching_words
from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.record.held_bytes import held_bytes
from bpe_core.record.ledger import RESIDUE, Ledger, Remains, Source, characters
from bpe_core.record.pair_history import PairHistory, pair_history
from bpe_core.record.pair_order import PairOrder
from bpe_core.settings import Settings
from bpe_core.text.alphabet import FlatCorpus, encode_text
from bpe_core.text.arrays import Counts, Indexes, Integers
from bpe_core.text.byte_strings import ByteStrings
from bpe_core.text.in_words import counted
from bpe_core.ties import TIE_RULES
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.training.lifetimes import Lifetimes, StopReason

NO_TOKEN = -2  # an id that no token of a corpus has: -1 is a separator


class Merge(NamedTuple):
    """One step: `left` and `right` occurred `count` times and were joined into `token`; `tied` pairs had that count."""

    left: bytes
    right: bytes
    token: bytes
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody calls on a merge
    tied: int

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return shortcuts.in_notebook(self)


class PairCount(NamedTuple):
    """A pair and how often it occurs, overlapping occurrences included."""

    left: bytes
    right: bytes
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody calls on a pair


class Contribution(NamedTuple):
    """A word that a pair occurs in.

    `tokens`: the tokens of the word at the step. `count`: how often the pair occurs in all occurrences of the word.
    `row`: the row number of the word.
    """

    tokens: tuple[bytes, ...]
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody calls on a contribution
    row: int


def _check_top(top: int | None) -> None:
    if top is not None and arguments.whole(top, "top") < 0:
        raise ValueError(f"top is how many pairs are wanted, or None for all, and is {top}")


def _check_pair(left: bytes, right: bytes) -> None:
    if not (isinstance(left, bytes) and isinstance(right, bytes)):
        raise TypeError(
            f"a pair is two tokens as bytes, such as b'l' and b'o', and this is {left!r:.30}, {right!r:.30}"
        )


class Steps(ABC):
    """What a run and the record of one of its stages have in common: the words, pairs and tokens after any step."""

    _repr_html_ = shortcuts.in_notebook

    def __repr__(self) -> str:
        """Return the size of the record, which is too long to print itself; say so if the texts had no words.

        >>> from bpe_core import train
        >>> train("low"), train(iter(()))
        (<Run of 2 merges on 1 word>, <Run of 0 merges: the texts have no words>)
        """
        words = len(self.at(0)[0].pretoken_counts)
        corpus = f" on {counted(words, 'word')}" if words else ": the texts have no words"
        return f"<{type(self).__name__} of {counted(self.steps, 'merge')}{corpus}>"

    @property
    @abstractmethod
    def steps(self) -> int:
        """How many merges were made."""

    @property
    @abstractmethod
    def merges(self) -> tuple[Merge, ...]:
        """One `Merge` for each step; `merges[k - 1]` is step `k`."""

    @property
    @abstractmethod
    def base(self) -> int:
        """How many ids the alphabet has, or the tokenizer `start`: the id of the first merge's token."""

    @property
    @abstractmethod
    def ids(self) -> dict[bytes, int]:
        """Token → id, for every token."""

    @abstractmethod
    def at(self, step: int) -> tuple[Record, int]:
        """Return the stage of a step, and the step's number in that stage; `ValueError` if there is no such step."""

    def _checked(self, step: int) -> int:
        """Return `step`; `ValueError` where the run has no such step."""
        if not 0 <= arguments.whole(step, "a step") <= self.steps:
            raise ValueError(f"step {step} is outside this run: it has steps 0 to {self.steps}")
        return step

    def words(self, step: int, rows: Iterable[int] | None = None) -> list[tuple[tuple[bytes, ...], int]]:
        """Return the words after `step` merges, each as (tokens, count): all words, or the words in `rows`."""
        stage, own = self.at(step)
        if rows is not None:
            rows = [arguments.whole(row, "a row") for row in arguments.several(rows, "rows")]
            if wrong := [row for row in rows if not 0 <= row < len(stage.pretoken_counts)]:
                raise ValueError(f"there is no row {wrong[0]}: the rows are 0 to {len(stage.pretoken_counts) - 1}")
        words = stage.corpus.word_ids(own, rows)
        counts = stage.pretoken_counts if rows is None else stage.pretoken_counts[rows]
        tokens = stage.tokens
        return [(tuple([tokens[i] for i in ids]), count) for ids, count in zip(words, counts.tolist(), strict=True)]

    def pair_counts(self, step: int, top: int | None = None) -> list[PairCount]:
        """Return the pairs after `step` merges, the most frequent first, ties in the order of the tie rule."""
        _check_top(top)
        stage, own = self.at(step)
        return stage._named(*stage.pair_ids(own, top))

    def tied(self, step: int) -> list[PairCount]:
        """Return the pairs that merge `step` (from 1) chose from, in the order of the tie rule."""
        if not self._checked(step):
            raise ValueError("step 0 is before any merge: it chose no pair")
        stage, before = self.at(step - 1)
        count = stage.lifetimes.counts[before]
        rows = stage.history.with_count(before, int(count))
        return stage._named(*stage._in_order(before, rows, np.full(len(rows), count), None))

    def contributions(self, step: int, left: bytes, right: bytes) -> list[Contribution]:
        """Return the words that a pair occurs in after `step` merges, the word with most occurrences first.

        >>> from bpe_core import Settings, train
        >>> train("low low lower", Settings("whitespace", vocab_size=257)).contributions(0, b"l", b"o")[0]
        Contribution(tokens=(b'l', b'o', b'w'), count=2, row=0)
        """
        _check_pair(left, right)
        stage, own = self.at(step)
        sites = stage.corpus.pair_sites(own, *stage.ids_of(left, right))
        rows, counts = stage.corpus.most_in(stage.corpus.rows_of(sites))
        words = stage.words(own, rows)
        return [Contribution(tokens, n, row) for (tokens, _), n, row in zip(words, counts, rows, strict=True)]

    def blocked_pairs(self, step: int, top: int | None = None) -> list[PairCount]:
        """Return the pairs that no merge can join: after `step` merges, the two tokens touch but are in two pretokens.

        The counts are as if the text were one pretoken: they include occurrences inside words. The most frequent pair
        is first, ties are sorted by their bytes. Words with dropped white space between them do not touch. The first
        call pretokenizes the whole text again.

        >>> from bpe_core import Settings, train
        >>> train("my dog. your dog.", Settings(vocab_size=259)).blocked_pairs(3, top=1)
        [PairCount(left=b' dog', right=b'.', count=2)]
        """
        _check_top(top)
        stage, own = self.at(step)
        pairs = stage._named(*blocked_pairs(stage._touching, stage.corpus, own, top))
        return sorted(pairs, key=lambda pair: (-pair.count, pair.left, pair.right))[:top]

    def vocabulary(self, step: int) -> dict[int, bytes]:
        """Return id → bytes after `step` merges: the alphabet or the tokens of `start`, merges, special tokens."""
        stage, own = self.at(step)
        found = {i: token for i, token in enumerate(stage.tokens[: stage.base + own]) if token}
        found |= {i: encode_text(name) for name, i in stage.special_ids(own).items()}
        return dict(sorted(found.items()))

    def special_ids(self, step: int) -> dict[str, int]:
        """Return special token → id after `step` merges.

        The special tokens of the tokenizer `start` keep their ids; new special tokens come last.

        >>> from bpe_core import Settings, train
        >>> train("low", Settings(vocab_size=258, special_tokens=("<end>",))).special_ids(1)
        {'<end>': 257}
        """
        stage, own = self.at(step)
        old = dict(stage.start.special_tokens) if stage.start is not None else {}
        new = [name for name in stage.settings.special_tokens if name not in old]
        return old | {name: stage.base + own + i for i, name in enumerate(new)}

    def changed(self, step: int) -> Indexes:
        """Return the row numbers of the words that step `step` changed; none where a stage begins with other words."""
        stage, own = self.at(step)
        return stage.corpus.changed(own)

    def token_uses(self, step: int) -> Counts:
        """Return how often each token occurs after `step` merges, by id; 0 for a token that is not used any more."""
        stage, own = self.at(step)
        return stage.corpus.token_uses(own)

    def sources(self, step: int) -> list[Source]:
        """Return the sources of the training, each with its words, bytes and tokens after `step` merges.

        A training on a text has one source, "text". The method of a training on several is in `train`.

        >>> from bpe_core import Settings, train
        >>> run = train({"en": "low low lower", "de": "los"}, Settings("whitespace", vocab_size=258))
        >>> [(source.name, source.tokens, source.bytes_per_token, source.made) for source in run.sources(2)]
        [('en', 5, 2.2, 2), ('de', 2, 1.5, 0)]
        """
        stage, own = self.at(step)
        ledger = stage.ledger
        columns = (ledger.words, ledger.bytes, ledger.characters, ledger.tokens[own], ledger.made[own])
        rows = zip(ledger.names, *(column.tolist() for column in columns), strict=True)
        return [Source(*row) for row in rows]

    def merge_sources(self, step: int) -> dict[str, int]:
        """Return how often the pair of merge `step` (from 1) occurred in each source.

        >>> from bpe_core import Settings, train
        >>> train({"en": "low low lower", "de": "los"}, Settings("whitespace", vocab_size=258)).merge_sources(1)
        {'en': 3, 'de': 1}
        """
        if not self._checked(step):
            raise ValueError("step 0 is before any merge: no source wanted a pair")
        stage, before = self.at(step - 1)
        return dict(zip(stage.ledger.names, stage.ledger.merged[before].tolist(), strict=True))

    def pair_sources(self, step: int, left: bytes, right: bytes) -> dict[str, int]:
        """Return how often a pair occurs in each source after `step` merges.

        >>> from bpe_core import Settings, train
        >>> train({"en": "low low lower", "de": "los"}, Settings("whitespace")).pair_sources(0, b"o", b"w")
        {'en': 3, 'de': 0}
        """
        _check_pair(left, right)
        stage, own = self.at(step)
        counts = stage.ledger.pair(own, *stage.ids_of(left, right))
        return dict(zip(stage.ledger.names, counts.tolist(), strict=True))

    def birth(self, token: bytes) -> dict[str, int]:
        """Return how often a token occurred in each source right after the merge that made it.

        A token that no merge made, such as a byte, is counted before the first merge. Raises `ValueError` for what is
        no token of the vocabulary.

        >>> from bpe_core import Settings, train
        >>> train({"en": "low low lower", "de": "los"}, Settings("whitespace", vocab_size=258)).birth(b"low")
        {'en': 3, 'de': 0}
        """
        if not isinstance(token, bytes) or token not in self.ids:
            hint = "; tokens are bytes, such as b'the'" if isinstance(token, str) else ""
            raise ValueError(f"{token!r:.60} is not a token of this training{hint}")
        number = self.ids[token]
        step = max(number - self.base + 1, 0)
        stage, before = self.at(max(step - 1, 0))
        counts = stage.ledger.births[before] if step else stage.ledger.uses(0, number)
        return dict(zip(stage.ledger.names, counts.tolist(), strict=True))

    def remains(self, step: int | None = None) -> list[Remains]:
        """Return what is left of each token that a merge made, after `step` merges; None means after all.

        >>> from bpe_core import Settings, train
        >>> run = train("est est est", Settings("whitespace", "characters", vocab_size=5))
        >>> [(each.token, each.born, each.left) for each in run.remains()]
        [(b'es', 3, 0), (b'est', 3, 3)]
        """
        step = self._checked(self.steps if step is None else step)
        left = self.token_uses(step)[self.base :].tolist()
        return [
            Remains(merge.token, number, born, now)
            for number, (merge, born, now) in enumerate(zip(self.merges, self._born(), left, strict=False), 1)
        ]

    def residues(self, below: float = RESIDUE, step: int | None = None) -> list[Remains]:
        """Return the tokens that have lost most of their occurrences at birth: less than the part `below` is left.

        The most frequent token comes first.

        >>> from bpe_core import Settings, train
        >>> [each.token for each in train("est est est", Settings("whitespace", "characters", vocab_size=5)).residues()]
        [b'es']
        """
        share = arguments.number(below, "below")
        found = [each for each in self.remains(step) if each.left < share * each.born]
        return sorted(found, key=lambda each: -each.born)

    @abstractmethod
    def _born(self) -> list[int]:
        """Return for each merge how many tokens it made."""


@dataclass(frozen=True, eq=False, repr=False)
class Record(Steps):
    """The record of a training that joins pairs, by any rule. Immutable, so it can be shared and cached.

        settings, pretokens, pretoken_counts          the settings and the corpus
        merges, steps, stop_reason                    the merges
        words, changed, token_uses, corpus_tokens     the corpus at a step
        pair_counts, tied                             the pairs at a step
        contributions, blocked_pairs                  the words of a pair, and the pairs that no merge can join
        vocabulary, tokens, ids                       the tokens

    `pretokens` are the words in the order in which they are first seen, and `pretoken_bytes` their UTF-8 in arrays. The
    row number of a word is its index in `pretokens`. `texts`: the texts of the corpus, if known. `flat` and
    `lifetimes`: see `CorpusHistory`. `start`: the tokenizer whose tokens the training started from; None for the
    alphabet. `by_source`: the counts of the words in each source; None for a training on a text.
    """

    settings: Settings
    pretoken_bytes: ByteStrings
    pretoken_counts: Counts
    flat: FlatCorpus
    lifetimes: Lifetimes
    texts: tuple[str, ...] | None = None
    start: Tokenizer | None = None
    by_source: SourceCounts | None = None

    @cached_property
    def pretokens(self) -> tuple[str, ...]:
        """The words in the order in which they are first seen."""
        return tuple(self.pretoken_bytes.texts())

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """One `Merge` for each step; `merges[k - 1]` is step `k`."""
        tokens, lifetimes = self.tokens, self.lifetimes
        rows = zip(
            lifetimes.left.tolist(),
            lifetimes.right.tolist(),
            lifetimes.counts.tolist(),
            self.ties.tolist(),
            strict=True,
        )
        return tuple(
            Merge(tokens[left], tokens[right], tokens[self.base + k], count, tied)
            for k, (left, right, count, tied) in enumerate(rows)
        )

    @property
    def steps(self) -> int:
        """How many merges were made."""
        return len(self.lifetimes.counts)

    @property
    def stop_reason(self) -> StopReason:
        """Why training ended, one of `STOP_REASONS`: "target reached", "no pairs left" and so on."""
        return self.lifetimes.stop_reason

    @property
    def vocab_size(self) -> int:
        """One more than the largest id after all steps, special tokens included."""
        return (
            self.base
            + self.steps
            + len(self.special_ids(0))
            - len(self.start.special_tokens if self.start is not None else ())
        )

    @property
    def corpus_tokens(self) -> Counts:
        """How many tokens the corpus has after each step, from 0 on."""
        return self.corpus.corpus_tokens

    @cached_property
    def tokens(self) -> tuple[bytes, ...]:
        """The bytes of every token, by id, without the special tokens."""
        tokens = list(self.flat.tokens)
        for left, right in zip(self.lifetimes.left.tolist(), self.lifetimes.right.tolist(), strict=True):
            tokens.append(tokens[left] + tokens[right])
        return tuple(tokens)

    @cached_property
    def ids(self) -> dict[bytes, int]:
        """Token → id, for every token."""
        return {token: i for i, token in enumerate(self.tokens)}

    # For other chapters and for pages, as arrays and ids:

    @property
    def base(self) -> int:
        """How many ids the alphabet has, or the tokenizer `start`: the id of the first merge's token."""
        return len(self.flat.tokens)

    def at(self, step: int) -> tuple[Record, int]:
        """Return the record and `step`; `ValueError` where the record has no such step."""
        return self, self._checked(step)

    @cached_property
    def corpus(self) -> CorpusHistory:
        """The words of any step, as arrays."""
        return CorpusHistory(self.flat, self.pretoken_counts, self.lifetimes)

    @cached_property
    def ledger(self) -> Ledger:
        """The counts by source."""
        words = self.pretoken_bytes
        given = self.by_source or SourceCounts(("text",), self.pretoken_counts[None])
        return Ledger(given.names, given.counts, words.sizes, characters(words), self.corpus, lambda: self.history)

    @cached_property
    def history(self) -> PairHistory:
        """The counts of all pairs at all steps."""
        return pair_history(self.corpus)

    @cached_property
    def ties(self) -> Counts:
        """For each merge, how many pairs had the count of the merged pair at that step (1: no tie)."""
        return self.history.ties(self.lifetimes.counts)

    def pair_ids(self, step: int, top: int | None = None) -> tuple[Integers, Integers, Counts]:
        """Return the pairs after `step` merges as (left ids, right ids, counts), in the order of `pair_counts`."""
        rows, counts = self.history.most_frequent(self._checked(step), top)
        return self._in_order(step, rows, counts, top)

    @cached_property
    def nbytes(self) -> int:
        """How many bytes of memory the record takes, including its text and all that it computes at first use.

        A tokenizer `start` that ships with the project does not count, since many runs may share it. What the record
        copies from `start` does count.
        """
        return held_bytes(self, self.pretokens, self.merges, self.ids, self.corpus_tokens, apart=(self.start,))

    # Below: only for this chapter.

    def ids_of(self, left: bytes, right: bytes) -> tuple[int, int]:
        """Return the ids of two tokens, `NO_TOKEN` for bytes that are no token."""
        return self.ids.get(left, NO_TOKEN), self.ids.get(right, NO_TOKEN)

    def _born(self) -> list[int]:
        """Return for each merge how many tokens it made."""
        return list(map(int, self.ledger.births.sum(axis=1)))

    @cached_property
    def _touching(self) -> Counts:
        """The words that touch in the text: see `touching_words`."""
        if self.texts is None:
            raise ValueError("blocked pairs need the text: train on it in memory with `train`, not on counts or files")
        return touching_words(self.texts, self.pretokens, self.settings)

    @cached_property
    def pair_order(self) -> PairOrder:
        """The order of pairs under the tie rule."""
        rule = TIE_RULES[self.settings.tie_rule]
        return PairOrder(self.corpus, self.history, rule, self.settings.alphabet, self.tokens)

    def _in_order(self, step: int, rows: Indexes, counts: Counts, top: int | None) -> tuple[Integers, Integers, Counts]:
        order = self.pair_order.of(step, rows, counts, top)
        return self.history.left[rows[order]], self.history.right[rows[order]], counts[order]

    def _named(self, left: Integers, right: Integers, counts: Counts) -> list[PairCount]:
        columns = zip(left.tolist(), right.tolist(), counts.tolist(), strict=True)
        return [PairCount(self.tokens[a], self.tokens[b], count) for a, b, count in columns]
