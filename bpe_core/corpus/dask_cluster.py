"""Counting on a Dask cluster.

Needs `pip install distributed` here, and this package with `regex`, NumPy and PyArrow on the cluster's workers.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from bpe_core.corpus.word_counts import WordCounts
from bpe_core.settings import Settings

CONNECT_SECONDS = 5


class ClusterError(RuntimeError):
    """A cluster that cannot count; the message says what is missing."""


class DaskCluster:
    """The workers of a cluster: `DaskCluster("tcp://192.0.2.1:8786")`; chunks of text go to them from here."""

    def __init__(self, address: str, count: Callable[[str, Settings], WordCounts]) -> None:
        """Connect; `count` is what the workers do with a chunk. Raises `ClusterError` where that does not work."""
        try:
            from distributed import Client
            from distributed.comm import get_address_host_port
        except ImportError:
            raise ClusterError("counting on a Dask cluster needs Dask: pip install distributed") from None
        try:
            get_address_host_port(address)  # a client that fails on a wrong address still waits when it is thrown away
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f"there is no Dask cluster at {address}: {error}") from None
        threads = sum(self._client.nthreads().values())
        if not threads:
            self._client.close()
            raise ClusterError(f"the Dask cluster at {address} has no workers")
        self._count = count
        self.most = 2 * threads

    def submit(self, chunk: str, settings: Settings) -> Future:
        """Hand over a chunk; its counts come later."""
        sent = self._client.scatter(chunk, hash=False)
        return self._client.submit(self._count, sent, settings, pure=False)

    def __enter__(self) -> DaskCluster:
        """The cluster itself."""
        return self

    def __exit__(self, *_: Any) -> None:
        """Leave the cluster; what it still counts is cancelled."""
        self._client.close()
