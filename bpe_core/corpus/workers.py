"""Counting by the calling thread, several threads, or a Dask cluster. The counts come in the order of the batches.

Threads can count at the same time, because work on arrays releases the interpreter's lock. That helps only where
counting takes most of the time, as for a large file; in a training on 40 MB counting takes a third.

A Dask cluster needs the extra `dask` on this machine. The cluster's workers need this package, `regex`, NumPy and
PyArrow.
"""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from bpe_core import arguments
from bpe_core.extras import needed

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 5
Batch = TypeVar("Batch")
Share = TypeVar("Share")
Same = TypeVar("Same")
Found = TypeVar("Found")


class ClusterError(RuntimeError):
    """A cluster that cannot count; the message says what is missing."""


class Workers(NamedTuple):
    """Threads, or a cluster, that run calls.

    `submit(function, *arguments)` starts a call and returns its future. `most`: how many calls may run or wait.
    `has_result` and `result` ask a future; those of Dask are of a class of its own, with the same methods.
    """

    submit: Callable[..., Future[Any]]
    most: int
    has_result: Callable[[Future[Any]], bool] = methodcaller("done")
    result: Callable[[Future[Any]], Any] = methodcaller("result")


@contextmanager
def workers_for(workers: int, dask: str) -> Iterator[Workers]:
    """Start `workers` threads, or connect to the Dask cluster at `dask`. At the end, cancel the calls that wait."""
    if arguments.text(dask, "the address of a cluster"):
        with connected(dask) as client:

            def submit(function: Callable[..., Found], *values: object) -> Future[Found]:
                """Submit the call as one object. Given a list of texts, Dask would search every text for tasks."""
                future: Future[Found] = client.submit(partial(function, *values), pure=False)
                return future

            yield Workers(submit, 2 * sum(client.nthreads().values()))
    elif workers > 1:
        pool, whole = ThreadPoolExecutor(workers), without_interruption()
        try:
            yield Workers(whole(pool.submit), 2 * workers, whole(Future.done), whole(Future.result))
        finally:
            whole(pool.shutdown)(cancel_futures=True)
    else:
        yield Workers(_at_once, 1)


@contextmanager
def without_interruption() -> Iterator[None]:
    """Let Ctrl-C wait for the end of the block, or of a function that this decorates.

    `threading` takes and returns its locks in Python code. `KeyboardInterrupt` in the middle of that code leaves a lock
    taken for ever, and the thread that needs the lock never ends.

    >>> without_interruption()(sum)([1, 2])
    3
    """
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not ours or threading.current_thread() is not threading.main_thread():  # no `KeyboardInterrupt` can come here
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if came:
            signal.raise_signal(signal.SIGINT)


def _at_once(function: Callable[..., Found], *arguments: object) -> Future[Found]:
    done: Future[Found] = Future()
    done.set_result(function(*arguments))
    return done


def in_order(
    batches: Iterable[tuple[Batch, Share]], count: Callable[[Batch, Same], Found], same: Same, workers: Workers
) -> Iterator[tuple[Found, Share]]:
    """Count each batch; yield (what was found, the batch's share), in order. Only a few batches are in memory.

    `same`: what counting needs besides a batch, such as the settings of a training.
    """
    waiting: deque[tuple[Future[Found], Share]] = deque()
    for batch, share in batches:
        waiting.append((workers.submit(count, batch, same), share))
        while waiting and (len(waiting) >= workers.most or workers.has_result(waiting[0][0])):
            counts, share = waiting.popleft()
            yield workers.result(counts), share
    for counts, share in waiting:
        yield workers.result(counts), share


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """Connect to the cluster at `address`, such as "tcp://192.0.2.1:8786". At the end, cancel unfinished calls.

    Raises `ClusterError` if there is no such cluster or the cluster has no workers. Raises `MissingExtraError` if Dask
    is not installed.
    """
    with needed("dask", "counting on a Dask cluster"):
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port
    try:
        get_address_host_port(address)  # `Client` would fail as well, but deleting it would then wait
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"there is no Dask cluster at {address}: {error}") from None
    with closing(client):
        if not client.nthreads():
            raise ClusterError(f"the Dask cluster at {address} has no workers")
        yield client
