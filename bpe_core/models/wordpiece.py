"""WordPiece: joins the pair that is most frequent *relative to its halves*, and encodes by longest match.

A symbol that continues a word begins with the byte 0xFF, drawn as `##`. UTF-8 never contains this byte, so a `##` in
the text cannot be mistaken for it. As in byte-pair encoding, a training notes the step that removed each boundary.
So a `Record` can show every step.

Source of the method: Schuster and Nakajima, "Japanese and Korean voice search" (2012), in the form in which Hugging
Face's course teaches the method. Encoding is as in BERT's WordpieceTokenizer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bpe_core.corpus.counting import Progress, WordCounts, count_pretokens
from bpe_core.record.pair_order import first_sites
from bpe_core.record.record import PairCount, Record
from bpe_core.settings import Settings
from bpe_core.text.alphabet import MARKER, FlatCorpus, encode_text, flatten
from bpe_core.text.arrays import Counts, Indexes, Integers, without_overlaps
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.model_kinds import LONGEST_WORD as LONGEST_WORD
from bpe_core.tokenizer.word_encoder import longest_matches
from bpe_core.training.lifetimes import Lifetimes, StopReason
from bpe_core.training.trainer import REPORT_EVERY
from bpe_core.training.working_corpus import WorkingCorpus

NEAR = 1 - 1e-12  # times the best score: a far wider margin than the rounding of a quotient


def score_ranks(counts: Counts, lefts: Counts, rights: Counts) -> Counts:
    """Return the rank of each pair's score: equal for equal scores, the highest number for the best score.

    `lefts` and `rights`: how often the halves occur. Exact: scores are compared as fractions.

    >>> score_ranks(np.array([1, 2, 3]), np.array([1, 2, 1]), np.array([3, 3, 2])).tolist()
    [0, 0, 1]
    """
    different, which = np.unique(np.stack([counts, lefts, rights]), axis=1, return_inverse=True)
    scores = [Fraction(count, left * right) for count, left, right in different.T.tolist()]
    ranks = {score: rank for rank, score in enumerate(sorted(set(scores)))}
    return np.array([ranks[score] for score in scores], np.int64)[which.reshape(-1)]


class ScoreTrainer:
    """One training: `ScoreTrainer(flat, word_counts, settings).run()` returns its lifetimes and its choices.

        score = count(pair) / (count(left) · count(right))

    Merges only remove boundaries, so this trainer produces `Lifetimes` and joins pairs in a `WorkingCorpus`, as
    byte-pair encoding does. Only the choice differs. A score may rise when a merge uses up one of the pair's halves, so
    a queue of old scores would be wrong. All scores are computed anew at every step, in arrays, and the scores near the
    best are compared exactly.

    The choices are three columns with a row for each merge: how many pairs had the best score, and how often the left
    half and the right half of the merged pair occurred just before the merge.
    """

    def __init__(self, flat: FlatCorpus, word_counts: Counts, settings: Settings) -> None:
        """Lay out the corpus and count its symbols and its first pairs."""
        settings.check_base(len(flat.tokens))
        self.settings = settings
        self.corpus = WorkingCorpus(flat, word_counts)
        self.most_merges = settings.vocab_size - len(flat.tokens) - len(settings.special_tokens)
        real = np.flatnonzero(flat.symbols >= 0)
        # how often each token occurs; a merge removes a boundary, so there are never more merges than symbols
        self.uses = np.zeros(len(flat.tokens) + min(self.most_merges, len(real)), np.int64)
        np.add.at(self.uses, flat.symbols[real], self.corpus.weights[real])
        self.rows: dict[tuple[int, int], int] = {}
        self.pairs = np.zeros((4, 1024), np.int64)  # rows: left, right, count, first site (may be out of date)
        self._shift(real, 1)
        self.merges: list[tuple[int, int, int]] = []
        self.choices: list[tuple[int, int, int]] = []

    def run(self, progress: Progress | None = None) -> tuple[Lifetimes, Counts]:
        """Merge until the vocabulary is full or no pair is left; `progress` may raise, to cancel."""
        reason: StopReason = "target reached"
        while len(self.merges) < self.most_merges:
            if progress and len(self.merges) % REPORT_EVERY == 0:
                progress("wordpiece", len(self.merges), self.most_merges)
            if self.corpus.tokens_too_long:
                reason = "tokens too long"
                break
            tied = self._best()
            if not len(tied):
                left_over = self.pairs[2].any()
                reason = "below min_count" if left_over else "no pairs left"
                break
            self._merge(*self._first(tied), len(tied))
        left, right, counts = np.array(self.merges, np.int64).reshape(-1, 3).T
        none = np.zeros(0, np.int64)
        lifetimes = Lifetimes(
            left, right, counts, self.corpus.merged_at, reason, none, np.zeros(len(left) + 1, np.int64)
        )
        return lifetimes, np.array(self.choices, np.int64).reshape(-1, 3)

    def _best(self) -> Indexes:
        """Return the rows of the pairs that share the best score."""
        left, right, count, _ = self.pairs[:, : len(self.rows)]
        inverse = 1 / np.maximum(self.uses, 1)
        scores = np.where(count >= self.settings.min_count, count * inverse[left] * inverse[right], 0.0)
        best = scores.max(initial=0.0)
        near = np.flatnonzero(scores >= best * NEAR) if best else np.zeros(0, np.intp)
        if len(near) < 2:
            return near
        ranks = score_ranks(count[near], self.uses[left[near]], self.uses[right[near]])
        best_rows: Indexes = near[ranks == ranks.max()]
        return best_rows

    def _first(self, tied: Indexes) -> tuple[int, Integers]:
        """Return the tied row whose pair is seen first in the corpus, and the sites of that pair.

        A noted first site may be out of date: when occurrences vanish, the first site left is a later one. So the pair
        that seems to be first is looked up in the corpus, again and again, until its first site is as noted.
        """
        first = self.pairs[3]
        while True:
            row = int(tied[np.argmin(first[tied])])
            sites = self.corpus.find(*self.pairs[:2, row].tolist())
            if sites[0] == first[row]:
                return row, np.asarray(sites)
            first[row] = sites[0]

    def _merge(self, row: int, sites: Integers, tied: int) -> None:
        left, right, count, _ = self.pairs[:, row].tolist()
        corpus, new = self.corpus, len(self.corpus.size)
        if left == right:
            sites = without_overlaps(sites, corpus.size[left])
        edges = np.union1d(sites - corpus.size[left], sites + corpus.size[right])
        self._shift(np.concatenate([sites, edges]), -1)
        self.merges.append((left, right, count))
        self.choices.append((tied, int(self.uses[left]), int(self.uses[right])))
        corpus.merge(left, right, sites, len(self.merges))
        self._shift(edges, 1)
        joined = int(corpus.weights[sites].sum())
        self.uses[left] -= joined
        self.uses[right] -= joined
        self.uses[new] = joined

    def _shift(self, sites: Integers, sign: int) -> None:
        """Add the pairs across the boundaries `sites` to the counts (`sign` 1), or subtract them (`sign` -1)."""
        corpus, rows = self.corpus, self.rows
        left, right = corpus.cells[sites - 1], corpus.cells[sites]
        inside = (left >= 0) & (right >= 0)
        sites = sites[inside]
        weights = corpus.weights[sites] * sign
        columns = (left[inside].tolist(), right[inside].tolist(), weights.tolist(), sites.tolist())
        for a, b, weight, site in zip(*columns, strict=True):
            row = rows.get((a, b))
            if row is None:
                row = rows[a, b] = len(rows)
                if row == self.pairs.shape[1]:
                    self.pairs = np.concatenate([self.pairs, np.zeros_like(self.pairs)], axis=1)
                self.pairs[:, row] = a, b, weight, site
            else:
                self.pairs[2, row] += weight


def with_continuations(flat: FlatCorpus) -> FlatCorpus:
    """Return the corpus with different symbols at the start of words and inside. Symbols at the start have lower ids.

    >>> from bpe_core.text.byte_strings import byte_strings
    >>> with_continuations(flatten(byte_strings([b"aba"]), "characters", "none")).tokens
    (b'a', b'\\xffa', b'\\xffb')
    """
    starts_word = np.zeros(len(flat.symbols), bool)
    starts_word[flat.starts] = True
    real = flat.symbols >= 0
    keys = np.where(starts_word, flat.symbols, flat.symbols + len(flat.tokens))
    different, ids = np.unique(keys[real], return_inverse=True)
    symbols = flat.symbols.copy()
    symbols[real] = ids
    tokens = (*flat.tokens, *(MARKER + token for token in flat.tokens))
    return FlatCorpus(tuple(tokens[key] for key in different), symbols, flat.starts)


class PairScore(NamedTuple):
    """A pair, how often it occurs, and how often its halves occur."""

    left: bytes
    right: bytes
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody calls on a pair
    left_count: int
    right_count: int

    @property
    def score(self) -> Fraction:
        """The score: the count, divided by the counts of both halves."""
        return Fraction(self.count, self.left_count * self.right_count)


@dataclass(frozen=True, eq=False, repr=False)
class WordPiece:
    """A model that encodes a word as the longest tokens that fit, from left to right.

    The whole word is unknown if no token fits a rest of the word, or if the word has more than `longest_word`
    characters.

    >>> model = train_counts({"hug": 10, "hugs": 5}, Settings("whitespace", "characters", vocab_size=6)).tokenizer()
    >>> [model.tokens[i] for i in model.encode_word("hug")], model.encode_word("hugh")
    ([b'hug'], (-1,))
    """

    tokens: tuple[bytes, ...]
    pretokenizer: Pretokenizer
    longest_word: int = LONGEST_WORD

    @cached_property
    def ids(self) -> dict[bytes, int]:
        """The id of every token."""
        return {token: i for i, token in enumerate(self.tokens)}

    @cached_property
    def _longest(self) -> int:
        return max((len(token.removeprefix(MARKER)) for token in self.tokens), default=0)

    def matches(self, word: str) -> tuple[int, ...]:
        """Return the ids of the longest tokens that fit, from left to right, until no token fits.

        >>> model = train_counts({"jump": 2, "run": 1}, Settings("whitespace", "characters", vocab_size=12)).tokenizer()
        >>> [model.tokens[i] for i in model.matches("jumper")]
        [b'jump']
        """

        def look_up(start: int, end: int) -> int | None:
            return self.ids.get((MARKER if start else b"") + encode_text(word[start:end]))

        found: list[int] = []
        for _, _, token in longest_matches(len(word), self._longest, look_up):
            if token is None:
                break
            found.append(token)
        return tuple(found)

    def encode_word(self, word: str) -> tuple[int, ...]:
        """Return the ids of one pretoken; `(UNKNOWN,)` if some part of the pretoken fits no token."""
        if len(word) > self.longest_word:
            return (UNKNOWN,)
        ids = self.matches(word)
        covered = sum(len(self.tokens[i].removeprefix(MARKER)) for i in ids)
        return ids if covered == len(encode_text(word)) else (UNKNOWN,)


@dataclass(frozen=True, eq=False, repr=False)
class WordPieceRun(Record):
    """The record of one WordPiece training, with the scores of all steps; made by `train`.

    `choices` has a row for each merge: how many pairs had the score of the merged pair, and how often the pair's left
    half and right half occurred just before the merge.

    >>> run = train_counts({"hug": 10, "pug": 5}, Settings("whitespace", "characters", vocab_size=5))
    >>> run.merges
    (Merge(left=b'h', right=b'\\xffu', token=b'hu', count=10, tied=3),)
    >>> run.words(1)
    [((b'hu', b'\\xffg'), 10), ((b'p', b'\\xffu', b'\\xffg'), 5)]
    >>> [(pair.left, pair.right, str(pair.score)) for pair in run.scores(1)]
    [(b'p', b'\\xffu', '1/5'), (b'hu', b'\\xffg', '1/15'), (b'\\xffu', b'\\xffg', '1/15')]
    """

    choices: Counts = field(kw_only=True)

    @cached_property
    def tokens(self) -> tuple[bytes, ...]:
        """The bytes of every token, by id. A token that continues a word begins with 0xFF."""
        tokens = list(self.flat.tokens)
        for left, right in zip(self.lifetimes.left.tolist(), self.lifetimes.right.tolist(), strict=True):
            tokens.append(tokens[left] + tokens[right].removeprefix(MARKER))
        return tuple(tokens)

    @property
    def ties(self) -> Counts:
        """For each merge, how many pairs had the score of the merged pair at that step (1: no tie)."""
        return self.choices[:, 0]

    def chosen(self, step: int) -> PairScore:
        """Return the pair that step `step` (from 1) joined, with its counts just before."""
        if not 1 <= step <= self.steps:
            raise ValueError(f"step {step} joined no pair: this run has steps 1 to {self.steps}")
        merge = self.merges[step - 1]
        return PairScore(merge.left, merge.right, merge.count, *self.choices[step - 1, 1:].tolist())

    def scores(self, step: int, top: int | None = None) -> list[PairScore]:
        """Return the pairs after `step` merges, the best score first, ties in the order of the text."""
        rows, counts = self.history.most_frequent(self._checked(step))
        if not len(rows):
            return []
        left, right = self.history.left[rows], self.history.right[rows]
        uses = self.token_uses(step)
        if top is not None and top < len(rows):
            rough = counts / uses[left] / uses[right]
            near = rough >= np.partition(rough, -top)[-top] * NEAR
            rows, left, right, counts = rows[near], left[near], right[near], counts[near]
        ranks = score_ranks(counts, uses[left], uses[right])
        sites = first_sites(self.corpus, self.history, step, rows)
        order = np.lexsort((sites, -ranks))[:top]
        columns = (left, right, counts, uses[left], uses[right])
        named = zip(*(column[order].tolist() for column in columns), strict=True)
        return [PairScore(self.tokens[a], self.tokens[b], *rest) for a, b, *rest in named]

    def tied(self, step: int) -> list[PairCount]:
        """Return the pairs that merge `step` (from 1) chose from, in the order of the text."""
        self._checked(step)
        if not step:
            raise ValueError("step 0 is before any merge: it chose no pair")
        return [PairCount(*pair[:3]) for pair in self.scores(step - 1, int(self.ties[step - 1]))]

    def tokenizer(self, step: int | None = None) -> WordPiece:
        """Return the model with the vocabulary of `step`, or of the last step if it is None."""
        step = self.steps if step is None else self._checked(step)
        return WordPiece(self.tokens[: self.base + step], self.settings.splitter)


def train_counts(counts: Mapping[str, int], settings: Settings, progress: Progress | None = None) -> WordPieceRun:
    """Train WordPiece on counted pretokens. Errors and `progress`: as for `run_training.train_counts`.

    The settings of byte-pair encoding are ignored. The alphabet is characters, and the mark is `##`. Of pairs with
    equal scores, the pair seen first in the order of the mapping is joined.

    >>> train_counts({"hug": 10, "pug": 5}, Settings("whitespace", "characters", vocab_size=5)).merges[0]
    Merge(left=b'h', right=b'\\xffu', token=b'hu', count=10, tied=3)
    """
    own = replace(settings, alphabet="characters", word_marker="none", tie_rule="first-seen", forced={})
    words, numbers = WordCounts.of(counts)
    flat = with_continuations(flatten(words, "characters", "none"))
    lifetimes, choices = ScoreTrainer(flat, numbers, own).run(progress)
    return WordPieceRun(own, words, numbers, flat, lifetimes, choices=choices)


def train(texts: str | Iterable[str], settings: Settings, progress: Progress | None = None) -> WordPieceRun:
    """Train WordPiece on a text or on several.

    >>> train("low low lower", Settings("whitespace", "characters", vocab_size=7)).merges[0]
    Merge(left=b'\\xffe', right=b'\\xffr', token=b'\\xffer', count=1, tied=1)
    """
    return train_counts(count_pretokens(texts, settings, progress), settings, progress)
