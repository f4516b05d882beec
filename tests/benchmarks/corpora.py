"""The texts that are measured: `CORPUS=path`, or built from the documentation and sources that the machine has."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from tests.texts import EXAMPLES

MEGABYTES = 40
FOLDERS = [Path("/usr/share/doc"), Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))]
ENDINGS = {".md", ".rst", ".txt", ".html", ".py", ".json"}


def _files() -> Iterator[Path]:
    """Text files, the documentation first, always in the same order."""
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*")):
            if path.suffix in ENDINGS and "__pycache__" not in path.parts and path.is_file():
                yield path


def large(megabytes: int = MEGABYTES) -> str:
    """A large corpus of many different words."""
    if "CORPUS" in os.environ:
        return Path(os.environ["CORPUS"]).read_text(encoding="utf-8", errors="replace")
    texts, size = [], 0
    for path in _files():
        text = path.read_bytes()[: 1 << 20].decode("utf-8", "replace")
        texts.append(text)
        size += len(text.encode())
        if size >= megabytes * 10**6:
            break
    return "\n".join(texts)


def book() -> str:
    """A text as long as a book (0.4 MB): `BOOK=path`, or the large corpus's beginning."""
    if "BOOK" in os.environ:
        return Path(os.environ["BOOK"]).read_text(encoding="utf-8")
    return large(1)[:380_000]


def story() -> str:
    """A short text."""
    return (EXAMPLES / "short-story.txt").read_text(encoding="utf-8")
