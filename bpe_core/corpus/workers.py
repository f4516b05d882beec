"""Who counts a corpus: this thread, several, or a Dask cluster. The counts keep the order of its batches.

Threads can count at the same time, because work on arrays lets go of the interpreter's lock. They can pay only
where counting is most of the work, as for a large file; of training on 40 MB it is a third.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from bpe_core.corpus.dask_cluster import connected
from bpe_core.corpus.word_counts import WordCounts
from bpe_core.settings import Settings

Count = Callable[[Sequence[str], Settings], WordCounts]


class Workers(NamedTuple):
    """Those who count. `submit(function, *arguments)` gives a future; `most`: how many calls may be under way."""

    submit: Callable[..., Future]
    most: int


@contextmanager
def workers_for(workers: int, dask: str) -> Iterator[Workers]:
    """As many threads, or the Dask cluster at the address `dask`; calls not begun at the end are cancelled."""
    if dask:
        with connected(dask) as client:

            def submit(function: Callable, *arguments: object) -> Any:
                """As one object: Dask looks for tasks of its own in a list, text by text."""
                return client.submit(partial(function, *arguments), pure=False)

            yield Workers(submit, 2 * sum(client.nthreads().values()))
    elif workers > 1:
        pool = ThreadPoolExecutor(workers)
        try:
            yield Workers(pool.submit, 2 * workers)
        finally:
            pool.shutdown(cancel_futures=True)
    else:
        yield Workers(_at_once, 1)


def _at_once(function: Callable, *arguments: object) -> Future:
    done: Future = Future()
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
