"""The queue of pairs: the most frequent first, equally frequent pairs in the order of the tie rule.

Each count has an unsorted list of the pairs that wait. The list of the highest count becomes a heap:

    counts   lists of (key, left, right, sites)
        15   [(3, u, g, (3, 8))]                       open: a heap, the smallest key first
         5   [(2, h, u, (2,)), (4, g, s, (4,))]        waiting: a plain list

Counts only fall, and a pair's first site only moves towards the end of the corpus. So a pair can come up too early, but
never too late: the trainer counts it again when it comes up, and puts it back if its count or its key has changed. Most
pairs never come up.
"""

from __future__ import annotations

import heapq
from typing import Any

from bpe_core.training.working_corpus import Sites

# The tie rule's key, left id, right id, sites. The keys of one rule are of one type, which can be compared.
Entry = tuple[Any, int, int, Sites]


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
