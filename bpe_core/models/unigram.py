"""Unigram: every token has a probability, and a word becomes the tokens whose probabilities have the highest product.

This module has the model, and the record of all rounds of its training. The training itself is in `unigram_trainer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import exp, inf, log
from typing import NamedTuple

import numpy as np

from bpe_core.corpus.counting import Progress, count_pretokens
from bpe_core.models.unigram_trainer import NOT_PRUNED, Round, UnigramTrainer
from bpe_core.settings import Settings
from bpe_core.text.alphabet import encode_text
from bpe_core.text.arrays import Counts, Indexes, Mask, Offsets
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.base_symbols import UNKNOWN

UNKNOWN_PENALTY = 10.0  # how much less likely an unknown character is than the least likely token, in nats


class Segmentation(NamedTuple):
    """One way to write a word: the ids of the tokens, and the share of this way in the word's probability."""

    ids: tuple[int, ...]
    probability: float


@dataclass(frozen=True, eq=False, repr=False)
class Unigram:
    """A model that writes words in the most probable way. `logs`: the log-probability of each token.

    A character that is not a token is unknown.

    >>> from bpe_core.text.pretokenizers import PRETOKENIZERS
    >>> logs = [log(0.3), log(0.2), log(0.1), log(0.4)]
    >>> model = Unigram((b"a", b"b", b"ab", b"ba"), tuple(logs), PRETOKENIZERS["whitespace"])
    >>> model.encode_word("aba")
    (0, 3)
    >>> [(s.ids, round(s.probability, 2)) for s in model.best("aba", 3)]
    [((0, 3), 0.71), ((2, 0), 0.18), ((0, 1, 0), 0.11)]
    """

    tokens: tuple[bytes, ...]
    logs: tuple[float, ...]
    pretokenizer: Pretokenizer

    @cached_property
    def _scores(self) -> dict[bytes, tuple[int, float]]:
        return {token: (i, score) for i, (token, score) in enumerate(zip(self.tokens, self.logs, strict=True))}

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.tokens), default=1)

    @cached_property
    def _unknown(self) -> float:
        return min(self.logs, default=0.0) - UNKNOWN_PENALTY

    def _fitting(self, word: str, start: int) -> Iterator[tuple[int, int, float]]:
        """Yield (end, id, log-probability) of each token that fits at `start`, the shortest token first."""
        for end in range(start + 1, min(start + self._longest, len(word)) + 1):
            found = self._scores.get(encode_text(word[start:end]))
            if found is not None:
                yield (end, *found)
            elif end == start + 1:
                yield end, UNKNOWN, self._unknown

    def _edges(self, word: str) -> list[list[tuple[int, int, float]]]:
        """Return the tokens that end at each position of the word: (start, id, log-probability), the longest first."""
        ending: list[list[tuple[int, int, float]]] = [[] for _ in range(len(word) + 1)]
        for start in range(len(word)):
            for end, token, score in self._fitting(word, start):
                ending[end].append((start, token, score))
        return ending

    def encode_word(self, word: str) -> tuple[int, ...]:
        """Return the ids of the best segmentation. Among equally good ones, longer last tokens are preferred."""
        value, last = [0.0] + [-inf] * len(word), [(0, UNKNOWN)] * (len(word) + 1)
        for start in range(len(word)):
            for end, token, score in self._fitting(word, start):
                if value[start] + score > value[end]:
                    value[end], last[end] = value[start] + score, (start, token)
        ids, end = [], len(word)
        while end:
            end, token = last[end]
            ids.append(token)
        return tuple(reversed(ids))

    def best(self, word: str, n: int) -> list[Segmentation]:
        """Return the `n` best segmentations, the best first, with each one's share of the word's probability."""
        ways: list[list[tuple[float, tuple[int, ...]]]] = [[(0.0, ())]]
        sums = [0.0]  # the log of the sum over all ways to a position
        for ending in self._edges(word)[1:]:
            found = [(score + more, (*ids, token)) for start, token, more in ending for score, ids in ways[start]]
            ways.append(sorted(found, key=lambda way: -way[0])[:n])  # stable: of equals the longer last token first
            sums.append(_log_sum([sums[start] + score for start, _, score in ending]))
        return [Segmentation(ids, exp(score - sums[-1])) for score, ids in ways[-1]]

    def segmentations(self, word: str) -> int:
        """Return how many segmentations the word has."""
        ways = [1]
        for ending in self._edges(word)[1:]:
            ways.append(sum(ways[start] for start, _, _ in ending))
        return ways[-1]


def _log_sum(values: list[float]) -> float:
    most = max(values)
    return most + log(sum(exp(value - most) for value in values))


