"""The limit of open files: raised to the hard limit, and as far as macOS lets it be where that is infinite."""

import builtins
import resource

import pytest

from pages.parts.session import open_files


class System:
    """A system with these limits of open files, which refuses a soft limit above `most`."""

    def __init__(self, soft: int, hard: int, most: int) -> None:
        self.limits, self.most = (soft, hard), most

    def getrlimit(self, which: int) -> tuple[int, int]:
        assert which == resource.RLIMIT_NOFILE
        return self.limits

    def setrlimit(self, which: int, limits: tuple[int, int]) -> None:
        assert which == resource.RLIMIT_NOFILE
        if limits[0] > self.most:
            raise ValueError("current limit exceeds maximum limit")
        self.limits = limits


INFINITE = 2**63 - 1


@pytest.mark.parametrize(
    ("soft", "hard", "most", "raised"),
    [
        (1024, 524_288, 524_288, 524_288),
        (4096, 4096, 4096, 4096),
        (256, INFINITE, 10_240, 10_240),  # macOS
        (20_000, INFINITE, 20_000, 20_000),  # never lowered
        (256, INFINITE, 0, 256),  # refused in every case
    ],
)
def test_the_soft_limit_becomes_the_highest_that_the_system_lets_it_be(monkeypatch, soft, hard, most, raised):
    system = System(soft, hard, most)
    for name in ("getrlimit", "setrlimit"):
        monkeypatch.setattr(resource, name, getattr(system, name))
    open_files.raise_limit()
    assert system.limits == (raised, hard)


def test_nothing_is_raised_where_there_is_no_limit(monkeypatch):
    limits, found = resource.getrlimit(resource.RLIMIT_NOFILE), builtins.__import__

    def without_resource(name, *how):
        if name == "resource":
            raise ImportError(name)
        return found(name, *how)

    monkeypatch.setattr(builtins, "__import__", without_resource)
    open_files.raise_limit()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == limits
