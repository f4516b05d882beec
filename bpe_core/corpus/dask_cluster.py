"""Counting on a Dask cluster.

Needs `pip install distributed` here, and this package with `regex`, NumPy and PyArrow on the cluster's workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 5


class ClusterError(RuntimeError):
    """A cluster that cannot count; the message says what is missing."""


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """Connect to the cluster at `address`, such as "tcp://192.0.2.1:8786". Calls unfinished at the end are cancelled.

    Raises `ClusterError` where there is no such cluster, or it has no workers.
    """
    try:
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port
    except ImportError:
        raise ClusterError("counting on a Dask cluster needs Dask: pip install distributed") from None
    try:
        get_address_host_port(address)  # a client that is given a wrong address fails too, but waits when it is deleted
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"there is no Dask cluster at {address}: {error}") from None
    with closing(client):
        if not client.nthreads():
            raise ClusterError(f"the Dask cluster at {address} has no workers")
        yield client
