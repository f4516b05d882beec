"""The corpus after any number of merges, read from the lifetimes of its boundaries. Nothing is replayed.

The words "hugs" and "pug", trained until u + g (step 1) and h + ug (step 2) have been merged:

    position          0    1    2    3    4    5    6    7    8    9
    flat.symbols     -1    h    u    g    s   -1    p    u    g   -1      -1 is a separator
    film.merged_at    ∞    ∞    2    1    ∞    ∞    ∞    ∞    1    ∞      the step that removed the boundary before it

After step 1 the boundaries with `merged_at` > 1 stand, so tokens begin at 1, 2, 4, 6 and 7: h ug s, p ug. The largest
`merged_at` inside a token is the step that made it, and its id follows from that: ids are numbered in the order of
the steps, behind the `base` symbols of the alphabet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from bpe_core.text.alphabet import FlatCorpus
from bpe_core.training.lifetimes import Film, tokens_after


@dataclass(frozen=True, eq=False)
class CorpusHistory:
    """The words of a corpus one after the other (`flat`), how often each occurs, and when each boundary fell.

    >>> import bpe_core
    >>> corpus = bpe_core.train("hugs pug", bpe_core.Settings("whitespace", vocab_size=258)).corpus
    >>> starts, ids = corpus.tokens_at(1)
    >>> starts.tolist(), ids.tolist()
    ([0, 1, 2, 4, 5, 6, 7, 9], [-1, 104, 256, 115, -1, 112, 256, -1])
    >>> corpus.word_ids(1)
    [[104, 256, 115], [112, 256]]
    """

    flat: FlatCorpus
    word_counts: np.ndarray
    film: Film

    @property
    def base(self) -> int:
        """How many symbols the alphabet has: the id of the first merge's token."""
        return len(self.flat.tokens)

    @property
    def steps(self) -> int:
        """How many merges were made."""
        return len(self.film.counts)

    @cached_property
    def weights(self) -> np.ndarray:
        """For every position of the flat corpus, how often its word occurs."""
        lengths = np.diff(np.append(self.flat.starts, len(self.flat.symbols)))
        small = self.word_counts.max(initial=0) < 2**31
        return np.append(0, np.repeat(self.word_counts, lengths)).astype(np.int32 if small else np.int64)

    @cached_property
    def sizes(self) -> np.ndarray:
        """For every token, how many base symbols it is made of."""
        sizes = [1] * self.base
        for left, right in zip(self.film.left.tolist(), self.film.right.tolist(), strict=True):
            sizes.append(sizes[left] + sizes[right])
        return np.array(sizes, np.int64)

    def tokens_at(self, step: int, start: int = 0, end: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The tokens after `step` merges: (the position where each begins, its id). A separator has the id -1.

        `start`, `end`: the part of the flat corpus to look at; it begins and ends where a token does.
        """
        firsts, made = tokens_after(self.film.merged_at[start:end], step)
        begins = firsts + start
        return begins, np.where(made, self.base + made - 1, self.flat.symbols[begins])

    def word_ids(self, step: int, rows: Iterable[int] | None = None) -> list[list[int]]:
        """The ids of the tokens of each word after `step` merges: of all words, or of those with these row numbers."""
        if rows is not None:
            starts, ends = self.flat.starts, self.flat.ends
            return [self.tokens_at(step, starts[row], ends[row])[1].tolist() for row in rows]
        _, ids = self.tokens_at(step)
        separators = np.flatnonzero(ids < 0).tolist()
        every = ids.tolist()
        return [every[before + 1 : behind] for before, behind in pairwise(separators)]

    def pair_sites(self, step: int, left: int, right: int) -> np.ndarray:
        """The sites of a pair after `step` merges: the positions behind the boundaries that it stands across."""
        starts, ids = self.tokens_at(step)
        return starts[1:][(ids[:-1] == left) & (ids[1:] == right)]

    def rows_of(self, positions: np.ndarray) -> np.ndarray:
        """The row number of the word at each of these positions."""
        return np.searchsorted(self.flat.starts, positions, side="right") - 1

    def changed(self, step: int) -> np.ndarray:
        """Row numbers of the words that step `step` changed."""
        return np.unique(self.rows_of(np.flatnonzero(self.film.merged_at == step)))

    @cached_property
    def corpus_tokens(self) -> np.ndarray:
        """How many tokens the corpus has after each step, from 0 on."""
        fallen = self.film.merged_at <= self.steps
        removed = np.bincount(self.film.merged_at[fallen], self.weights[fallen], self.steps + 1).astype(np.int64)
        return int(self.weights[self.flat.symbols >= 0].sum()) - np.cumsum(removed)

    def token_uses(self, step: int) -> np.ndarray:
        """How often each token occurs after `step` merges, by id; 0 for one that is no longer used."""
        begins, ids = self.tokens_at(step)
        real = ids >= 0
        uses = np.bincount(ids[real], self.weights[begins[real]], minlength=self.base + step)
        return uses.astype(np.int64)
