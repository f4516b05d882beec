"""Who counts the pieces of a corpus: this process, others beside it, or a Dask cluster; the counts keep their order."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import Protocol

from bpe_core.corpus.dask_cluster import DaskCluster
from bpe_core.corpus.worker_process import Pool
from bpe_core.settings import Settings


class Counters(Protocol):
    """Others that count. `room`: how many pieces they take at a time; `held`: how many may be on their way in all."""

    room: int
    held: int

    def submit(self, piece: str, settings: Settings) -> Future:
        """Hand over a piece; its counts come later."""

    def __enter__(self) -> Counters:
        """What `submit` is called on."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop all of it."""


class OwnProcesses(Pool):
    """As many processes as there are workers beside this one, which counts too."""

    def __init__(self, workers: int) -> None:
        """Start them."""
        super().__init__(workers - 1)
        self.room = 2 * (workers - 1)  # one piece that is being counted and one that waits, for each
        self.held = 4 * workers

    def submit(self, piece: str, settings: Settings) -> Future:
        """Hand a piece to the next process that is idle."""
        return super().submit("count", piece, settings)


def counters(workers: int, dask: str, count: Callable[[str, Settings], Counter[str]]) -> Counters:
    """Those who count beside this process: `workers - 1` others, or a Dask cluster whose workers call `count`."""
    if not dask:
        return OwnProcesses(workers)
    return DaskCluster(dask, count)


def in_order(
    parts: Iterable[tuple[str, int]], settings: Settings, here: Callable[[str], Counter[str]], others: Counters
) -> Iterator[tuple[Counter[str], int]]:
    """The counts of each part (piece, share), in the order of the pieces, whoever counts them.

    A piece is counted `here` when the others have enough to do. Few pieces and counts are in memory at a time.
    """
    waiting: deque[tuple[Future, int]] = deque()
    for piece, share in parts:
        while waiting and (len(waiting) >= others.held or waiting[0][0].done()):
            yield _next(waiting)
        if sum(not counts.done() for counts, _ in waiting) < others.room:
            waiting.append((others.submit(piece, settings), share))
        else:
            done: Future = Future()
            done.set_result(here(piece))
            waiting.append((done, share))
    while waiting:
        yield _next(waiting)


def _next(waiting: deque[tuple[Future, int]]) -> tuple[Counter[str], int]:
    counts, share = waiting.popleft()
    return counts.result(), share