@dataclass(frozen=True, eq=False, repr=False)
class UnigramRun:
    """The record of one Unigram training; made by `train`.

    `seed`: all tokens that training began with. The first `characters` tokens of the seed are the characters.
    `rounds[r]`: what round `r` did; round 0 is before any pruning. `pretokens` and `pretoken_counts`: the corpus, in
    the order in which its words are first seen.

    >>> run = train("hug hug hugs pug", Settings("whitespace", "characters", vocab_size=7))
    >>> run.vocabulary(0)
    (b'g', b'h', b'p', b's', b'u', b'hug', b'ug', b'hu')
    >>> run.vocabulary(1), [run.seed[i] for i in run.rounds[1].pruned]
    ((b'g', b'h', b'p', b's', b'u', b'hug', b'ug'), [b'hu'])
    >>> run.words(1)
    [((b'hug',), 2), ((b'hug', b's'), 1), ((b'p', b'ug'), 1)]
    """

    settings: Settings
    pretokens: tuple[str, ...]
    pretoken_counts: Counts
    seed: tuple[bytes, ...]
    characters: int
    rounds: tuple[Round, ...]

    @property
    def steps(self) -> int:
        """The number of the last round."""
        return len(self.rounds) - 1

    def check_round(self, number: int) -> int:
        """Return `number`, or raise a `ValueError` that says which rounds there are."""
        if not 0 <= number <= self.steps:
            raise ValueError(f"round {number} is outside this run: it has rounds 0 to {self.steps}")
        return number

    @cached_property
    def pruned_at(self) -> Counts:
        """For every token of the seed, the round that pruned it, or `NOT_PRUNED`."""
        at = np.full(len(self.seed), NOT_PRUNED, np.int64)
        for number, part in enumerate(self.rounds):
            at[part.pruned] = number
        return at

    def first_losses(self) -> list[float]:
        """Return for every token of the seed how much log-likelihood (nats) the corpus would lose without that token.

        Round 1 chooses the tokens to prune by this estimate.

        >>> run = train("hug hug hugs pug", Settings("whitespace", "characters", vocab_size=7))
        >>> [(token, round(loss, 1)) for token, loss in zip(run.seed, run.first_losses(), strict=True)][5:]
        [(b'hug', 3.6), (b'ug', 2.1), (b'hu', 0.0)]
        """
        trainer = UnigramTrainer(self.pretokens, self.pretoken_counts.tolist(), self.settings)
        losses: list[float] = trainer.losses(self.rounds[0]).tolist()
        return losses

    def alive(self, number: int) -> Indexes:
        """Return the indexes in `seed` of the tokens that are in the vocabulary after round `number`."""
        return np.flatnonzero(self.pruned_at > self.check_round(number))

    def vocabulary(self, number: int) -> tuple[bytes, ...]:
        """Return the tokens of a round, by their ids in `model`; the characters have the lowest ids."""
        return tuple(self.seed[i] for i in self.alive(number).tolist())

    def model(self, number: int | None = None) -> Unigram:
        """Return the model after a round, or after the last round if `number` is None."""
        number = self.steps if number is None else number
        alive = self.alive(number)
        logs = self.rounds[number].logs[alive].tolist()
        return Unigram(tuple(self.seed[i] for i in alive.tolist()), tuple(logs), self.settings.splitter)

    @property
    def tokens(self) -> tuple[bytes, ...]:
        """The final vocabulary."""
        return self.vocabulary(self.steps)

    @cached_property
    def _starts(self) -> Offsets:
        """Where each word starts among the characters of all words, and where the last word ends."""
        return np.cumsum([0, *map(len, self.pretokens)])

    def words(self, number: int, rows: Iterable[int] | None = None) -> list[tuple[tuple[bytes, ...], int]]:
        """Return the words in their best segmentation, as (tokens, count): all words, or the words in `rows`."""
        begins = self.rounds[self.check_round(number)].begins
        rows = range(len(self.pretokens)) if rows is None else rows
        return [(self._cut(begins, row), int(self.pretoken_counts[row])) for row in rows]

    def _cut(self, begins: Mask, row: int) -> tuple[bytes, ...]:
        word = self.pretokens[row]
        starts = np.flatnonzero(begins[self._starts[row] : self._starts[row + 1]]).tolist()
        return tuple(encode_text(word[a:b]) for a, b in pairwise([*starts, len(word)]))

    def changed(self, number: int) -> Indexes:
        """Return the row numbers of the words whose tokens the round changed."""
        if not self.check_round(number):
            return np.zeros(0, np.intp)
        moved = np.flatnonzero(self.rounds[number].begins != self.rounds[number - 1].begins)
        return np.unique(np.searchsorted(self._starts, moved, side="right") - 1)


def train_counts(counts: Mapping[str, int], settings: Settings, progress: Progress | None = None) -> UnigramRun:
    """Train Unigram on counted pretokens. Errors and `progress`: as for `run_training.train_counts`.

    Training depends on two settings: `vocab_size`, which includes the characters of the corpus, and `special_tokens`. A
    seed with fewer tokens than `vocab_size` is not pruned; the vocabulary is then smaller than asked.

    >>> train_counts({"low": 2, "lower": 1}, Settings("whitespace", "characters", vocab_size=6)).tokens
    (b'e', b'l', b'o', b'r', b'w', b'low')
    """
    own = replace(settings, alphabet="characters", word_marker="none", forced={})
    words, numbers = tuple(counts), list(counts.values())
    trainer = UnigramTrainer(words, numbers, own)
    rounds = tuple(trainer.rounds(progress))
    tokens = tuple(map(encode_text, trainer.tokens))
    return UnigramRun(own, words, np.array(numbers, np.int64), tokens, trainer.characters, rounds)


def train(texts: str | Iterable[str], settings: Settings, progress: Progress | None = None) -> UnigramRun:
    """Train Unigram on a text or on several.

    >>> train("low low lower", Settings("whitespace", "characters", vocab_size=6)).tokens
    (b'e', b'l', b'o', b'r', b'w', b'low')
    """
    return train_counts(count_pretokens(texts, settings, progress), settings, progress)
