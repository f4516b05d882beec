"""The app in a process of its own: started on a free port, waited for, ended."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import IO

START_SECONDS = 300  # until it must answer, also on a slow machine


@contextmanager
def serving(command: Sequence[str | Path], folder: Path, path: str = "") -> Iterator[str]:
    """The address of the app that this command starts in this folder. `path`: where the app is on its server."""
    port = free_port()
    with app([*command, f"--server.baseUrlPath={path}"], folder, port, path):
        yield f"http://localhost:{port}{path}"


@contextmanager
def app(
    command: Sequence[str | Path], folder: Path, port: int, path: str = "", env: Mapping[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen, IO[str]]]:
    """The process of the app once it answers on this port, and its log."""
    command = [*command, f"--server.port={port}"]
    with (
        tempfile.TemporaryFile("w+") as log,
        subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=env) as process,
    ):
        try:
            deadline = time.monotonic() + START_SECONDS
            while not answers(port, path):
                if process.poll() is not None or time.monotonic() > deadline:
                    log.seek(0)
                    raise RuntimeError(f"the app did not start:\n{log.read()}")
                time.sleep(0.1)
            yield process, log
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return free.getsockname()[1]


def answers(port: int, path: str = "") -> bool:
    """Whether the app is well there. Asked without `urllib`, which would ask a proxy where there is one."""
    asked = HTTPConnection("localhost", port, timeout=5)
    try:
        asked.request("GET", f"{path}/_stcore/health")
        return asked.getresponse().read() == b"ok"
    except OSError:  # also where it takes too long
        return False
    finally:
        asked.close()
