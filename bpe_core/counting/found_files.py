"""The files to count: in folders, in an archive, or in memory; and what is left out.

What stands in a folder or an archive with a name that begins with a dot is hidden, and left out. So are symbolic links:
a circle of links then has no way in, and no file is counted twice. A path that is named itself is counted in any case.
Names are shown and never used to open anything: an entry of an archive is opened by its place there.
"""

from __future__ import annotations

import os
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from bpe_core import arguments
from bpe_core.text.encodings import ARCHIVE as ARCHIVE_KIND
from bpe_core.text.encodings import BINARY, PDF, PICTURE, RECORDING

HIDDEN, LINK, NO_FILE = "hidden", "symbolic link", "no ordinary file"
LEFT_OUT = {  # ordinary reason → what is left out: one, several
    HIDDEN: ("hidden file or folder", "hidden files and folders"),
    LINK: ("symbolic link", ""),
    PICTURE: ("picture", ""),
    ARCHIVE_KIND: ("archive", ""),
    RECORDING: ("sound or film", "sounds and films"),
    PDF: ("PDF", ""),
    BINARY: ("binary file", ""),
    NO_FILE: ("file that is no ordinary one", "files that are no ordinary ones"),
}
STANDARD_INPUT = "standard input"
ARCHIVE = b"PK\x03\x04"
# What damaged archives, and archives packed in other ways, raise.
_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError, OSError)
MOST_ENTRIES = 2_000  # in an archive
MOST_UNPACKED = 200 << 20  # bytes of the entries of all archives together, counted while they are read


class FoundFileError(ValueError):
    """A file that cannot be counted. The message says why, without the file's name."""


@dataclass(frozen=True)
class FoundFile:
    """A file to count. `name`: the shown one. `size`: bytes, as the folder or the archive says; 0 if not known.

    `named`: whether the caller named this file itself, and not a folder that contains it.
    """

    name: str
    size: int
    open: Callable[[], BinaryIO]
    named: bool = False

    @property
    def ending(self) -> str:
        """The ending of the name in small letters, such as ".csv"; "" if there is none."""
        return os.path.splitext(self.name)[1].lower()


class LeftOut(NamedTuple):
    """A file or folder that is not counted. `why`: an ordinary reason, one of `LEFT_OUT`, or a sentence."""

    name: str
    why: str

    @property
    def is_problem(self) -> bool:
        """Whether somebody would expect the file to be counted."""
        return self.why not in LEFT_OUT


Found = FoundFile | LeftOut


def shown_name(name: str) -> str:
    r"""Return the name of a file as text. Bytes that are no UTF-8 are written as `\x..`.

    >>> print(shown_name(os.fsdecode(b"caf\xe9.txt")))
    caf\xe9.txt
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def in_paths(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Iterator[Found]:
    """Yield the files of one path or of several, in their order; the files of a folder in the order of their names.

    A path "-" is standard input.
    """
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else arguments.several(paths, "paths"):
        if path == "-":
            yield FoundFile(STANDARD_INPUT, 0, lambda: sys.stdin.buffer, named=True)
            continue
        place = arguments.path(path)
        try:
            if place.is_dir():
                yield from _in_folder(place)
                continue
            size = place.stat().st_size  # raises for a path that is not there
        except OSError as error:
            yield LeftOut(shown_name(str(place)), _reason(error))
            continue
        yield FoundFile(shown_name(str(place)), size, partial(_open, place), named=True)


def _in_folder(folder: Path) -> Iterator[Found]:
    """Yield the files of a folder and of the folders in it, however deep they are."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here) as entries:
                inside = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield LeftOut(shown_name(str(here)), _reason(error))
            continue
        folders = []
        for entry in inside:
            name = shown_name(entry.path)
            why = _why_left_out(entry)
            if why:
                yield LeftOut(name, why)
            elif entry.is_dir():
                folders.append(Path(entry.path))
            else:
                yield _file(name, entry)
        waiting += reversed(folders)


def _why_left_out(entry: os.DirEntry[str]) -> str:
    if entry.name.startswith("."):
        return HIDDEN
    if entry.is_symlink():
        return LINK
    return "" if entry.is_dir() or entry.is_file() else NO_FILE


