"""A training run, recorded once: any step of it can be looked at, at any time, in any order.

Nothing is replayed and no step is stored. The corpus after `step` merges is what its boundaries say that have not
fallen by then; a token's identity is the latest merge inside it; pair counts are the log of `pair_history`.
Step 0 is before any merge, step `k` after `k` merges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bpe_core.corpus.counting import Progress, count_pretokens
from bpe_core.corpus.text_files import Text
from bpe_core.record.blocked_pairs import pairs_across_cuts, touching_words
from bpe_core.record.pair_history import PairHistory, pair_history
from bpe_core.record.pair_order import first_places
from bpe_core.settings import Settings
from bpe_core.text.alphabet import FlatCorpus, encode_text, flatten
from bpe_core.ties import TIE_RULES
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.training.trainer import Film, Trainer


class Merge(NamedTuple):
    """One step: `left` and `right` were joined into `token`, seen `count` times; `tied` pairs had that count."""

    left: bytes
    right: bytes
    token: bytes
    count: int
    tied: int


class Contribution(NamedTuple):
    """How often a pair occurs in one word of the corpus: `count` in all, `tokens` the word at that step."""

    tokens: tuple[bytes, ...]
    count: int
    row: int


class Birth(NamedTuple):
    """Where a token comes from: the step that made it (0: the alphabet), its parents' ids, its count, how many tied."""

    step: int
    left: int | None
    right: int | None
    count: int
    tied: int


