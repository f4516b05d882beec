"""Writing files whole or not at all, and finding out beforehand what cannot be written.

A link is followed to what it names. What exists and is no ordinary file, such as a pipe or a device, is written to as
it is.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write files so that none is ever seen half-written: each under another name first, all renamed at the end.

    Raises `OSError` with the name of the file that cannot be written, before any is replaced.
    """
    check_writable(contents)
    written: list[tuple[str, Path]] = []
    try:
        for path, content in contents.items():
            with _naming(path):
                if _is_special(path):
                    path.write_bytes(content)
                else:
                    written.append((_write_beside(_followed(path), content), path))
        for temporary, path in written:
            with _naming(path):
                os.chmod(temporary, _mode(path))
                os.replace(temporary, _followed(path))
    finally:
        for temporary, _ in written:
            Path(temporary).unlink(missing_ok=True)


def check_writable(paths: Iterable[Path]) -> None:
    """Raise `OSError` for the first of `paths` that cannot be written to; nothing is left behind."""
    for path in paths:
        with _naming(path):
            if path.is_dir():
                raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not _is_special(path):
                with NamedTemporaryFile(dir=_followed(path).parent):
                    pass
            elif not os.access(path, os.W_OK):
                raise OSError(errno.EACCES, os.strerror(errno.EACCES))


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """An error is told with the name that the user knows."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()


def _followed(path: Path) -> Path:
    """The file that a name stands for in the end, whether it exists or not."""
    return Path(os.path.realpath(path))


def _write_beside(path: Path, content: bytes) -> str:
    """Write to a new file in the folder of `path`; its name."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name[:40]}.", delete=False) as file:
        try:
            file.write(content)
            file.flush()
        except BaseException:
            Path(file.name).unlink()
            raise
    return file.name


def _mode(path: Path) -> int:
    """The rights that a file of this name has or would get."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
