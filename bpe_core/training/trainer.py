"""The trainer: joins the most frequent pair, again and again, and records the step at which each boundary falls.

One fact keeps the queue short: from its birth on a pair's count only falls, and its first place only moves back. So
an entry of the queue can only have become too good; it is counted again when it comes up, and put back if it has
changed.

Not here: counts at earlier steps, ties, words. All of that follows from the film (see `run`).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bpe_core.corpus.counting import Progress
from bpe_core.settings import ForcedPairError, Settings
from bpe_core.text.alphabet import FlatCorpus
from bpe_core.ties import TIE_RULES
from bpe_core.training.working_corpus import Places, Symbols

REPORT_EVERY = 64  # merges


@dataclass(frozen=True)
class Film:
    """What training leaves behind: the merges, and when each boundary of the flat corpus fell.

    `left`, `right`, `counts`: one entry a merge. `merged_at[i]`: the step (from 1) that removed the boundary before
    place `i`, or `NEVER`. `moved_words[moved_until[k - 1] : moved_until[k]]`: the words that step `k` moved to the
    end of the corpus, for the tie rule that does so.
    """

    left: np.ndarray
    right: np.ndarray
    counts: np.ndarray
    merged_at: np.ndarray
    stop_reason: str
    moved_words: np.ndarray
    moved_until: np.ndarray


class _Order:
    """The order in which a tie rule prefers pairs: smallest key first."""

    def __init__(self, flat: FlatCorpus, settings: Settings) -> None:
        self.rule = TIE_RULES[settings.tie_rule]
        self.alphabet = settings.alphabet
        self.names: list = []
        self.starts = flat.starts
        self.turn = np.arange(len(flat.starts), dtype=np.int64)  # of each word; a moved word gets a new one
        self.moved: list[np.ndarray] = []
        for token in flat.tokens:
            self.add(token)

    def add(self, token: bytes) -> None:
        """Take in a new token."""
        if self.rule.name_key:
            self.names.append(self.rule.name_key(self.alphabet, len(self.names), token))

    def key(self, left: int, right: int, site: int) -> object:
        """The key of a pair first seen at `site`."""
        if not self.rule.by_place:
            return self.names[left], self.names[right]
        return (int(self.turn[self._word_of(site)]), site) if self.rule.moves_words else int(site)

    def reading(self, sites: Places) -> Places:
        """The sites in the order in which the corpus is read."""
        if not self.rule.moves_words or len(sites) == 0:
            return sites
        array = np.asarray(sites)
        array = array[np.lexsort((array, self.turn[self._word_of(array)]))]
        return array.tolist() if isinstance(sites, list) else array

    def move(self, sites: Places) -> None:
        """Move the words at `sites` (in reading order) to the end."""
        if self.rule.moves_words:
            words = np.array(list(dict.fromkeys(self._word_of(np.asarray(sites)).tolist())), np.int64)
            self.turn[words] = len(self.turn) + sum(map(len, self.moved)) + np.arange(len(words))
            self.moved.append(words)

    def _word_of(self, site: int | np.ndarray) -> np.ndarray:
        return np.searchsorted(self.starts, site, side="right") - 1


class Trainer:
    """One training run: `Trainer(flat, word_counts, settings).run()` gives its film."""

    def __init__(self, flat: FlatCorpus, word_counts: Sequence[int], settings: Settings) -> None:
        """Lay out the corpus and queue its first pairs."""
        settings.check_base(len(flat.tokens))
        self.settings = settings
        self.tokens = list(flat.tokens)
        self.symbols = Symbols(flat, word_counts)
        self.order = _Order(flat, settings)
        self.merges: list[tuple[int, int, int]] = []
        self.queue: list[tuple] = []
        for left, right in self.symbols.first_pairs():
            sites = self.symbols.find(left, right)
            self.queue.append(self._entry(left, right, self.symbols.count(sites), sites[0]))
        heapq.heapify(self.queue)

    def run(self, progress: Progress | None = None) -> Film:
        """Merge until the vocabulary is full or no pair is left; `progress` may raise, to cancel."""
        room = self.settings.vocab_size - len(self.tokens) - len(self.settings.special_tokens)
        reason = "target reached"
        while len(self.merges) < room:
            if progress and len(self.merges) % REPORT_EVERY == 0:
                progress("merging", len(self.merges), room)
            pair = self._forced() or self._best()
            if pair is None:
                reason = "below min_count" if self.queue else "no pairs left"
                break
            self._merge(*pair)
        return self._film(reason)

    def _best(self) -> tuple[int, int, int, Places] | None:
        queue, order, symbols = self.queue, self.order, self.symbols
        while queue:
            _, key, left, right = entry = queue[0]
            sites = symbols.find(left, right)
            count = symbols.count(sites)
            if not count:
                heapq.heappop(queue)
                continue
            if order.rule.by_place:
                key = order.key(left, right, order.reading(sites)[0])
            true_entry = (-count, key, left, right)
            if true_entry != entry:
                heapq.heapreplace(queue, true_entry)
            elif count < self.settings.min_count:
                return None
            else:
                heapq.heappop(queue)
                return left, right, count, sites
        return None

    def _forced(self) -> tuple[int, int, int, Places] | None:
        step = len(self.merges) + 1
        if step not in self.settings.forced:
            return None
        pair = self.settings.forced[step]
        if all(half in self.tokens for half in pair):
            left, right = map(self.tokens.index, pair)
            sites = self.symbols.find(left, right)
            if len(sites):
                return left, right, self.symbols.count(sites), sites
        shown = " + ".join(half.decode("utf-8", "backslashreplace") for half in pair)
        raise ForcedPairError(f"the pair {shown}, chosen for step {step}, does not occur there")

    def _merge(self, left: int, right: int, count: int, sites: Places) -> None:
        new = len(self.tokens)
        self.tokens.append(self.tokens[left] + self.tokens[right])
        self.order.add(self.tokens[new])
        self.merges.append((left, right, count))
        places = self.symbols.merge(left, right, sites, len(self.merges))
        if self.order.rule.moves_words:
            places = self.order.reading(places)
            self.order.move(places)
        for pair in self.symbols.born(new, places):
            heapq.heappush(self.queue, self._entry(*pair))

    def _entry(self, left: int, right: int, count: int, site: int) -> tuple:
        return -count, self.order.key(left, right, site), left, right

    def _film(self, stop_reason: str) -> Film:
        left, right, counts = np.array(self.merges, np.int64).reshape(-1, 3).T
        moved = self.order.moved
        moved_words = np.concatenate([np.zeros(0, np.int64), *moved])
        moved_until = np.cumsum([0, *map(len, moved)])
        return Film(left, right, counts, self.symbols.merged_at, stop_reason, moved_words, moved_until)
