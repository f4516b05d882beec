"""The trainer whose loop is compiled. It lays out the pairs, makes room for the loop, and forces the forced pairs.

It leaves the same lifetimes as `trainer`. `loops` says which trainings it is for.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_core.corpus.counting import Progress
from bpe_core.settings import Settings
from bpe_core.text.alphabet import FlatCorpus, laid_out
from bpe_core.text.arrays import Counts
from bpe_core.ties import TIE_RULES
from bpe_core.training.compiled_loop import (
    EMPTY,
    FORCED,
    HEAP,
    MERGES,
    PAIRS,
    RARE,
    ROOM,
    SITES,
    SYMBOLS,
    WORK,
    Arrays,
    Loop,
)
from bpe_core.training.lifetimes import Lifetimes, StopReason
from bpe_core.training.trainer import find_forced, likely_last_count, room_for_merges
from bpe_core.training.working_corpus import MOST_SYMBOLS, WorkingCorpus

SLICE = 1 << 16  # sites that are looked at between two reports; a merge of more sites is not cut


class CompiledTrainer:
    """One training, as `Trainer`. `loop`: the functions of `compiled_loop`, compiled or not."""

    def __init__(self, flat: FlatCorpus, word_counts: Counts, settings: Settings, most: int | None, loop: Loop) -> None:
        """Lay out the corpus and its first pairs."""
        self.settings, self._loop = settings, loop
        self.tokens, self.base, self.free = list(flat.tokens), len(flat.tokens), room_for_merges(flat, settings, most)
        self.corpus = WorkingCorpus(flat, word_counts)
        merges = min(self.free, len(flat.symbols))  # each merge removes a boundary
        tokens = self.base + merges
        self._arrays = Arrays(
            at=np.array([0, 0, 0, 0, self.base, 0, -1]),
            cells=self.corpus.cells,
            weights=self.corpus.weights,
            merged_at=self.corpus.merged_at,
            merges=np.empty((merges, 3), np.int64),
            size=np.ones(tokens, np.int32),
            names=_names(flat, settings, tokens),
            starts=np.empty(len(flat.symbols), np.int32),
            total=np.zeros(2 * tokens, np.int64),
            number=np.zeros(2 * tokens, np.int32),
            slot=np.full(2 * tokens, -1, np.int32),
            seen=np.empty(2 * tokens, np.int32),
            **_no_pairs(),  # `_lay_out` makes them
        )
        self._lay_out(likely_last_count(word_counts, self.free))

    def run(self, progress: Progress | None = None) -> Lifetimes:
        """Merge until the vocabulary is full or no pair is left; `progress` may raise, to cancel."""
        at, forced = self._arrays.at, sorted(self.settings.forced)
        reason: StopReason = "target reached"
        while at[MERGES] < self.free:
            if progress:
                progress("merging", int(at[MERGES]), self.free)
            if at[SYMBOLS] > MOST_SYMBOLS:
                reason = "tokens too long"
                break
            step = int(at[MERGES]) + 1
            later = forced[bisect_left(forced, step) :]
            if step in self.settings.forced:
                if at[FORCED] < 0:
                    self._force(step)
                until = step
            else:
                until = min(later[0] - 1 if later else self.free, self.free)
            ended = self._slice(until)
            if ended == ROOM:
                self._make_room()
            elif ended == EMPTY and self.least > 1:
                self._lay_out(1)
            elif ended in (EMPTY, RARE):
                reason = "below min_count" if ended == RARE else "no pairs left"
                break
        return self._lifetimes(reason)

    def _slice(self, until: int) -> int:
        """Go on until `until` merges are made, but not for longer than a slice; return why the loop stopped."""
        a, chosen = self._arrays, self.settings
        a.at[WORK] = 0
        return int(self._loop.advance(a, self.base, until, self.least, chosen.min_count, MOST_SYMBOLS, SLICE))

    def _lay_out(self, least: int) -> None:
        """Search the corpus for pairs, and queue those that occur `least` times or more."""
        self.least, tokens, cells = least, self.base + int(self._arrays.at[MERGES]), len(self.corpus.cells)
        self._arrays = self._arrays._replace(**_no_pairs())  # frees the old arrays before the new ones are made
        pairs = min(tokens * tokens, cells)
        left, right, length = (np.empty(pairs, np.int32) for _ in range(3))
        begin, heap, sites = np.empty(pairs, np.int64), np.empty((pairs, 3), np.int64), np.empty(cells, np.int32)
        self._arrays = self._arrays._replace(left=left, right=right, begin=begin, length=length, sites=sites, heap=heap)
        self._loop.lay_out(self._arrays, tokens, least)

    def _force(self, step: int) -> None:
        """Add the pair that is forced at a step; `ForcedPairError` if it does not occur."""
        merges = self._arrays.merges
        for left, right in merges[len(self.tokens) - self.base : step - 1, :2].tolist():
            self.tokens.append(self.tokens[left] + self.tokens[right])
        left, right, found = find_forced(self.settings, step, self.tokens, self.corpus)
        self._grow(1, len(found))
        a = self._arrays
        pair, used = int(a.at[PAIRS]), int(a.at[SITES])
        a.left[pair], a.right[pair], a.begin[pair], a.length[pair] = left, right, used, len(found)
        a.sites[used : used + len(found)] = found
        a.at[[PAIRS, SITES, FORCED]] = pair + 1, used + len(found), pair

    def _make_room(self) -> None:
        """Make room for the pairs of the token that the next pair becomes."""
        a = self._arrays
        sites = int(a.length[a.at[FORCED] if a.at[FORCED] >= 0 else a.heap[0, 2]])
        self._grow(2 * min(sites, self.base + int(a.at[MERGES]) + 1), 2 * sites)

    def _grow(self, pairs: int, sites: int) -> None:
        """Make the arrays larger that have no room for `pairs` more pairs or `sites` more sites.

        A larger array also gets half of what is in use as a reserve.
        """
        a = self._arrays
        used = dict.fromkeys(("left", "right", "begin", "length"), (int(a.at[PAIRS]), pairs))
        used |= {"sites": (int(a.at[SITES]), sites), "heap": (int(a.at[HEAP]), pairs)}
        larger = {}
        for name, (size, more) in used.items():
            old = getattr(a, name)
            if size + more > len(old):
                larger[name] = np.empty((size + more + (size >> 1), *old.shape[1:]), old.dtype)
                larger[name][:size] = old[:size]
        self._arrays = a._replace(**larger)

    def _lifetimes(self, stop_reason: StopReason) -> Lifetimes:
        left, right, counts = self._arrays.merges[: self._arrays.at[MERGES]].copy().T
        moved_words, moved_until = np.zeros(0, np.int64), np.zeros(1, np.int64)
        return Lifetimes(left, right, counts, self.corpus.merged_at, stop_reason, moved_words, moved_until)


def _no_pairs() -> dict[str, NDArray[Any]]:
    """Return the arrays of pairs for a corpus without pairs, by their names in `Arrays`."""
    numbers = {name: np.empty(0, np.int32) for name in ("left", "right", "length", "sites")}
    return {**numbers, "begin": np.empty(0, np.int64), "heap": np.empty((0, 3), np.int64)}


def practice(loop: Loop) -> None:
    """Train on two words."""
    flat = laid_out((b"a", b"b"), np.array([0, 1, 0, 1]), np.array([2, 2]))
    CompiledTrainer(flat, np.array([2, 1]), Settings("none", "characters", vocab_size=3), None, loop).run()


def _names(flat: FlatCorpus, settings: Settings, tokens: int) -> Counts:
    """Return what a rule by name compares of each of `tokens` ids; nothing for a rule by site.

    The name of a token that training makes follows from its id alone.
    """
    name_key = TIE_RULES[settings.tie_rule].name_key
    if name_key is None:
        return np.zeros(0, np.int64)
    base = [name_key(settings.alphabet, token_id, token) for token_id, token in enumerate(flat.tokens)]
    made = np.array([name_key(settings.alphabet, len(base), b"ab")])  # the first new token has two bytes or more
    return np.append(np.array(base, np.int64), made + np.arange(tokens - len(base)))
