"""The trainer: joins the most frequent pair, again and again, and records the step that removes each boundary.

The textbook (`reference`) counts all pairs anew for every merge. Here a merge counts only the pairs of the new token
and its neighbours, and puts them into a queue; a pair is counted again when it comes up. Most pairs are too rare to be
merged soon: they stay outside the queue until it is empty.

The queue has the most frequent pairs first, equally frequent pairs in the order of the tie rule. Each count has an
unsorted list of the pairs that wait. The list of the highest count becomes a heap:

    counts   lists of (key, left, right, sites)
        15   [(3, u, g, (3, 8))]                       open: a heap, the smallest key first
         5   [(2, h, u, (2,)), (4, g, s, (4,))]        waiting: a plain list

Counts only fall, and a pair's first site only moves towards the end of the corpus. So a pair can come up too early, but
never too late: the trainer counts it again when it comes up, and puts it back if its count or its key has changed.

Not here: counts at earlier steps, ties, words. They follow from the lifetimes (see the chapter `record`).
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from bpe_core.corpus.counting import Progress
from bpe_core.settings import ForcedPairError, Settings
from bpe_core.text.alphabet import FlatCorpus
from bpe_core.text.arrays import Counts, Indexes
from bpe_core.ties import TIE_RULES
from bpe_core.training.lifetimes import Lifetimes, StopReason
from bpe_core.training.working_corpus import Sites, WorkingCorpus


class TieOrder:
    """The key of each pair. If several pairs are equally frequent, the pair with the smallest key is merged.

    A rule by name compares the two tokens. A rule by site compares the pair's first site in reading order. Each word
    has a turn in that order; a word that moves to the end of the corpus gets a new turn, the last:

        words      low  lower  new          the merge l + o moves the words that it changed to the end
        turns       0     1     2
        after       3     4     2           the corpus reads: new, low, lower
    """

    def __init__(self, flat: FlatCorpus, settings: Settings) -> None:
        """Give each word its turn, and each base symbol the key by which a rule by name compares it."""
        rule = TIE_RULES[settings.tie_rule]
        self.moves_words = rule.moves_words
        self.moved: list[Indexes] = []  # for each merge the rows of the words that it moved
        self._name_key = rule.name_key
        self._rule = rule
        self._alphabet = settings.alphabet
        self._names: list[Any] = []  # for each token the key that the rule compares
        self._next_turn = len(flat.starts)
        if self.moves_words:
            lengths = flat.lengths
            self._word_at = np.append(0, np.repeat(np.arange(len(lengths)), lengths))  # row of the word at a position
            self._turn_of = np.arange(len(lengths))  # the turn of each word
        for token in flat.tokens:
            self.add(token)

    def add(self, token: bytes) -> None:
        """Add a token, with the next free id."""
        if self._name_key:
            self._names.append(self._name_key(self._alphabet, len(self._names), token))

    def key(self, left: int, right: int, sites: Sites) -> Any:
        """Return the key of the pair `left`, `right`, which occurs at `sites`."""
        if self._name_key:
            return self._names[left], self._names[right]
        if not self.moves_words:
            return int(sites[0])
        array = np.asarray(sites)
        return int(self._rule.site_key(self._turn_of[self._word_at[array]], array, len(self._word_at)).min())

    def move(self, sites: Sites) -> None:
        """Move the words that contain `sites` to the end of the corpus; the words keep their present order."""
        if self.moves_words:
            words = np.unique(self._word_at[np.asarray(sites)])
            words = words[np.argsort(self._turn_of[words])]
            self._turn_of[words] = self._next_turn + np.arange(len(words))
            self._next_turn += len(words)
            self.moved.append(words)


# The tie rule's key, left id, right id, sites. The keys of one rule are of one type, which can be compared.
Entry = tuple[Any, int, int, Sites]

REPORT_EVERY = 64  # merges

Choice = tuple[int, int, int, Sites]  # the pair to join: left id, right id, count, sites


class Trainer:
    """One training: `Trainer(flat, word_counts, settings).run()` returns its lifetimes.

    `most`: how many merges the training makes at most; None: as many as the vocabulary has room for.
    """

    def __init__(self, flat: FlatCorpus, word_counts: Counts, settings: Settings, most: int | None = None) -> None:
        """Lay out the corpus and queue its first pairs."""
        self.settings = settings
        self.tokens = list(flat.tokens)
        self.corpus = WorkingCorpus(flat, word_counts)
        self.order = TieOrder(flat, settings)
        self.merges: list[tuple[int, int, int]] = []
        self.queue = PairQueue()
        self.rare_left = False  # whether the pairs that are left are too rare to join
        self.free = room_for_merges(flat, settings, most)
        self._fill_queue(likely_last_count(word_counts, self.free))

    def run(self, progress: Progress | None = None) -> Lifetimes:
        """Merge until the vocabulary is full or no pair is left; `progress` may raise, to cancel."""
        reason: StopReason = "target reached"
        while len(self.merges) < self.free:
            if progress and len(self.merges) % REPORT_EVERY == 0:
                progress("merging", len(self.merges), self.free)
            if self.corpus.tokens_too_long:
                reason = "tokens too long"
                break
            pair = self._forced() or self._best()
            if not pair:
                reason = "below min_count" if self.rare_left else "no pairs left"
                break
            self._merge(*pair)
        return self._lifetimes(reason)

    def _fill_queue(self, least: int) -> None:
        """Queue the pairs that occur `least` times or more. From now on, rarer pairs stay outside the queue."""
        self.least = least
        for left, right, count, sites in self.corpus.pairs(least):
            self.queue.push(count, (self.order.key(left, right, sites), left, right, sites))

    def _best(self) -> Choice | None:
        """Take the pair to join out of the queue and return it; None if no pair occurs often enough."""
        queue, order, corpus = self.queue, self.order, self.corpus
        while found := queue.pop() or self._first_rare():
            count, (key, left, right, sites) = found
            still = corpus.still(left, right, sites)
            if not len(still):
                continue
            if len(still) < len(sites) or order.moves_words:
                now, now_key = corpus.count(still), order.key(left, right, still)
                if now != count or now_key != key:
                    if now >= self.least:
                        queue.push(now, (now_key, left, right, still))
                    continue
            if count < self.settings.min_count:
                self.rare_left = True
                return None
            return left, right, count, still
        return None

    def _first_rare(self) -> tuple[int, Entry] | None:
        """Queue the rare pairs as well, and return the first pair; None if the rare pairs were queued before."""
        if self.least <= 1:
            return None
        self._fill_queue(1)
        return self.queue.pop()

    def _forced(self) -> Choice | None:
        """Return the pair that is forced at this step, or None."""
        step = len(self.merges) + 1
        if step not in self.settings.forced:
            return None
        left, right, sites = find_forced(self.settings, step, self.tokens, self.corpus)
        return left, right, self.corpus.count(sites), sites

    def _merge(self, left: int, right: int, count: int, sites: Sites) -> None:
        new = len(self.tokens)
        self.tokens.append(self.tokens[left] + self.tokens[right])
        self.order.add(self.tokens[new])
        self.merges.append((left, right, count))
        starts = self.corpus.merge(left, right, sites, len(self.merges))
        self.order.move(starts)
        push, key_of = self.queue.push, self.order.key
        for one, other, times, found in self.corpus.born(new, starts, self.least):
            push(times, (key_of(one, other, found), one, other, found))

    def _lifetimes(self, stop_reason: StopReason) -> Lifetimes:
        left, right, counts = np.array(self.merges, np.int64).reshape(-1, 3).T
        moved = self.order.moved
        moved_words = np.concatenate([np.zeros(0, np.int64), *moved])
        moved_until = np.cumsum([0, *map(len, moved)])
        return Lifetimes(left, right, counts, self.corpus.merged_at, stop_reason, moved_words, moved_until)


def room_for_merges(flat: FlatCorpus, settings: Settings, most: int | None = None) -> int:
    """Return how many merges a training may make: `most`, or as many as there are free ids."""
    if most is not None:
        return most
    settings.check_base(len(flat.tokens))
    return settings.vocab_size - len(flat.tokens) - len(settings.special_tokens)


def find_forced(settings: Settings, step: int, tokens: list[bytes], corpus: WorkingCorpus) -> tuple[int, int, Sites]:
    """Return the ids and the sites of the pair that is forced at a step; `ForcedPairError` if it does not occur."""
    pair = settings.forced[step]
    if all(half in tokens for half in pair):
        left, right = map(tokens.index, pair)
        sites = corpus.find(left, right)
        if len(sites):
            return left, right, sites
    raise ForcedPairError.of(pair, step)


def likely_last_count(word_counts: Counts, merges: int) -> int:
    """Guess the lowest count that a training will reach: the count of the word whose rank is the number of merges.

    On 40 MB of English, merge 31,744 joins a pair that occurs 11 times, and the 31,745th word occurs 6 times. If the
    guess is too high, the trainer searches the corpus once more, for all pairs.
    """
    if merges >= len(word_counts):
        return 1
    return int(np.partition(word_counts, -1 - merges)[-1 - merges])


class PairQueue:
    """Pairs by count. No pair may be pushed with a higher count than a pair that has been popped.

    >>> queue = PairQueue()
    >>> for count, key in ((5, 4), (15, 3), (5, 2)):
    ...     queue.push(count, (key, 0, 0, ()))
    >>> [(count, entry[0]) for count, entry in iter(queue.pop, None)]
    [(15, 3), (5, 2), (5, 4)]
    """

    def __init__(self) -> None:
        """Start empty."""
        self._waiting: dict[int, list[Entry]] = {}  # by count
        self._negative_counts: list[int] = []  # a heap of the counts in `_waiting`
        self._open: list[Entry] = []  # a heap
        self._open_count = -1

    def push(self, count: int, entry: Entry) -> None:
        """Put in a pair with its count."""
        if count == self._open_count:
            heapq.heappush(self._open, entry)
        elif count in self._waiting:
            self._waiting[count].append(entry)
        else:
            self._waiting[count] = [entry]
            heapq.heappush(self._negative_counts, -count)

    def pop(self) -> tuple[int, Entry] | None:
        """Take out the first pair and return (count, entry); None where the queue is empty."""
        if not self._open:
            if not self._negative_counts:
                return None
            self._open_count = -heapq.heappop(self._negative_counts)
            self._open = self._waiting.pop(self._open_count)
            heapq.heapify(self._open)
        return self._open_count, heapq.heappop(self._open)
