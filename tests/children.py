"""Child processes of tests. One that hangs is killed after a while, so that its test fails, and says where."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

SECONDS = 300  # less than a whole test may take: see faulthandler_timeout in pyproject.toml


def ran(command: list[str | Path], seconds: float = SECONDS, **options: Any) -> subprocess.CompletedProcess:
    """How a command ended; `options` are those of `subprocess.run`."""
    return subprocess.run(command, timeout=seconds, **options)


@contextmanager
def started(command: list[str | Path], seconds: float = SECONDS, **options: Any) -> Iterator[subprocess.Popen]:
    """A process, to talk to while it runs; `options` are those of `subprocess.Popen`.

    Once it is killed its pipes are closed, so whoever reads them waits no longer either.
    """
    with subprocess.Popen(command, **options) as process:
        limit = Timer(seconds, process.kill)
        limit.start()
        try:
            yield process
            process.wait()
        finally:
            limit.cancel()
            process.kill()  # where the test has failed: one that has ended is left alone
