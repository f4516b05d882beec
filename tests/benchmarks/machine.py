"""What measurements run on, and how much of the processor's time went to others meanwhile.

All of this is read from `/proc`, so where there is none the share of others is not known.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = ("numpy", "pyarrow", "regex", "numba", "streamlit", "rustbpe", "gigabpe", "gigatoken",
             "sentencepiece", "tokenizers", "tiktoken", "playwright")  # fmt: skip
WINDOW = 10.0  # seconds: in less, single moments of others weigh too much
_STAT, _PROCESSES = Path("/proc/stat"), Path("/proc")
_BECOME_PARENT_OF_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER in <linux/prctl.h>


def about() -> dict[str, object]:
    """Return the machine's processor, cores and system, Python, and the versions of libraries that matter."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "libraries": {name: installed for name in LIBRARIES if (installed := _version(name))},
    }


def load() -> float:
    """Return how many processes wanted the processor in the last minute, on average."""
    return round(os.getloadavg()[0], 2)


def _processor() -> str:
    with suppress(OSError, IndexError):
        return Path("/proc/cpuinfo").read_text().split("model name\t: ", 1)[1].split("\n", 1)[0]
    return platform.processor() or platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def adopt_orphans() -> None:
    """Become the parent of processes whose parent ends before them: then they are found, ended and counted."""
    if _STAT.exists():
        ctypes.CDLL(None).prctl(_BECOME_PARENT_OF_ORPHANS, 1)


def _tree() -> dict[int, int]:
    """Return this process and all that it has started, directly or not: their ids, and their ticks of processor time.

    The ticks of a process include those of its children that it has waited for.
    """
    ticks, children = {}, dict[int, list[int]]()
    for path in _PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            fields = path.read_text().rpartition(")")[2].split()  # from the third field on: state, parent, …
            pid = int(path.parent.name)
            ticks[pid] = sum(map(int, fields[11:15]))  # utime, stime, cutime, cstime
            children.setdefault(int(fields[1]), []).append(pid)
    found = [os.getpid()]
    for pid in found:
        found += children.get(pid, ())
    return {pid: ticks[pid] for pid in found if pid in ticks}


def end_all() -> None:
    """Kill all that this process has started, directly or not."""
    for pid in _tree().keys() - {os.getpid()}:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def bury_orphans() -> None:
    """Wait for adopted processes that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


class Others:
    """The share of the processor's time that went to others than this process and its children, since it began.

    Time that the machine under a virtual one gave to others is theirs too.
    """

    def __init__(self) -> None:
        """Begin to watch."""
        self._samples = [_sample()] if _STAT.exists() else []
        self._most = 0.0

    def share(self) -> float | None:
        """Return the largest share so far, in any stretch of ten seconds or more that ended with a call of this.

        A ratio may have a figure of an earlier stretch in it, so the largest counts.
        """
        if not self._samples:
            return None
        now = _sample()
        before = next((sample for sample in reversed(self._samples) if now[0] - sample[0] >= WINDOW), self._samples[0])
        _, others, all_time = (new - old for new, old in zip(now, before, strict=True))
        self._samples.append(now)
        if all_time > 0:
            self._most = max(self._most, others / all_time)
        return round(self._most, 3)


def _sample() -> tuple[float, int, int]:
    """Return the time, and in ticks of all cores: what others had of the processor so far, and all there was."""
    ours = sum(_tree().values())
    user, nice, system, idle, waiting, interrupts, soft, stolen = map(int, _STAT.read_text().split(None, 9)[1:9])
    busy = user + nice + system + interrupts + soft + stolen
    return time.monotonic(), busy - ours, busy + idle + waiting
