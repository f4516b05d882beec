"""Writing files whole or not at all, and finding out beforehand what cannot be written.

A link is followed to what it names. What exists and is no ordinary file, such as a pipe or a device, is written to as
it is.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryFile


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write files so that none is ever seen half-written: each under another name first, all renamed at the end.

    Raises `OSError` with the name of the file that cannot be written, before any is replaced.
    """
    check_writable(contents)
    written: dict[Path, tuple[Path, Path]] = {}
    with ExitStack() as at_the_end:
        for path, content in contents.items():
            with _naming(path):
                if _is_special(path):
                    path.write_bytes(content)
                    continue
                target = path.resolve()
                beside = target.with_name(f".{target.name[:40]}.{token_hex(4)}")
                at_the_end.callback(beside.unlink, missing_ok=True)
                beside.write_bytes(content)
                if target.exists():
                    shutil.copymode(target, beside)
                written[path] = beside, target
        for path, names in written.items():
            with _naming(path):
                os.replace(*names)


def check_writable(paths: Iterable[Path]) -> None:
    """Raise `OSError` for the first of `paths` that cannot be written to; nothing is left behind."""
    for path in paths:
        with _naming(path):
            if path.is_dir():
                raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not _is_special(path):
                TemporaryFile(dir=path.resolve().parent).close()
            elif not os.access(path, os.W_OK):
                raise OSError(errno.EACCES, os.strerror(errno.EACCES))


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """An error is told with the name that the user knows."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
