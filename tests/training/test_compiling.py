"""Where the compiled loop comes from: memory, the user's cache, the main thread or a child; and when there is none."""

import os
import sys
from pathlib import Path
from threading import Thread

import pytest

from bpe_core import Settings, train
from bpe_core.training import compiling, loops
from bpe_core.training.compiled_loop import Loop
from bpe_core.training.compiling import CompiledLoop
from tests.children import ran

ENOUGH = 100.0  # seconds that a training would take
ROOT = Path(__file__).parents[2]


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "mergescope"


@pytest.fixture
def without_numba(monkeypatch):
    """A process in which compiling is only told, and fills the cache with two files."""
    compiled = []

    def told(folder):
        compiled.append(folder)
        if folder:
            (folder / "inner").mkdir(exist_ok=True)
            (folder / "inner" / "code").write_bytes(b"code")
        return Loop()

    monkeypatch.setattr(compiling, "_compiled", told)
    monkeypatch.setattr(compiling, "_version", lambda: "loop-1")
    monkeypatch.setattr(compiling, "_compiles", lambda: True)
    monkeypatch.setattr(compiling, "find_spec", lambda name: True)
    return compiled


def in_thread(work):
    found = []
    thread = Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def printed(code):
    return ran([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_no_one_else_can_write_to_the_cache(cache):
    assert compiling.cache_folder() == cache
    assert cache.stat().st_mode & 0o777 == 0o700
    cache.chmod(0o755)
    assert compiling.cache_folder() == cache
    for mode in (0o770, 0o702):
        cache.chmod(mode)
        assert compiling.cache_folder() is None
    cache.chmod(0o700)
    cache.rename(cache.with_name("elsewhere"))
    cache.symlink_to(cache.with_name("elsewhere"))
    assert compiling.cache_folder() is None


def test_a_cache_that_is_not_ours_or_cannot_be_made_is_not_used(cache, monkeypatch, tmp_path):
    assert compiling.cache_folder()
    monkeypatch.setattr(os, "geteuid", lambda: cache.stat().st_uid + 1)
    assert compiling.cache_folder() is None
    monkeypatch.undo()
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert compiling.cache_folder() is None


def test_it_is_compiled_once_and_loaded_from_then_on(cache, without_numba):
    assert CompiledLoop().for_training(compiling.LOADING / 2) is None  # too little to gain
    assert CompiledLoop().for_training(ENOUGH)
    assert compiling.is_whole(cache / "loop-1")
    loop = CompiledLoop()
    assert loop.for_training(compiling.LOADING / 2) is None
    assert in_thread(lambda: loop.for_training(compiling.LOADING / 2))  # both together
    assert [folder.name[:4] for folder in without_numba] == ["new-", "loop"]


@pytest.mark.parametrize("damage", ["changed", "added", "removed", "no sums"])
def test_a_damaged_cache_is_compiled_again(cache, without_numba, damage):
    assert CompiledLoop().for_training(ENOUGH)
    folder = cache / "loop-1"
    if damage == "changed":
        (folder / "inner/code").write_bytes(b"c0de")
    elif damage == "added":
        (folder / "inner/more").touch()
    else:
        (folder / ("sums" if damage == "no sums" else "inner/code")).unlink()
    assert not compiling.is_whole(folder)
    assert CompiledLoop().for_training(ENOUGH)
    assert compiling.is_whole(folder)
    assert len(without_numba) == 2
    assert sorted(path.name for path in cache.iterdir()) == ["loop-1"]


def test_two_processes_that_compile_at_once_leave_one_folder(cache, without_numba, monkeypatch):
    told, folder = compiling._compiled, cache / "loop-1"

    def overtaken(began):
        loop = told(began)
        monkeypatch.setattr(compiling, "_compiled", told)
        compiling.compile_into(folder)
        return loop

    compiling.cache_folder()
    monkeypatch.setattr(compiling, "_compiled", overtaken)
    assert compiling.compile_into(folder)
    assert compiling.is_whole(folder)
    assert [path.name for path in cache.iterdir()] == ["loop-1"]


def test_without_a_cache_only_what_pays_is_compiled(without_numba, monkeypatch):
    monkeypatch.setattr(compiling, "cache_folder", lambda: None)
    loop = CompiledLoop()
    assert loop.for_training(compiling.COMPILING / 2) is None
    assert loop.for_training(compiling.COMPILING / 2)
    assert without_numba == [None]
    assert in_thread(lambda: CompiledLoop().for_training(ENOUGH)) is None


def test_a_thread_never_compiles_but_has_a_child_do_it(cache, without_numba, monkeypatch):
    class Child:
        running = True

        def __init__(self, function):
            assert function is compiling.compile_in_child

    monkeypatch.setattr(compiling, "Task", Child)
    loop = CompiledLoop()
    assert in_thread(lambda: loop.for_training(ENOUGH)) is None
    assert loop.for_training(ENOUGH) is None  # the child is still at it
    assert not without_numba
    assert compiling.compile_in_child()
    monkeypatch.setattr(Child, "running", False)
    assert in_thread(lambda: loop.for_training(ENOUGH))
    assert without_numba[-1] == cache / "loop-1"


def test_a_server_loads_at_its_start_or_has_a_child_compile(cache, without_numba, monkeypatch):
    class Child:
        running = True

        def __init__(self, function):
            self.function = function

    warm = []
    monkeypatch.setattr(compiling, "Task", Child)
    monkeypatch.setattr(compiling, "_warm_up", lambda: warm.append(True))
    loop = CompiledLoop()
    loop.begin()
    assert loop.for_training(ENOUGH) is None
    assert not without_numba
    assert warm
    compiling.compile_in_child()
    monkeypatch.setattr(Child, "running", False)
    assert loop.for_training(0.0)
    other = CompiledLoop()
    other.begin()
    assert other.for_training(0.0)
    assert len(without_numba) == 3
    assert len(warm) == 1


def test_a_child_that_failed_is_not_started_again(cache, without_numba, monkeypatch):
    children = []

    class Child:
        running = False

        def __init__(self, function):
            children.append(self)

    monkeypatch.setattr(compiling, "Task", Child)
    loop = CompiledLoop()
    assert [in_thread(lambda: loop.for_training(ENOUGH)) for _ in range(3)] == [None] * 3
    assert len(children) == 1


def test_a_child_with_a_limit_of_memory_only_loads(cache, without_numba, monkeypatch):
    monkeypatch.setattr(compiling, "memory_is_limited", lambda: True)
    monkeypatch.setattr(compiling, "Task", lambda function: pytest.fail("it started a child of its own"))
    loop = CompiledLoop()
    assert loop.for_training(ENOUGH) is None
    assert loop._child is None
    assert not without_numba
    assert compiling.compile_in_child()
    assert CompiledLoop().for_training(ENOUGH)


@pytest.mark.parametrize("place", ["_compiles", "_version", "_compiled", "compile_into"])
def test_whatever_fails_is_no_error(cache, without_numba, monkeypatch, place):
    def fail(*_):
        raise RuntimeError("LLVM")

    monkeypatch.setattr(compiling, place, fail)
    monkeypatch.setattr(loops, "LOOP", CompiledLoop())
    monkeypatch.setattr(loops, "SECONDS_A_MERGE", ENOUGH)
    assert train("low lower", Settings(vocab_size=258)).steps == 2


def test_without_numba_there_is_no_loop(monkeypatch):
    monkeypatch.setattr(compiling, "find_spec", lambda name: None)
    monkeypatch.setattr(loops, "LOOP", CompiledLoop())
    monkeypatch.setattr(loops, "SECONDS_A_MERGE", ENOUGH)
    monkeypatch.setattr("bpe_core.training.compiled_trainer.CompiledTrainer.run", None)
    assert train("low lower", Settings(vocab_size=258)).steps == 2


def test_training_imports_no_numba_before_it_pays():
    code = "import sys; from bpe_core import train; train('low lower'); print('numba' in sys.modules)"
    assert printed(code) == "False\n"


WITH_NUMBA = """
import os, sys
os.environ["NUMBA_DISABLE_JIT"] = "0"
from threading import Thread
from time import sleep
from bpe_core.training import compiling
for place in ("thread", "main"):
    loop = compiling.CompiledLoop()
    def ask():
        global found
        found = loop.for_training(100.0)
        while loop._child and not found and not loop._impossible:
            sleep(0.1)
            found = loop.for_training(100.0)
    if place == "main":
        ask()
    else:
        thread = Thread(target=ask)
        thread.start()
        thread.join()
    print(place, [len(each.stats.cache_hits) for each in found])
"""


@pytest.mark.thorough
def test_machine_code_goes_from_a_child_into_the_cache_and_from_there_into_a_thread(cache):
    pytest.importorskip("numba")
    assert printed(WITH_NUMBA) == "thread [1, 1]\nmain [1, 1]\n"
