"""A Dask cluster on this machine."""

from contextlib import contextmanager


@contextmanager
def local_cluster(workers):
    from distributed import LocalCluster  # half a second, in the one process that wants it

    where = {"processes": False, "dashboard_address": ":0", "protocol": "tcp"}
    local = LocalCluster(n_workers=workers, threads_per_worker=1, **where)
    try:
        yield local
    finally:
        local.close(timeout=60)  # its own `with` would wait without end
