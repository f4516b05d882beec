"""Writing files whole or not at all, and checking first that they can be written.

A symbolic link stays: the file that it points to is written. A pipe or a device is written to directly.
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
    """Write files so that nobody sees a half-written file.

    Each file is written under a temporary name; then all files are renamed. Raises `OSError` with the name of a file
    that cannot be written, before any file is replaced.
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
                temporary = target.with_name(f".{target.name[:40]}.{token_hex(4)}")
                at_the_end.callback(temporary.unlink, missing_ok=True)
                temporary.write_bytes(content)
                if target.exists():
                    shutil.copymode(target, temporary)
                written[path] = temporary, target
        for path, names in written.items():
            with _naming(path):
                os.replace(*names)


def check_writable(paths: Iterable[Path]) -> None:
    """Raise `OSError` for the first of `paths` that cannot be written to; nothing is written."""
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
    """Raise errors with this path, which the user knows, instead of a temporary path."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
