"""The queue of pairs: the most frequent first, and of equally frequent ones the one that the tie rule prefers.

Pairs wait in a list for each count, unsorted. The list of the highest count is sorted when its turn comes:

    counts   lists of (key, left, right, sites)
        15   [(3, u, g, (3, 8))]                       open: a heap, the smallest key first
         5   [(2, h, u, (2,)), (4, g, s, (4,))]        waits: a plain list

Counts only fall, and a pair's first site only moves back. So an entry can only promise too much: the trainer counts
again when a pair comes up, and puts it back if it has changed. Most pairs are never looked at again.
"""

from __future__ import annotations

import heapq

from bpe_core.training.working_corpus import Sites

Entry = tuple[object, int, int, Sites]  # the tie rule's key, left id, right id, sites


class PairQueue:
    """Entries by count. No count that is pushed may be above one that has been popped.

    >>> queue = PairQueue()
    >>> for count, key in ((5, 4), (15, 3), (5, 2)):
    ...     queue.push(count, (key, 0, 0, ()))
    >>> [(count, entry[0]) for count, entry in iter(queue.pop, None)]
    [(15, 3), (5, 2), (5, 4)]
    """

    def __init__(self) -> None:
        """Start empty."""
        self._waiting: dict[int, list[Entry]] = {}
        self._counts: list[int] = []  # a heap of those that are waiting, negative
        self._open: list[Entry] = []
        self._count = -1  # of the entries in `_open`

    def push(self, count: int, entry: Entry) -> None:
        """Put in a pair with its count."""
        if count == self._count:
            heapq.heappush(self._open, entry)
        elif count in self._waiting:
            self._waiting[count].append(entry)
        else:
            self._waiting[count] = [entry]
            heapq.heappush(self._counts, -count)

    def pop(self) -> tuple[int, Entry] | None:
        """Take out the first pair, as (count, entry); None where there is no pair."""
        if not self._open:
            if not self._counts:
                return None
            self._count = -heapq.heappop(self._counts)
            self._open = self._waiting.pop(self._count)
            heapq.heapify(self._open)
        return self._count, heapq.heappop(self._open)
