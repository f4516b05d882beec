"""Where the loop of a training is compiled, and where its machine code is cached.

Compiling takes some seconds, in which no other thread of the process may run. So it happens in the main thread alone;
any other thread, as in a server, has a child process do it, and goes on without.

    in memory?              use it
    in the user's cache?    load it: a quarter of a second
    is memory limited?      use the other loop: compiling takes 200 MB
    in the main thread?     compile it, and put it into the cache
    else                    start a child that does so, and use the other loop until the child has ended

A server calls `begin` before its first visitor: importing numba would hold all threads for a tenth of a second, later.

The cache contains code. So its folder has to be the user's own, no one else may write to it, and the sums of its files
are compared before they are loaded. Each version of the loop, of numba, of Python and of the processor has a folder of
its own:

    ~/.cache/mergescope/loop-1f0c…/     `index` and `data` are numba's own files
        sums                            of all files

A folder gets its name when all is in it. If two processes compile at once, one of the folders is dropped. Whatever goes
wrong, there is no error: the training takes longer.
"""

from __future__ import annotations

import mmap
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, current_thread, main_thread
from time import time
from typing import TYPE_CHECKING

from bpe_core.processes.child import Task

if TYPE_CHECKING:
    from bpe_core.training.compiled_loop import Loop

# Processor seconds. What is saved by the compiled loop has to be worth it.
LOADING = 0.5
COMPILING = 6.0
SUMS = "sums"  # the name of a file


class CompiledLoop:
    """The loop of this process: not there yet, in memory, or impossible."""

    def __init__(self) -> None:
        """Start without the loop."""
        self._lock = Lock()
        self._loop: Loop | None = None
        self._child: Task[bool] | None = None
        self._impossible = find_spec("numba") is None
        self._missed = 0.0  # seconds of the trainings that went without

    def for_training(self, seconds: float) -> Loop | None:
        """Return the compiled loop for a training; None if the training has to use the other loop.

        `seconds`: what the training takes with the other loop. The compiled loop is loaded as soon as the trainings
        without it have taken as many seconds as loading costs.
        """
        if self._loop is not None or self._impossible or not self._lock.acquire(blocking=False):
            return self._loop
        try:
            self._missed += seconds
            if self._missed >= LOADING:
                self._loop = self._found(current_thread() is main_thread() and not memory_is_limited())
        except Exception:  # of numba, LLVM or the disk: the other loop always works
            self._impossible = True
        finally:
            self._lock.release()
        return self._loop

    def begin(self) -> None:
        """Load the loop, or start a child that compiles it. A server calls this before its first visitor.

        Then a thread that loads the loop later, when the child has ended, holds no other thread for long.
        """
        if self._impossible:
            return
        with self._lock:
            try:
                self._missed = LOADING  # the next training that asks gets the loop, if the child has ended
                self._loop = self._found(may_compile=False)
                if self._child:
                    _warm_up()
            except Exception:  # as in `for_training`
                self._impossible = True

    def _found(self, may_compile: bool) -> Loop | None:
        """Load the loop, or compile it, or start a child that does."""
        if self._child and self._child.running:
            return None
        if not _compiles():
            self._impossible = True
            return None
        folder = _folder()
        if folder and is_whole(folder):
            return _compiled(folder)
        if may_compile:
            if folder:
                return compile_into(folder)
            return _compiled(None) if self._missed >= COMPILING else None
        if self._child or not folder or memory_is_limited():  # a child has failed, or would fail
            self._impossible = True
        else:
            self._child = Task(compile_in_child)
        return None


LOOP = CompiledLoop()


def compile_in_child(progress: Callable[[str, int, int], None] | None = None) -> bool:
    """Compile the loop into the cache, in a child process that lets others go first."""
    with suppress(OSError, AttributeError):
        os.nice(10)
    folder = _folder()
    if folder and not is_whole(folder):
        compile_into(folder)
    return folder is not None


