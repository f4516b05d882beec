"""Saving tokenizers as files. Each format is a row of `opening.ALL_FORMATS`."""

from __future__ import annotations

import os
from pathlib import Path

from bpe_core import arguments
from bpe_core.by_name import GivenTokenizer
from bpe_core.files.conversion import with_merges
from bpe_core.files.format import FormatError
from bpe_core.files.loading import opened
from bpe_core.files.opening import FORMATS, format_named, format_of
from bpe_core.writing import write_files


def format_for(path: str | os.PathLike[str], format: str | None = None) -> str:
    """Return the key in `FORMATS` of the format that `save` writes. If `format` is None, the name in `path` decides.

    >>> format_for("mine.tiktoken"), format_for("mine.txt", "tiktoken")
    ('.tiktoken', '.tiktoken')
    """
    if format:
        return format_named(format)
    path = Path(path)
    return "tokenizer.json" if path.is_dir() else format_of(path.name)


def _contents(tokenizer: GivenTokenizer, format: str) -> tuple[bytes, ...]:
    """Return the files' contents. A library's `tokenizer.json` is written unchanged, or converted to `format`."""
    tokenizer, format = opened(tokenizer), format_named(format)
    write = FORMATS[format].write
    if format == "tokenizer.json" and tokenizer.content.startswith(b"{"):
        return (tokenizer.content,)
    tokenizer = tokenizer.plain() if format == "tokenizer.json" else with_merges(tokenizer)
    return write(tokenizer) if write else ()


def dumps(tokenizer: GivenTokenizer, format: str = "tokenizer.json") -> dict[str, bytes]:
    """Return the files of a tokenizer, default name → content.

    `tokenizer`: a tokenizer, a run, or what `load` takes. `format`: a key of `FORMATS`.

    The files contain the tokenizer's own ids. Raises `FormatError` if the format cannot store the tokenizer, and
    `MergesError`, which is one too, if the tokenizer has no merges or rules of its own.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> dumps(tok, "minbpe")["tokenizer.model"].splitlines()[-2:]
    [b'117 103', b'104 256']
    """
    return dict(zip(FORMATS[format_named(format)].files, _contents(tokenizer, format), strict=True))


def save(tokenizer: GivenTokenizer, path: str | os.PathLike[str], format: str | None = None) -> list[Path]:
    """Write the files of a tokenizer, all or none, and return their paths.

    `format`: "tokenizer.json" or "json", "vocab.json + merges.txt", "tiktoken" or "minbpe". If `format` is None, the
    end of the file's name decides, such as in `mine.tiktoken`. A folder, or a name without an end, gets a
    "tokenizer.json".

    If the format has two files, the second is written to the same folder. If `path` is a folder, the files have their
    default names. Raises `FormatError` as `dumps` does, before anything is written.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import Settings, load, train
    >>> with TemporaryDirectory() as folder:
    ...     [path.name for path in save(train("hug", Settings(vocab_size=257)).tokenizer(), folder, ".tiktoken")]
    ...     load(Path(folder) / "tokenizer.tiktoken").ids("hug")
    ['tokenizer.tiktoken', 'tokenizer.tiktoken.json']
    [256, 103]
    """
    if isinstance(path, str) and not path.strip():
        raise FormatError("a name is needed, or a folder such as '.'")
    format = format_for(arguments.path(path), format)
    contents = _contents(tokenizer, format)
    paths = paths_of(path, format)
    arguments.folder_to_write(paths[0].parent)
    write_files(dict(zip(paths, contents, strict=True)))
    return paths


def paths_of(path: str | os.PathLike[str], format: str = "tokenizer.json") -> list[Path]:
    """Return the files that `save` would write; `FormatError` if the second file's name does not follow from `path`.

    >>> [path.name for path in paths_of("mine.tiktoken", ".tiktoken")]
    ['mine.tiktoken', 'mine.tiktoken.json']
    """
    path, row = Path(path), FORMATS[format_named(format)]
    if path.is_dir():
        return [path / name for name in row.files]
    return [path, *(path.with_name(name) for name in row.beside(path.name))]
