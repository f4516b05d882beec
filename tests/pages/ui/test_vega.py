"""Vega's script is made once for each machine and version, and is there without a disk too."""

import subprocess
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from pages.parts.server.served import Script
from pages.parts.ui import film_charts

MADE = b"the script of Vega"


@pytest.fixture
def made(monkeypatch, tmp_path):
    """The calls of the child process that makes the script; the cache folder is empty."""
    calls = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(subprocess, "run", lambda *command, **_: calls.append(command) or SimpleNamespace(stdout=MADE))
    return calls


def test_the_script_is_made_once_and_kept_under_its_version(made, tmp_path):
    assert [film_charts.vega_script(), film_charts.vega_script()] == [MADE, MADE]
    assert len(made) == 1
    assert [file.name for file in tmp_path.rglob("*.js")] == [f"vega-{film_charts.VEGA_VERSION}.js"]
    assert len([*(tmp_path / "mergescope").iterdir()]) == 1, "nothing else stays there"


def test_without_a_disk_or_a_home_it_is_made_each_time(made, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))  # no folder can be made in a file
    assert [film_charts.vega_script(), film_charts.vega_script()] == [MADE, MADE]
    monkeypatch.setenv("XDG_CACHE_HOME", "no/absolute/path")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError))
    assert film_charts.vega_script() == MADE
    assert len(made) == 3


def test_a_file_that_cannot_be_written_whole_is_not_there(made, monkeypatch, tmp_path):
    def full(_: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(film_charts.os, "fsync", full)
    assert film_charts.vega_script() == MADE
    assert not [*(tmp_path / "mergescope").iterdir()]


def test_who_asks_while_it_is_being_made_waits_for_it():
    go, calls = threading.Event(), []
    script = Script("a script", lambda: calls.append(go.wait(10)) or MADE, "1")
    script.begin()
    threading.Timer(0.05, go.set).start()
    assert script.content == MADE
    assert calls == [True]
