"""The texts that are measured: files, or built from what the machine has.

`BOOK=path`, `CORPUS=path` and `LANGUAGES=path` name a book, a large corpus and one in many languages.
"""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tests.texts import EXAMPLES

MEGABYTES = 40
FOLDERS = [Path("/usr/share/doc"), Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))]
TRANSLATIONS = Path("/usr/share/locale")
BOOK, LARGE, MANY = "book", "40 MB of documentation", "40 MB in many languages"
SIZES = {BOOK: 10_000, LARGE: 32_000, MANY: 32_000}  # of the vocabularies that are trained on them
SHORT_LINES = 32_000  # of four words
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


def many_languages(megabytes: int = MEGABYTES) -> str:
    """A large corpus in many languages: the translations of programs (gettext); empty where there are not enough."""
    if "LANGUAGES" in os.environ:
        return Path(os.environ["LANGUAGES"]).read_text(encoding="utf-8", errors="replace")
    texts, size = [], 0
    for path in sorted(TRANSLATIONS.rglob("*.mo"), key=lambda path: (path.name, path)):  # one program, all languages
        texts.append(_translations(path.read_bytes()))
        size += len(texts[-1].encode())
        if size >= megabytes * 10**6:
            return "\n".join(texts)
    return ""


def _translations(raw: bytes) -> str:
    """The translated texts of a `.mo` file: at byte 16 it says where the table of their lengths and offsets begins."""
    count, table = (int.from_bytes(raw[at : at + 4], "little") for at in (8, 16))
    rows = np.frombuffer(raw, "<u4", 2 * count, table).reshape(-1, 2).tolist()
    return "\n".join(raw[start : start + length].decode("utf-8", "replace") for length, start in rows)


def book() -> str:
    """A text as long as a book (0.4 MB): `BOOK=path`, or the large corpus's beginning."""
    if "BOOK" in os.environ:
        return Path(os.environ["BOOK"]).read_text(encoding="utf-8")
    return large(1)[:380_000]


def story() -> str:
    """A short text."""
    return (EXAMPLES / "short-story.txt").read_text(encoding="utf-8")


def texts() -> dict[str, str]:
    """The corpora that there are."""
    found = {BOOK: book(), LARGE: large(), MANY: many_languages()}
    return {name: text for name, text in found.items() if text}


def short_lines(text: str) -> list[str]:
    """The first words of a text as lines of four."""
    words = text[: 4 * 10**6].split()
    return [" ".join(words[start : start + 4]) + "\n" for start in range(0, 4 * SHORT_LINES, 4)]
