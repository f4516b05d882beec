"""Tokenizers as files that other libraries load: `READABLE` and `FORMATS` have a row a format.

Not here: how each format is written and read; that is a module each.
"""

from __future__ import annotations

import os
from pathlib import Path

from bpe_core.files.format import Format, FormatError
from bpe_core.files.formats import FORMATS, READABLE, format_of
from bpe_core.files.hub import HubError
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.opening import load, loads
from bpe_core.files.writing import check_writable, write_files
from bpe_core.tokenizer.tokenizer import Tokenizer

__all__ = [
    "FORMATS",
    "READABLE",
    "Format",
    "FormatError",
    "HubError",
    "check_writable",
    "dumps",
    "format_of",
    "load",
    "loads",
    "paths_of",
    "save",
]


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise FormatError(f"format {name!r} is unknown; choose one of {', '.join(FORMATS)}")
    return FORMATS[name]


def _contents(tokenizer: Tokenizer, format: str) -> tuple[bytes, ...]:
    """The contents of the files; one that a library opened is only written as the file that it was."""
    form = _format(format)
    if not isinstance(tokenizer, LibraryTokenizer):
        return form.write(tokenizer)
    if format != "tokenizer.json" or not tokenizer.content.startswith(b"{"):
        raise FormatError(f"this vocabulary was opened from another kind of file, which is not written to {format}")
    return (tokenizer.content,)


def dumps(tokenizer: Tokenizer, format: str = "tokenizer.json") -> dict[str, bytes]:
    """The files of a tokenizer, by the names that they have by default; `format` is a key of `FORMATS`.

    The ids in them are the tokenizer's own. Raises `FormatError` where the format cannot carry the tokenizer.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> dumps(tok, "minbpe")["tokenizer.model"].splitlines()[-2:]
    [b'117 103', b'104 256']
    """
    return dict(zip(_format(format).files, _contents(tokenizer, format), strict=True))


def save(tokenizer: Tokenizer, path: str | os.PathLike, format: str = "tokenizer.json") -> list[Path]:
    """Write a tokenizer to `path`, whole or not at all; the paths that were written.

    A format of two files puts the second beside the first; in a folder all have their default names. Raises
    `FormatError` as `dumps` does, before anything is written.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import Settings, train
    >>> with TemporaryDirectory() as folder:
    ...     [path.name for path in save(train("hug", Settings(vocab_size=257)).tokenizer(), folder, ".tiktoken")]
    ...     load(Path(folder) / "tokenizer.tiktoken").ids("hug")
    ['tokenizer.tiktoken', 'tokenizer.tiktoken.json']
    [256, 103]
    """
    contents = _contents(tokenizer, format)
    paths = paths_of(path, format)
    write_files(dict(zip(paths, contents, strict=True)))
    return paths


def paths_of(path: str | os.PathLike, format: str = "tokenizer.json") -> list[Path]:
    """The files that `save` would write; `FormatError` where the name does not tell the second file's name.

    >>> [path.name for path in paths_of("mine.tiktoken", ".tiktoken")]
    ['mine.tiktoken', 'mine.tiktoken.json']
    """
    path, form = Path(path), _format(format)
    if path.is_dir():
        return [path / name for name in form.files]
    return [path, *(path.with_name(name) for name in form.beside(path.name))]
