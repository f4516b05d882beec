"""When the server looks for garbage."""

import gc

import pytest

from pages.parts.server import garbage


@pytest.fixture
def looks(monkeypatch):
    """The looks so far; `given`: when free memory was given back. A test sets what the clock and the collector say."""

    class Looks(list):
        now, new = 100.0, garbage.ENOUGH

    found = Looks()
    found.given = []
    monkeypatch.setattr(garbage, "monotonic", lambda: found.now)
    monkeypatch.setattr(garbage.gc, "get_count", lambda: (0, 0, found.new))
    monkeypatch.setattr(garbage.gc, "collect", lambda: found.append(found.now))
    monkeypatch.setattr(garbage, "give_memory_back", lambda: found.given.append(found.now))
    return found


def test_it_looks_now_and_then_if_there_is_something_new(looks):
    those = garbage.Garbage()
    those.collect()
    looks.now += garbage.EVERY - 1
    those.collect()
    assert looks == [100.0]
    looks.now += 1
    looks.new = garbage.ENOUGH - 1
    those.collect()
    assert looks == [100.0]
    looks.new += 1
    those.collect()
    assert looks == looks.given == [100.0, 100.0 + garbage.EVERY]


def test_python_looks_by_itself_but_later():
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    try:
        garbage.Garbage().begin()
        assert gc.get_threshold()[2] == garbage.OWN > before[2]
        assert gc.get_freeze_count() > frozen
    finally:
        gc.set_threshold(*before)  # what is frozen stays so: the tests are (conftest.py)
