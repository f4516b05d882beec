"""The ledger of a training's sources: each count of the record, split into the counts of its sources.

A training goes by the counts of all sources together. But every count of a record is a sum over words, so the same sum
with the counts of one source is that source's share. The words "the" and "then", in two sources:

                      the    then                      English   French
    English            5      1         t + h              6        2
    French             2      0         token "the" made   6        2

`births` and `merged` have a row for each step, from 1 on, and `tokens` and `made` one for each step from 0 on; the
columns are the sources. Two counts of a merge differ where its pair overlaps: "aaa" has the pair a + a twice
(`merged`), and becomes one token "aa" (`births`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.record.pair_history import PairHistory
from bpe_core.text.alphabet import begins_character
from bpe_core.text.arrays import Counts, Indexes, Integers, repeated
from bpe_core.text.byte_strings import ByteStrings

RESIDUE = 0.1  # a token that ends with less of its count at birth is a residue


class Source(NamedTuple):
    """A source of a training after some step.

    `words`: how many different words it has. `bytes`, `characters`: how many its words have together. `tokens`: how
    many tokens they are at the step. `made`: how many merges up to the step had more occurrences in this source than
    in any other; at a tie, the source that was given first.
    """

    name: str
    words: int
    bytes: int
    characters: int
    tokens: int
    made: int

    @property
    def bytes_per_token(self) -> float | None:
        """The bytes of the source divided by its tokens; None for a source without text."""
        return self.bytes / self.tokens if self.tokens else None

    @property
    def characters_per_token(self) -> float | None:
        """The characters of the source divided by its tokens; None for a source without text."""
        return self.characters / self.tokens if self.tokens else None


class Remains(NamedTuple):
    """A token that a merge made: how often it occurred at birth, and how often it occurs now."""

    token: bytes
    step: int
    born: int
    left: int

    @property
    def share(self) -> float:
        """The part of the occurrences at birth that is left, from 0 to 1."""
        return self.left / self.born


def characters(words: ByteStrings) -> Counts:
    """Return how many characters each word has.

    >>> from bpe_core.text.byte_strings import byte_strings
    >>> characters(byte_strings(["tea".encode(), "चाय".encode()])).tolist()
    [3, 3]
    """
    begins = np.append(0, np.cumsum(begins_character(words.raw)))
    found: Counts = np.diff(begins[np.append(0, np.cumsum(words.sizes))])
    return found


@dataclass(frozen=True, eq=False)
class Ledger:
    """The counts of one stage by source. `counts`: a row for each source, a column for each word.

    `sizes`, `lengths`: how many bytes and how many characters each word has. `history`: returns the history of all
    pairs, which is needed only where the two halves of a merge are equal.

    >>> from bpe_core import Settings, train
    >>> texts = {"English": "the the the the the then", "French": "the the"}
    >>> ledger = train(texts, Settings("whitespace", vocab_size=258)).stages[0].ledger
    >>> ledger.births.tolist(), ledger.tokens.tolist(), ledger.made.tolist()
    ([[6, 2], [6, 2]], [[19, 6], [13, 4], [7, 2]], [[0, 0], [1, 0], [2, 0]])
    """

    names: tuple[str, ...]
    counts: Counts
    sizes: Counts
    lengths: Counts
    corpus: CorpusHistory
    history: Callable[[], PairHistory]

    @cached_property
    def bytes(self) -> Counts:
        """How many bytes the words of each source have together."""
        found: Counts = self.counts @ self.sizes
        return found

    @cached_property
    def characters(self) -> Counts:
        """How many characters the words of each source have together."""
        found: Counts = self.counts @ self.lengths
        return found

    @cached_property
    def words(self) -> Counts:
        """How many different words each source has."""
        found: Counts = np.count_nonzero(self.counts, axis=1).astype(np.int64)
        return found

    @cached_property
    def births(self) -> Counts:
        """For each step and source, how many tokens the step's merge made."""
        steps, merged_at = self.corpus.steps, self.corpus.lifetimes.merged_at
        removed = np.flatnonzero(merged_at <= steps)
        return self._sums(merged_at[removed] - 1, self._row_at()[removed], steps)

    @cached_property
    def merged(self) -> Counts:
        """For each step and source, how often the step's pair occurred, overlapping occurrences included."""
        lifetimes = self.corpus.lifetimes
        alike = np.flatnonzero(lifetimes.left == lifetimes.right)  # a pair of equal tokens may overlap itself
        if not len(alike):
            return self.births
        found, history = self.births.copy(), self.history()
        pairs = history.rows_of(lifetimes.left[alike], lifetimes.right[alike])
        which, sites = history.sites_at(alike, pairs)
        found[alike] = self._sums(which, self.corpus.rows_of(sites), len(alike))
        return found

    @cached_property
    def tokens(self) -> Counts:
        """For each step, from 0 on, and each source, how many tokens the source has."""
        symbols = self.counts @ (self.corpus.flat.ends - self.corpus.flat.starts)
        none = np.zeros((1, len(self.names)), np.int64)
        found: Counts = symbols - np.concatenate([none, np.cumsum(self.births, axis=0)])
        return found

    @cached_property
    def makers(self) -> Indexes:
        """For each step, the index of the source in which the step's pair occurred most often."""
        found: Indexes = np.argmax(self.merged, axis=1)
        return found

    @cached_property
    def made(self) -> Counts:
        """For each step, from 0 on, and each source, how many of the merges so far the source made."""
        each = np.arange(len(self.names)) == self.makers[:, None]
        return np.concatenate([np.zeros((1, len(self.names)), np.int64), np.cumsum(each, axis=0)])

    @property
    def tables(self) -> tuple[Counts | Indexes, ...]:
        """All that is computed for every step."""
        return self.births, self.merged, self.tokens, self.makers, self.made

    def uses(self, step: int, token: int) -> Counts:
        """Return how often a token (an id) occurs in each source after `step` merges."""
        begins, ids = self.corpus.tokens_at(step)
        return self._of_sites(begins[ids == token])

    def pair(self, step: int, left: int, right: int) -> Counts:
        """Return how often a pair of ids occurs in each source after `step` merges."""
        return self._of_sites(self.corpus.pair_sites(step, left, right))

    def _of_sites(self, sites: Indexes) -> Counts:
        found: Counts = self.counts[:, self.corpus.rows_of(sites)].sum(axis=1)
        return found

    def _row_at(self) -> Indexes:
        """Return the row number of the word at each position; the separator before a word counts as part of it."""
        flat = self.corpus.flat
        lengths = flat.lengths
        return np.append(0, repeated(np.arange(len(lengths)), lengths))[: len(flat.symbols)]

    def _sums(self, groups: Integers, rows: Indexes, size: int) -> Counts:
        """Return the sum of the counts of words (`rows`) for each of `size` groups and each source."""
        sums = [np.bincount(groups, source[rows], size) for source in self.counts]
        return np.array(sums).T.astype(np.int64).reshape(size, len(self.names))
