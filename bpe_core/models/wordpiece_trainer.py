"""WordPiece's trainer: joins the pair with the best score, again and again.

    score = count(pair) / (count(left) · count(right))

Merges only remove boundaries, so this trainer produces `Lifetimes` and joins pairs in a `WorkingCorpus`, as byte-pair
encoding does. Only the choice differs. A score may rise when a merge uses up one of the pair's halves, so a queue of
old scores would be wrong. All scores are computed anew at every step, in arrays, and the scores near the best are
compared exactly.

Not here: counts and scores at earlier steps; they follow from the lifetimes (see `wordpiece`).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from bpe_core.corpus.counting import Progress
from bpe_core.settings import Settings
from bpe_core.text.alphabet import FlatCorpus
from bpe_core.text.arrays import Counts, Indexes, Integers, without_overlaps
from bpe_core.training.lifetimes import Lifetimes
from bpe_core.training.trainer import REPORT_EVERY
from bpe_core.training.working_corpus import WorkingCorpus

NEAR = 1 - 1e-12  # of the best score: a far wider margin than the rounding of a quotient


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
        reason = "target reached"
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