class PairCount(NamedTuple):
    """A pair and how often it occurs, overlapping occurrences included."""

    left: bytes
    right: bytes
    count: int


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """The record of one training; made by `train`. Immutable, so it can be shared and cached.

    `pretokens` and `pretoken_counts`: the corpus, in the order in which its words are first seen. `texts`: what was cut
    into them, where that is known.

    >>> run = train("low low low lower newest", Settings("whitespace", alphabet="characters", vocab_size=10))
    >>> [(m.left, m.right, m.count, m.tied) for m in run.merges]
    [(b'l', b'o', 4, 2), (b'lo', b'w', 4, 1)]
    >>> run.words(1)
    [((b'lo', b'w'), 3), ((b'lo', b'w', b'e', b'r'), 1), ((b'n', b'e', b'w', b'e', b's', b't'), 1)]
    >>> run.pair_counts(1, top=1)
    [PairCount(left=b'lo', right=b'w', count=4)]
    >>> run.stop_reason
    'target reached'
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

    @property
    def steps(self) -> int:
        """How many merges were made."""
        return len(self.film.counts)

    @property
    def nbytes(self) -> int:
        """About how much memory the record takes, in bytes."""
        places = self.weights.nbytes + self.flat.symbols.nbytes + self.film.merged_at.nbytes
        history = sum(column.nbytes for column in vars(self.history).values())
        return places + history + 100 * (len(self.pretokens) + len(self.tokens))

    @property
    def stop_reason(self) -> str:
        """Why training ended: "target reached", "no pairs left" or "below min_count"."""
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

    # --- the corpus at a step ---

    @cached_property
    def weights(self) -> np.ndarray:
        """How often the word at each place of the flat corpus occurs."""
        lengths = np.diff(np.append(self.flat.starts, len(self.flat.symbols)))
        small = self.pretoken_counts.max(initial=0) < 2**31
        return np.append(0, np.repeat(self.pretoken_counts, lengths)).astype(np.int32 if small else np.int64)

    @cached_property
    def sizes(self) -> np.ndarray:
        """How many base symbols each token has."""
        sizes = [1] * self.base
        for left, right in zip(self.film.left.tolist(), self.film.right.tolist(), strict=True):
            sizes.append(sizes[left] + sizes[right])
        return np.array(sizes, np.int64)

    def ids_at(self, step: int, start: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """The tokens between two places of the flat corpus: (where each begins, its id); a separator has id -1."""
        merged_at = self.film.merged_at[start:end]
        stands = merged_at > step
        cuts = np.flatnonzero(stands)
        if not len(cuts):
            return cuts, cuts
        latest = np.maximum.reduceat(np.where(stands, 0, merged_at), cuts)
        return cuts + start, np.where(latest, self.base + latest - 1, self.flat.symbols[cuts + start])

    def words(self, step: int, rows: Iterable[int] | None = None) -> list[tuple[tuple[bytes, ...], int]]:
        """The words after `step` merges, each as (tokens, count): all of them, or those of the given row numbers."""
        self.check_step(step)
        tokens, starts, ends = self.tokens, self.flat.starts, self.flat.ends
        counts = self.pretoken_counts
        if rows is None:
            _, ids = self.ids_at(step, 0, len(self.flat.symbols))
            split = np.flatnonzero(ids < 0)
            ids = ids.tolist()
            spans = zip(split[:-1].tolist(), split[1:].tolist(), counts.tolist(), strict=True)
            return [(tuple([tokens[i] for i in ids[a + 1 : b]]), count) for a, b, count in spans]
        return [
            (tuple([tokens[i] for i in self.ids_at(step, starts[row], ends[row])[1]]), int(counts[row])) for row in rows
        ]

    def changed(self, step: int) -> np.ndarray:
        """Row numbers of the words that step `step` changed."""
        sites = np.flatnonzero(self.film.merged_at == self.check_step(step)) if step else np.zeros(0, np.int64)
        return np.unique(np.searchsorted(self.flat.starts, sites, side="right") - 1)

    @cached_property
    def corpus_tokens(self) -> np.ndarray:
        """How many tokens the corpus has after each step, from 0 on."""
        fallen = self.film.merged_at <= self.steps
        removed = np.bincount(self.film.merged_at[fallen], self.weights[fallen], self.steps + 1).astype(np.int64)
        return int(self.weights[self.flat.symbols >= 0].sum()) - np.cumsum(removed)

    def token_uses(self, step: int) -> np.ndarray:
        """How often each token stands in the corpus after `step` merges, by id; 0 for one that is no longer used."""
        at, ids = self.ids_at(self.check_step(step), 0, len(self.flat.symbols))
        real = ids >= 0
        counts = np.bincount(ids[real], self.weights[at[real]], minlength=self.base + step)
        return counts.astype(np.int64)

    def birth(self, token_id: int) -> Birth:
        """How a token came to be.

        >>> train("hug hug pug", Settings(vocab_size=258)).birth(257)
        Birth(step=2, left=104, right=256, count=2, tied=1)
        """
        if not 0 <= token_id < len(self.tokens):
            raise ValueError(f"id {token_id} is not in this vocabulary: it has ids 0 to {len(self.tokens) - 1}")
        k = token_id - self.base
        if k < 0:
            return Birth(0, None, None, int(self.token_uses(0)[token_id]), 1)
        film = self.film
        return Birth(k + 1, int(film.left[k]), int(film.right[k]), int(film.counts[k]), int(self.ties[k]))

    # --- pairs at a step ---

    @cached_property
    def history(self) -> PairHistory:
        """The counts of all pairs at all steps."""
        film = self.film
        return pair_history(
            self.flat.symbols, film.merged_at, self.weights, film.left, film.right, self.sizes, self.base
        )

    @cached_property
    def ties(self) -> np.ndarray:
        """For each merge, how many pairs had its count when it was chosen (1: no tie)."""
        return self.history.ties(self.film.counts)

    def pair_counts(self, step: int, top: int | None = None) -> list[PairCount]:
        """The pairs after `step` merges, the most frequent first, ties in the order of the tie rule."""
        rows, counts = self.history.most_frequent(self.check_step(step), top)
        return self._in_order(step, rows, counts, top)

    def tied(self, step: int, top: int | None = None) -> list[PairCount]:
        """The pairs that merge `step` (from 1) chose from, or the first `top`, in the order of the tie rule."""
        self.check_step(step)
        if not step:
            raise ValueError("step 0 is before any merge: it chose no pair")
        rows, counts = self.history.most_frequent(step - 1, int(self.ties[step - 1]))
        same = counts == self.film.counts[step - 1]
        return self._in_order(step - 1, rows[same], counts[same], top)

    def contributions(self, step: int, left: bytes, right: bytes) -> list[Contribution]:
        """The words that a pair's count is made of after `step` merges, those that give most first.

        >>> train("low low lower", Settings("whitespace", vocab_size=257)).contributions(0, b"l", b"o")
        ... # doctest: +NORMALIZE_WHITESPACE
        [Contribution(tokens=(b'l', b'o', b'w'), count=2, row=0),
         Contribution(tokens=(b'l', b'o', b'w', b'e', b'r'), count=1, row=1)]
        """
        at, ids = self.ids_at(self.check_step(step), 0, len(self.flat.symbols))
        pair = self.ids.get(left, -2), self.ids.get(right, -2)
        sites = at[1:][(ids[:-1] == pair[0]) & (ids[1:] == pair[1])]
        row_of_site = np.searchsorted(self.flat.starts, sites, side="right") - 1
        rows, times = np.unique(row_of_site, return_counts=True)
        counts = times * self.pretoken_counts[rows]
        order = np.lexsort((rows, -counts))
        words = self.words(step, rows[order].tolist())
        given = zip(words, counts[order].tolist(), rows[order].tolist(), strict=True)
        return [Contribution(tokens, count, row) for (tokens, _), count, row in given]

    @cached_property
    def touching(self) -> np.ndarray:
        """The words that touch in the text: a row (word, word behind it, how often) each."""
        return touching_words(self)

    def blocked_pairs(self, step: int, top: int | None = None) -> list[PairCount]:
        """The pairs that stand next to each other across a cut after `step` merges, where no merge can join them.

        With the count that they would have if no cut stood there: those inside words count too. The most frequent
        first, ties by their bytes. Where the cut drops the white space between two words, they do not touch and nothing
        is blocked. The first call cuts the whole text again.

        >>> train("my dog. your dog.", Settings(vocab_size=259)).blocked_pairs(3, top=1)
        [PairCount(left=b' dog', right=b'.', count=2)]
        """
        pairs = [PairCount(*pair) for pair in pairs_across_cuts(self, self.check_step(step), top)]
        return sorted(pairs, key=lambda pair: (-pair.count, pair.left, pair.right))[:top]

    def _in_order(self, step: int, rows: np.ndarray, counts: np.ndarray, top: int | None) -> list[PairCount]:
        left, right = self.history.left[rows], self.history.right[rows]
        order = self.ranked(step, left, right, counts, top)
        named = zip(left[order].tolist(), right[order].tolist(), counts[order].tolist(), strict=True)
        return [PairCount(self.tokens[a], self.tokens[b], count) for a, b, count in named]

    def ranked(self, step: int, left: np.ndarray, right: np.ndarray, counts: np.ndarray, top: int | None) -> np.ndarray:
        """The order of pairs (ids) after `step` merges: by count, ties as the rule prefers them; the first `top`."""
        if not len(counts):
            return np.zeros(0, np.int64)
        if TIE_RULES[self.settings.tie_rule].by_place:
            preference = (first_places(self, step, left, right, counts, top or len(counts)),)
        else:
            preference = (self._name_rank[right], self._name_rank[left])
        return np.lexsort((*preference, -counts))[:top]

    @cached_property
    def _name_rank(self) -> np.ndarray:
        key = TIE_RULES[self.settings.tie_rule].name_key
        keys = [key(self.settings.alphabet, i, token) for i, token in enumerate(self.tokens)]
        rank = np.empty(len(keys), np.int64)
        rank[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
        return rank

    # --- the vocabulary and the tokenizer at a step ---

    def vocabulary(self, step: int) -> dict[int, bytes]:
        """Id → bytes after `step` merges: the alphabet, the merges, then the special tokens."""
        learnt = self.tokens[: self.base + self.check_step(step)]
        specials = tuple(map(encode_text, self.settings.special_tokens))
        return dict(enumerate(learnt + specials))

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


def train_counts(counts: Mapping[str, int], settings: Settings, progress: Progress | None = None) -> Run:
    """Train on counted pretokens, in the order of the mapping.

    Raises `SettingsError` where the vocabulary has no room for the alphabet. `progress(phase, done, total)` is called
    now and then and may raise, to cancel.

    >>> train_counts({"hug": 10, "pug": 5}, Settings(vocab_size=257)).merges[0]
    Merge(left=b'u', right=b'g', token=b'ug', count=15, tied=1)
    """
    return _record(counts, settings, progress)


def _record(
    counts: Mapping[str, int], settings: Settings, progress: Progress | None, texts: tuple[str, ...] | None = None
) -> Run:
    words = tuple(counts)
    flat = flatten(words, settings.alphabet, settings.word_marker)
    film = Trainer(flat, list(counts.values()), settings).run(progress)
    return Run(settings, words, np.fromiter(counts.values(), np.int64, len(counts)), flat, film, texts)


def train(
    texts: Text | Iterable[Text],
    settings: Settings,
    progress: Progress | None = None,
    workers: int = 1,
    dask: str = "",
) -> Run:
    """Train on a text or on several: count the pretokens, then merge. Errors and `progress` as in `train_counts`.

    A `TextFile` is read in pieces and may be larger than memory. With several `workers` as many processes count, with
    `dask` the workers of the cluster at that address; the run is the same.

    >>> train("aaaa", Settings("none", vocab_size=300)).words(1)
    [((b'aa', b'aa'), 1)]
    """
    known = (texts,) if isinstance(texts, str) else tuple(texts) if isinstance(texts, (list, tuple)) else None
    if known and not all(isinstance(text, str) for text in known):
        known = None  # what is in files stays there
    return _record(count_pretokens(texts, settings, progress, workers, dask), settings, progress, known)


def train_with_index(texts: str | Iterable[str], settings: Settings, progress: Progress | None = None) -> Run:
    """Train, and work out the pair counts of all steps at once instead of when they are first asked for."""
    run = train(texts, settings, progress)
    if progress:
        progress("indexing", 0, 1)
    run.ties  # noqa: B018 (cached)
    return run
