"""Who counts the chunks of a corpus: threads of this process, or a Dask cluster; the counts keep their order.

Threads are enough, because work on arrays lets go of the interpreter's lock. They can pay only
where counting is most of the work, as for a large file; of training on 40 MB it is a third.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Protocol

from bpe_core.corpus.dask_cluster import DaskCluster
from bpe_core.corpus.word_counts import WordCounts
from bpe_core.settings import Settings

Count = Callable[[str, Settings], WordCounts]


class Workers(Protocol):
    """Those who count. `most`: how many chunks they may have at a time."""

    most: int

    def submit(self, chunk: str, settings: Settings) -> Future[WordCounts]:
        """Hand over a chunk; its counts come later."""

    def __enter__(self) -> Workers:
        """What `submit` is called on."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop all of it."""


class Threads:
    """As many threads as there are workers; one worker is this thread itself, which counts at once."""

    def __init__(self, workers: int, count: Count) -> None:
        """Start them; `count` is what they do with a chunk."""
        self._count = count
        self._pool = ThreadPoolExecutor(workers) if workers > 1 else None
        self.most = 2 * workers if self._pool else 1

    def submit(self, chunk: str, settings: Settings) -> Future[WordCounts]:
        """Hand over a chunk."""
        if self._pool:
            return self._pool.submit(self._count, chunk, settings)
        done: Future[WordCounts] = Future()
        done.set_result(self._count(chunk, settings))
        return done

    def __enter__(self) -> Threads:
        """The threads themselves."""
        return self

    def __exit__(self, *_: object) -> None:
        """End them, once each has counted the chunk that it has."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


def workers_for(workers: int, dask: str, count: Count) -> Workers:
    """Those who count, by calling `count`: this process, or the Dask cluster at the address `dask`."""
    return DaskCluster(dask, count) if dask else Threads(workers, count)


def in_order(
    parts: Iterable[tuple[str, int]], settings: Settings, workers: Workers
) -> Iterator[tuple[WordCounts, int]]:
    """The counts of each part (chunk, share), in the order of the chunks. Few chunks are in memory at a time."""
    waiting: deque[tuple[Future[WordCounts], int]] = deque()
    for chunk, share in parts:
        waiting.append((workers.submit(chunk, settings), share))
        while waiting and (len(waiting) >= workers.most or waiting[0][0].done()):
            counts, share = waiting.popleft()
            yield counts.result(), share
    for counts, share in waiting:
        yield counts.result(), share
