"""The app in a process of its own, and what that process has used: processor time, memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.server import app, free_port

ROOT = Path(__file__).parents[2]
TICKS = os.sysconf("SC_CLK_TCK")  # a second


@dataclass(frozen=True)
class Server:
    """The running app. `log`: what it has written so far, to read with `said`."""

    url: str
    process: subprocess.Popen
    log: IO[str]

    def seconds(self) -> float:
        """Processor seconds of the server without its children."""
        numbers = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(numbers[11]) + int(numbers[12])) / TICKS

    def megabytes(self) -> float:
        """Memory that it holds now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def children(self) -> list[int]:
        """The processes that it has started and that still run."""
        children = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(child) for path in children for child in path.read_text().split()]

    def tracebacks(self) -> int:
        """How many are in its log."""
        return self.said().count("Traceback")

    def said(self) -> str:
        """What it has written to its log."""
        self.log.seek(0)
        return self.log.read()


def running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def serve(environment: Mapping[str, str] = {}, limit: str = "", port: int = 0) -> Iterator[Server]:
    """The app on a port, one of its own if none is given; `limit` is Python that its process runs first."""
    port = port or free_port()
    script = f"{limit}\nimport sys\nfrom streamlit.web.cli import main\nmain()"
    command = [sys.executable, "-c", script, "run", "app.py"]
    with app(command, ROOT, port, env={**os.environ, **environment}) as (process, log):
        yield Server(f"http://localhost:{port}", process, log)
