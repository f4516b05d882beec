"""Who counts a corpus: this thread, several threads, or a Dask cluster. The counts come in the order of the batches.

Threads can count at the same time, because work on arrays releases the interpreter's lock. That pays only where
counting is most of the work, as for a large file; in a training on 40 MB it is a third.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from bpe_core.corpus.dask_cluster import connected
from bpe_core.corpus.word_counts import WordCounts
from bpe_core.settings import Settings

Count = Callable[[Sequence[str], Settings], WordCounts]


class Workers(NamedTuple):
    """`submit(function, *arguments)` starts a call and returns its future; `most`: how many calls may run or wait."""

    submit: Callable[..., Future[WordCounts]]
    most: int


@contextmanager
def workers_for(workers: int, dask: str) -> Iterator[Workers]:
    """Start so many threads, or connect to the Dask cluster at the address `dask`. At the end, cancel waiting calls."""
    if dask:
        with connected(dask) as client:

            def submit(function: Callable[..., WordCounts], *arguments: object) -> Future[WordCounts]:
                """Submit one object: Dask searches lists for tasks, text by text."""
                future: Future[WordCounts] = client.submit(partial(function, *arguments), pure=False)
                return future

            yield Workers(submit, 2 * sum(client.nthreads().values()))
    elif workers > 1:
        pool = ThreadPoolExecutor(workers)
        try:
            yield Workers(pool.submit, 2 * workers)
        finally:
            pool.shutdown(cancel_futures=True)
    else:
        yield Workers(_at_once, 1)


def _at_once(function: Callable[..., WordCounts], *arguments: object) -> Future[WordCounts]:
    done: Future[WordCounts] = Future()
    done.set_result(function(*arguments))
    return done


def in_order(
    batches: Iterable[tuple[Sequence[str], int]], count: Count, settings: Settings, workers: Workers
) -> Iterator[tuple[WordCounts, int]]:
    """Yield the counts of each batch (texts, share), in the order of the batches. Few are in memory at a time."""
    waiting: deque[tuple[Future[WordCounts], int]] = deque()
    for batch, share in batches:
        waiting.append((workers.submit(count, batch, settings), share))
        while waiting and (len(waiting) >= workers.most or waiting[0][0].done()):
            counts, share = waiting.popleft()
            yield counts.result(), share
    for counts, share in waiting:
        yield counts.result(), share