def _file(name: str, entry: os.DirEntry[str]) -> Found:
    try:
        return FoundFile(name, entry.stat().st_size, partial(_open, entry.path))
    except OSError as error:
        return LeftOut(name, _reason(error))


def _open(path: str | Path) -> BinaryIO:
    return open(path, "rb")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def in_memory(files: Mapping[str, bytes] | Iterable[tuple[str, bytes]]) -> Iterator[Found]:
    """Yield the files that are in memory, and the files of archives among them. `files`: name and content of each.

    >>> [found.name for found in in_memory([("notes/a.txt", b"low"), (".git/config", b"")])]
    ['notes/a.txt', '.git/config']
    """
    budget = Budget(MOST_UNPACKED)
    for name, content in files.items() if isinstance(files, Mapping) else files:
        shown = shown_name(name)
        if content.startswith(ARCHIVE) and name.lower().endswith(".zip"):
            yield from in_archive(shown, content, budget)
        elif _is_hidden(shown):
            yield LeftOut(shown, HIDDEN)
        else:
            yield FoundFile(shown, len(content), partial(BytesIO, content))


def _is_hidden(name: str) -> bool:
    """Return whether a file, or a folder that contains it, is hidden; so is what macOS adds to archives."""
    return any(
        (part.startswith(".") and part.strip(".")) or part == "__MACOSX" for part in name.replace("\\", "/").split("/")
    )


@dataclass
class Budget:
    """How many bytes may still be read of all archives together."""

    left: int

    def take(self, size: int) -> None:
        """Count bytes that were read; `FoundFileError` if they are too many."""
        self.left -= size
        if self.left < 0:
            raise FoundFileError(f"the archives have more than {MOST_UNPACKED >> 20} MB when they are unpacked")


def in_archive(name: str, content: bytes, budget: Budget) -> Iterator[Found]:
    """Yield the files of a zip archive. What an entry says of its size is not believed: see `Budget`."""
    try:
        archive = zipfile.ZipFile(BytesIO(content))
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except _DAMAGED as error:
        yield LeftOut(name, f"the archive cannot be read: {error}".lower())
        return
    for number, entry in enumerate(entries):
        inside = shown_name(f"{name}/{entry.filename}")
        if number == MOST_ENTRIES:
            yield LeftOut(name, f"the archive has {len(entries):,} files: only the first {MOST_ENTRIES:,} are counted")
            return
        if _is_hidden(entry.filename):
            yield LeftOut(inside, HIDDEN)
        elif entry.filename.lower().endswith(".zip"):
            yield LeftOut(inside, "an archive within an archive is not opened")
        elif entry.flag_bits & 1:
            yield LeftOut(inside, "it needs a password")
        else:
            yield FoundFile(inside, entry.file_size, partial(_open_entry, archive, entry, budget))


def _open_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: Budget) -> BinaryIO:
    try:
        return cast(BinaryIO, _Unpacked(cast(BinaryIO, archive.open(entry)), budget))
    except _DAMAGED as error:
        raise FoundFileError(f"the archive is damaged here: {error}") from None


class _Unpacked:
    """An entry of an archive, whose bytes are taken from a budget while they are read."""

    def __init__(self, entry: BinaryIO, budget: Budget) -> None:
        self._entry, self._budget = entry, budget

    def read(self, size: int = -1) -> bytes:
        if size < 0:  # all of it, but not before each part is taken from the budget
            parts = []
            while part := self.read(1 << 18):
                parts.append(part)
            return b"".join(parts)
        try:
            block = self._entry.read(size)
        except _DAMAGED as error:
            raise FoundFileError(f"the archive is damaged here: {error}") from None
        self._budget.take(len(block))
        return block

    def close(self) -> None:
        self._entry.close()


def left_out_by_reason(found: Iterable[LeftOut]) -> Mapping[str, int]:
    """Return how many files and folders were left out for each ordinary reason.

    >>> left_out_by_reason([LeftOut("a", HIDDEN), LeftOut("b", HIDDEN), LeftOut("c", "no such file")])
    {'hidden': 2}
    """
    counts: dict[str, int] = {}
    for each in found:
        if not each.is_problem:
            counts[each.why] = counts.get(each.why, 0) + 1
    return counts
