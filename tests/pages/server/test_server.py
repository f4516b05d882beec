"""The server: its process is set up when it starts, and it logs nothing that visitors type."""

import builtins
import logging
import resource
import signal
import socket
import sys
from functools import partial
from multiprocessing import get_context
from time import sleep
from types import SimpleNamespace

import pytest

from pages.parts.server import server
from tests.pages.driver import open_page, type_text


def test_the_server_is_set_up_when_it_starts(monkeypatch):
    done, before = [], sys.getswitchinterval()
    for name in ("raise_open_files", "limit_ending"):
        monkeypatch.setattr(server, name, partial(done.append, name))
    slow = SimpleNamespace(begin=partial(done.append, "a slow script"))
    monkeypatch.setattr(server.GARBAGE, "begin", partial(done.append, "garbage"))
    sys.setswitchinterval(0.005)
    try:
        server.start([slow])
        assert sys.getswitchinterval() == server.SWITCH_INTERVAL
    finally:
        sys.setswitchinterval(before)
    assert done == ["raise_open_files", "limit_ending", "a slow script", "garbage"]
    for name in server.LOGGERS:
        assert sum(isinstance(each, server.OneLine) for each in logging.getLogger(name).filters) == 1


def _waits_for_a_visitor() -> None:
    """Be asked to end as Uvicorn is, and wait as it does, for a visitor who receives nothing."""
    signal.signal(signal.SIGTERM, lambda *_: None)
    server.limit_ending()
    signal.raise_signal(signal.SIGTERM)
    sleep(60)


def test_a_server_that_waits_for_a_visitor_ends_in_time(monkeypatch):
    monkeypatch.setattr(server, "ENDING", 0.1)
    process = get_context("fork").Process(target=_waits_for_a_visitor, daemon=True)
    process.start()
    process.join(30)
    process.kill()  # where it has not ended
    process.join()
    assert process.exitcode == -signal.SIGALRM


def test_what_the_server_accepts_sends_short_answers_at_once():
    """As for the socket that Streamlit makes: without a protocol, and listening before the app is imported."""

    def accepted(listening: socket.socket) -> int:
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as connection:
            return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    with socket.socket(family=socket.AF_INET) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        assert not accepted(listening), "else `send_at_once` is needed no more"
        server.send_at_once()
        assert accepted(listening)


class System:
    """A system with limits of open files, which refuses a soft limit above `most`."""

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
    server.raise_open_files()
    assert system.limits == (raised, hard)


def test_nothing_is_raised_where_there_is_no_limit(monkeypatch):
    limits, found = resource.getrlimit(resource.RLIMIT_NOFILE), builtins.__import__

    def without_resource(name, *how):
        if name == "resource":
            raise ImportError(name)
        return found(name, *how)

    monkeypatch.setattr(builtins, "__import__", without_resource)
    server.raise_open_files()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == limits


SECRET = "Zebrafinch4711"
LINKS = {
    "app": {"text": SECRET, "price": SECRET},
    "chat": {"turns": f'[["user", "{SECRET}"]]', "own_template": SECRET, "new_price": SECRET},
    "train": {"corpus": "paste", "text": SECRET, "pretokenizer": "custom", "pattern": f"({SECRET}", "forced": SECRET},
    "pipeline": {"text": SECRET, "normalizers": SECRET},
}


@pytest.mark.parametrize("page", LINKS)
def test_nothing_of_a_visitor_is_logged(page, capfd, caplog):
    caplog.set_level(logging.DEBUG)
    test = open_page("app.py" if page == "app" else f"pages/{page}.py", **LINKS[page])
    if page != "chat":
        type_text(test, f"{SECRET} {SECRET}\ud83e")
    logged = "".join([caplog.text, *capfd.readouterr()])
    assert SECRET not in logged