def _folder() -> Path | None:
    """Return the folder of this version in the cache; None if there can be no cache."""
    root = cache_folder()
    return root / _version() if root else None


def cache_folder() -> Path | None:
    """Return the folder of the cache, in the user's own; None if it cannot be used or others could write to it."""
    try:
        folder = _users_cache() / "mergescope"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode):
            return None
        if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & 0o022):
            return None
        return folder if os.access(folder, os.W_OK | os.X_OK) else None
    except (OSError, RuntimeError):  # there is no home
        return None


def _users_cache() -> Path:
    named = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
    if Path(named).is_absolute():
        return Path(named)
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def _compiles() -> bool:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return False

    import numba

    return not numba.config.DISABLE_JIT


def _warm_up() -> None:
    """Compile next to nothing: half a second, in which numba reads what it needs to load machine code as well."""
    import numba

    numba.njit(lambda: 0)()


def _version() -> str:
    """Return the name of this version's folder: what numba's cache depends on, and the sources of this chapter.

    The code depends on the types of the arrays too, which other modules of the chapter make.
    """
    import llvmlite.binding
    import numba

    from bpe_core.training import compiled_loop

    source = Path(compiled_loop.__file__)
    processor = llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten()
    chosen = sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_"))
    sources = [path.read_bytes() for path in sorted(source.parent.glob("*.py"))]
    parts = sources, source.resolve(), source.stat().st_mtime_ns, numba.__version__, sys.version, processor
    return f"loop-{sha256(repr((parts, chosen)).encode()).hexdigest()[:32]}"


def _compiled(folder: Path | None) -> Loop:
    """Return the loop, from numba's cache in the folder, or compiled; None: without a cache."""
    import numba

    from bpe_core.training import compiled_loop
    from bpe_core.training.compiled_trainer import practice

    before = numba.config.CACHE_DIR
    try:
        if folder:
            numba.config.CACHE_DIR = str(folder)
        jit = numba.njit(nogil=True, cache=folder is not None)
        loop = compiled_loop.Loop(*map(jit, compiled_loop.Loop()))
    finally:
        numba.config.CACHE_DIR = before
    practice(loop)  # loads or compiles it, for the types of its arrays
    return loop


def compile_into(folder: Path) -> Loop:
    """Compile the loop, put it into the folder if there is none, and return it."""
    for old in (folder, *_left_over(folder.parent)):  # the first is not whole
        shutil.rmtree(old, ignore_errors=True)
    began = Path(tempfile.mkdtemp(prefix="new-", dir=folder.parent))
    try:
        loop = _compiled(began)
        (began / SUMS).write_text(_sums(began))
        with suppress(OSError):  # another process was first
            began.rename(folder)
    finally:
        shutil.rmtree(began, ignore_errors=True)
    return loop


def memory_is_limited() -> bool:
    """Return whether this process may only use so much memory, as the child of a server."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    return resource.getrlimit(resource.RLIMIT_DATA)[0] != resource.RLIM_INFINITY


def has_room(size: int) -> bool:
    """Return whether this process may use `size` more bytes. The limit itself answers: the bytes are asked for.

    They are never written to, so they take no memory, but they count in the limit. An array would do as well, but after
    a failure the C library would take later arrays from another place, and need more memory.

    >>> has_room(1 << 20)
    True
    """
    if not memory_is_limited():
        return True
    try:
        mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except OSError:
        return False
    return True


def _left_over(root: Path) -> list[Path]:
    """Return the folders of processes that were ended while they compiled."""
    return [path for path in root.glob("new-*") if time() - path.lstat().st_mtime > 3600]


def is_whole(folder: Path) -> bool:
    """Return whether the folder has the files that were put into it, unchanged."""
    try:
        return (folder / SUMS).read_text() == _sums(folder)
    except (OSError, ValueError):
        return False


def _sums(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    return "".join(f"{sha256(path.read_bytes()).hexdigest()} {path.relative_to(folder)}\n" for path in files)
