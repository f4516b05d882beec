"""The corpus after any number of merges, read from the lifetimes. No merge is repeated.

The words "hugs" and "pug", trained until u + g (step 1) and h + ug (step 2) have been merged:

    position          0    1    2    3    4    5    6    7    8    9
    flat.symbols     -1    h    u    g    s   -1    p    u    g   -1      -1 is a separator
    merged_at         ∞    ∞    2    1    ∞    ∞    ∞    ∞    1    ∞      the step that removed the boundary on the left

After step 1 the boundaries with `merged_at` > 1 are left, so tokens begin at 1, 2, 4, 6 and 7: h ug s, p ug. The
largest `merged_at` inside a token is the step that made it. Ids follow from steps: step k makes the id base + k - 1,
where `base` is the number of symbols in the alphabet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from bpe_core.text.alphabet import FlatCorpus
from bpe_core.text.arrays import Counts, Ids, Indexes, Integers, repeated
from bpe_core.training.lifetimes import Lifetimes, tokens_after


@dataclass(frozen=True, eq=False)
class CorpusHistory:
    """The words of a corpus one after the other (`flat`), how often each occurs, and the lifetimes of the training.

    The row number of a word is its index in `word_counts`.

    >>> import bpe_core
    >>> corpus = bpe_core.train("hugs pug", bpe_core.Settings("whitespace", vocab_size=258)).corpus
    >>> starts, ids = corpus.tokens_at(1)
    >>> starts.tolist(), ids.tolist()
    ([0, 1, 2, 4, 5, 6, 7, 9], [-1, 104, 256, 115, -1, 112, 256, -1])
    >>> corpus.word_ids(1)
    [[104, 256, 115], [112, 256]]
    """

    flat: FlatCorpus
    word_counts: Counts
    lifetimes: Lifetimes

    @property
    def base(self) -> int:
        """How many symbols the alphabet has: the id of the first merge's token."""
        return len(self.flat.tokens)

    @property
    def steps(self) -> int:
        """How many merges were made."""
        return len(self.lifetimes.counts)

    @cached_property
    def weights(self) -> Integers:
        """For every position of the flat corpus, how often its word occurs."""
        small = self.word_counts.max(initial=0) < 2**31
        weights: Integers = np.append(0, repeated(self.word_counts, self.flat.lengths)).astype(
            np.int32 if small else np.int64
        )
        return weights

    @cached_property
    def sizes(self) -> Counts:
        """How many base symbols each token has, by id."""
        sizes = [1] * self.base
        for left, right in zip(self.lifetimes.left.tolist(), self.lifetimes.right.tolist(), strict=True):
            sizes.append(sizes[left] + sizes[right])
        return np.array(sizes, np.int64)

    def tokens_at(self, step: int, start: int = 0, end: int | None = None) -> tuple[Indexes, Ids]:
        """Return the tokens after `step` merges: the position where each begins, and its id; -1 for a separator.

        `start` and `end` limit the result to a part of the flat corpus. A token has to begin at `start`, and end at
        `end`.
        """
        firsts, made = tokens_after(self.lifetimes.merged_at[start:end], step)
        begins = firsts + start
        return begins, np.where(made, self.base + made - 1, self.flat.symbols[begins])

    def word_ids(self, step: int, rows: Iterable[int] | None = None) -> list[list[int]]:
        """Return the token ids of each word after `step` merges, for all words or for the words in `rows`."""
        if rows is not None:
            starts, ends = self.flat.starts, self.flat.ends
            return [self.tokens_at(step, starts[row], ends[row])[1].tolist() for row in rows]
        _, ids = self.tokens_at(step)
        separators = np.flatnonzero(ids < 0).tolist()
        all_ids = ids.tolist()
        return [all_ids[before + 1 : after] for before, after in pairwise(separators)]

    def pair_sites(self, step: int, left: int, right: int) -> Indexes:
        """Return the sites of a pair after `step` merges: the positions where its right token begins."""
        starts, ids = self.tokens_at(step)
        sites: Indexes = starts[1:][(ids[:-1] == left) & (ids[1:] == right)]
        return sites

    def rows_of(self, positions: Indexes) -> Indexes:
        """Return the row number of the word at each position."""
        return np.searchsorted(self.flat.starts, positions, side="right") - 1

    def most_in(self, rows: Indexes, top: int | None = None) -> tuple[list[int], list[int]]:
        """Return the words in which something occurs most often, and how many occurrences each word has in the corpus.

        `rows`: for each occurrence the row number of its word. With `top`: only the first `top` words.

        >>> from bpe_core import Settings, train
        >>> corpus = train("low low lower", Settings("whitespace", vocab_size=256)).corpus
        >>> corpus.most_in(corpus.rows_of(corpus.pair_sites(0, ord("l"), ord("o"))))
        ([0, 1], [2, 1])
        """
        words, times = np.unique(rows, return_counts=True)
        counts = times * self.word_counts[words]
        if top is not None and len(counts) > top:
            enough = counts >= np.partition(counts, -top)[-top]
            words, counts = words[enough], counts[enough]
        order = np.lexsort((words, -counts))[:top]
        return words[order].tolist(), counts[order].tolist()

    def changed(self, step: int) -> Indexes:
        """Return the row numbers of the words that step `step` changed."""
        return np.unique(self.rows_of(np.flatnonzero(self.lifetimes.merged_at == step)))

    @cached_property
    def corpus_tokens(self) -> Counts:
        """How many tokens the corpus has after each step, from 0 on."""
        removed = self.lifetimes.merged_at <= self.steps
        fewer = np.bincount(self.lifetimes.merged_at[removed], self.weights[removed], self.steps + 1).astype(np.int64)
        tokens: Counts = int(self.weights[self.flat.symbols >= 0].sum()) - np.cumsum(fewer)
        return tokens

    def token_uses(self, step: int) -> Counts:
        """Return how often each token occurs after `step` merges, by id; 0 for a token that is not used any more."""
        begins, ids = self.tokens_at(step)
        real = ids >= 0
        uses = np.bincount(ids[real], self.weights[begins[real]], minlength=self.base + step)
        return uses.astype(np.int64)
