"""A training run, recorded once: any step of it can be looked at, at any time, in any order.

Step 0 is before any merge, step `k` after `k` merges. Nothing is replayed and no step is stored. The words of a step
follow from the lifetimes of their boundaries (see `corpus_history`), its pairs and their counts too (see
`pair_history`). Here the two are put together, and ids become bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bpe_core.record.blocked_pairs import blocked_pairs, touching_words
from bpe_core.record.contributions import Contribution, contributing_words
from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.record.memory import held_bytes
from bpe_core.record.pair_history import PairHistory, pair_history
from bpe_core.record.pair_order import PairOrder
from bpe_core.settings import Settings
from bpe_core.text.alphabet import FlatCorpus, encode_text
from bpe_core.ties import TIE_RULES
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.training.lifetimes import Film


class Merge(NamedTuple):
    """One step: `left` and `right` were joined into `token`, seen `count` times; `tied` pairs had that count."""

    left: bytes
    right: bytes
    token: bytes
    count: int
    tied: int

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from bpe_core.display import notebook

        return notebook.merge_html(self)


class PairCount(NamedTuple):
    """A pair and how often it occurs, overlapping occurrences included."""

    left: bytes
    right: bytes
    count: int


@dataclass(frozen=True, eq=False, repr=False)
class Record:
    """The record of a training that joins pairs, whatever chose them. Immutable, so it can be shared and cached.

    `pretokens` and `pretoken_counts`: the corpus, in the order in which its words are first seen. `texts`: what they
    come from, where that is known.
    """

    settings: Settings
    pretokens: tuple[str, ...]
    pretoken_counts: np.ndarray
    flat: FlatCorpus
    film: Film
    texts: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        """Its size; the record itself is too long to print."""
        return f"<Run of {self.steps} merges on {len(self.pretokens)} words>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from bpe_core.display import notebook

        return notebook.run_html(self)

    @property
    def steps(self) -> int:
        """How many merges were made."""
        return len(self.film.counts)

    @cached_property
    def nbytes(self) -> int:
        """How much memory the record takes, in bytes, with its text and with what it works out when it is asked for."""
        self.merges, self.ids, self.corpus_tokens  # noqa: B018 (worked out here)
        return held_bytes(self)

    @property
    def stop_reason(self) -> str:
        """Why training ended, one of `STOP_REASONS`: "target reached", "no pairs left" and so on."""
        return self.film.stop_reason

    @property
    def base(self) -> int:
        """How many symbols the alphabet has: the id of the first merge's token."""
        return len(self.flat.tokens)

    @cached_property
    def tokens(self) -> tuple[bytes, ...]:
        """The bytes of every token, by id, without the special tokens."""
        tokens = list(self.flat.tokens)
        for left, right in zip(self.film.left.tolist(), self.film.right.tolist(), strict=True):
            tokens.append(tokens[left] + tokens[right])
        return tuple(tokens)

    @cached_property
    def ids(self) -> dict[bytes, int]:
        """The id of every token."""
        return {token: i for i, token in enumerate(self.tokens)}

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """One `Merge` a step; `merges[k - 1]` is step `k`."""
        tokens, film = self.tokens, self.film
        rows = zip(film.left.tolist(), film.right.tolist(), film.counts.tolist(), self.ties.tolist(), strict=True)
        return tuple(
            Merge(tokens[left], tokens[right], tokens[self.base + k], count, tied)
            for k, (left, right, count, tied) in enumerate(rows)
        )

    def check_step(self, step: int) -> int:
        """`step`, or a `ValueError` that says which steps there are."""
        if not 0 <= step <= self.steps:
            raise ValueError(f"step {step} is outside this run: it has steps 0 to {self.steps}")
        return step

    @cached_property
    def corpus(self) -> CorpusHistory:
        """The words as arrays, at any step."""
        return CorpusHistory(self.flat, self.pretoken_counts, self.film)

    def words(self, step: int, rows: Iterable[int] | None = None) -> list[tuple[tuple[bytes, ...], int]]:
        """The words after `step` merges, each as (tokens, count): all of them, or those of the given row numbers."""
        rows = None if rows is None else list(rows)
        words = self.corpus.word_ids(self.check_step(step), rows)
        counts = self.pretoken_counts if rows is None else self.pretoken_counts[rows]
        tokens = self.tokens
        return [(tuple([tokens[i] for i in ids]), count) for ids, count in zip(words, counts.tolist(), strict=True)]

    def changed(self, step: int) -> np.ndarray:
        """Row numbers of the words that step `step` changed."""
        return self.corpus.changed(self.check_step(step))

    @property
    def corpus_tokens(self) -> np.ndarray:
        """How many tokens the corpus has after each step, from 0 on."""
        return self.corpus.corpus_tokens

    def token_uses(self, step: int) -> np.ndarray:
        """How often each token occurs in the corpus after `step` merges, by id; 0 for one that is no longer used."""
        return self.corpus.token_uses(self.check_step(step))

    @cached_property
    def history(self) -> PairHistory:
        """The counts of all pairs at all steps."""
        return pair_history(self.corpus)

    @cached_property
    def ties(self) -> np.ndarray:
        """For each merge, how many pairs had its count when it was chosen (1: no tie)."""
        return self.history.ties(self.film.counts)

    def pair_counts(self, step: int, top: int | None = None) -> list[PairCount]:
        """The pairs after `step` merges, the most frequent first, ties in the order of the tie rule."""
        rows, counts = self.history.most_frequent(self.check_step(step), top)
        return self._in_order(step, rows, counts, top)

    def tied(self, step: int) -> list[PairCount]:
        """The pairs that merge `step` (from 1) chose from, in the order of the tie rule."""
        self.check_step(step)
        if not step:
            raise ValueError("step 0 is before any merge: it chose no pair")
        rows, counts = self.history.most_frequent(step - 1, int(self.ties[step - 1]))
        same = counts == self.film.counts[step - 1]
        return self._in_order(step - 1, rows[same], counts[same], None)

    def contributions(self, step: int, left: bytes, right: bytes) -> list[Contribution]:
        """The words that a pair's count is made of after `step` merges, those that give most first.

        >>> from bpe_core import train
        >>> train("low low lower", Settings("whitespace", vocab_size=257)).contributions(0, b"l", b"o")[0]
        Contribution(tokens=(b'l', b'o', b'w'), count=2, row=0)
        """
        pair = self.ids.get(left, -2), self.ids.get(right, -2)  # no token has the id -2
        rows, counts = contributing_words(self.corpus, self.check_step(step), *pair)
        words = self.words(step, rows)
        return [Contribution(tokens, n, row) for (tokens, _), n, row in zip(words, counts, rows, strict=True)]

    @cached_property
    def touching(self) -> np.ndarray:
        """The words that touch in the text: rows of (word, word after it, how often)."""
        if self.texts is None:
            raise ValueError("blocked pairs need the text: train on it in memory with `train`, not on counts or files")
        return touching_words(self.texts, self.pretokens, self.settings)

    def blocked_pairs(self, step: int, top: int | None = None) -> list[PairCount]:
        """The pairs that touch in the text after `step` merges, but across two pretokens, where no merge can join them.

        With the count that they would have if the text were one pretoken: occurrences inside words count, too. The most
        frequent first, ties by their bytes. Words between which white space was dropped do not touch. The first call
        pretokenizes the whole text again.

        >>> from bpe_core import train
        >>> train("my dog. your dog.", Settings(vocab_size=259)).blocked_pairs(3, top=1)
        [PairCount(left=b' dog', right=b'.', count=2)]
        """
        pairs = self._named(*blocked_pairs(self.touching, self.corpus, self.check_step(step), top))
        return sorted(pairs, key=lambda pair: (-pair.count, pair.left, pair.right))[:top]

    def ranked(self, step: int, left: np.ndarray, right: np.ndarray, counts: np.ndarray, top: int | None) -> np.ndarray:
        """The order of pairs (ids) after `step` merges: by count, ties as the rule prefers them; the first `top`."""
        return self._pair_order.of(step, left, right, counts, top)

    @cached_property
    def _pair_order(self) -> PairOrder:
        rule = TIE_RULES[self.settings.tie_rule]
        return PairOrder(self.corpus, rule, self.settings.alphabet, self.tokens)

    def _in_order(self, step: int, rows: np.ndarray, counts: np.ndarray, top: int | None) -> list[PairCount]:
        left, right = self.history.left[rows], self.history.right[rows]
        order = self.ranked(step, left, right, counts, top)
        return self._named(left[order], right[order], counts[order])

    def _named(self, left: np.ndarray, right: np.ndarray, counts: np.ndarray) -> list[PairCount]:
        columns = zip(left.tolist(), right.tolist(), counts.tolist(), strict=True)
        return [PairCount(self.tokens[a], self.tokens[b], count) for a, b, count in columns]

    def vocabulary(self, step: int) -> dict[int, bytes]:
        """Id → bytes after `step` merges: the alphabet, the merges, then the special tokens."""
        learnt = self.tokens[: self.base + self.check_step(step)]
        specials = tuple(map(encode_text, self.settings.special_tokens))
        return dict(enumerate(learnt + specials))


@dataclass(frozen=True, eq=False, repr=False)
class Run(Record):
    """The record of one training of byte-pair encoding; made by `train`.

    >>> from bpe_core import train
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
    """

    def tokenizer(self, step: int | None = None) -> Tokenizer:
        """The tokenizer as of `step`; None: with all merges."""
        step = self.steps if step is None else self.check_step(step)
        merges = zip(self.film.left[:step].tolist(), self.film.right[:step].tolist(), strict=True)
        settings = self.settings
        return Tokenizer(
            tokens=self.tokens[: self.base + step],
            merges=tuple((left, right, self.base + k) for k, (left, right) in enumerate(merges)),
            pretokenizer=settings.splitter,
            normalizers=settings.normalizers,
            alphabet=settings.alphabet,
            word_marker=settings.word_marker,
            special_tokens={name: self.base + step + i for i, name in enumerate(settings.special_tokens)},
        )
