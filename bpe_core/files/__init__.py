"""Tokenizers as files: loading and saving them. Each format is a module, and a row of `ALL_FORMATS`."""

from __future__ import annotations

import os
import re
from pathlib import Path

from bpe_core import arguments
from bpe_core.by_name import GivenTokenizer
from bpe_core.files import hub
from bpe_core.files.format import Format, FormatError
from bpe_core.files.hub import HubError
from bpe_core.files.opening import FORMATS, READABLE, chosen_of, contents_at, format_named, format_of, loads, split_by
from bpe_core.files.writing import check_writable, write_files
from bpe_core.published import PUBLISHED, named, near
from bpe_core.record.run import Run
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.tokenizer import Tokenizer

__all__ = [
    "FORMATS",
    "READABLE",
    "Format",
    "FormatError",
    "HubError",
    "check_writable",
    "dumps",
    "format_for",
    "format_of",
    "load",
    "loads",
    "paths_of",
    "save",
]

_OWNER_AND_MODEL = re.compile(r"\w[\w.-]*/\w[\w.-]*")
_ENDS = tuple(end[end.rindex(".") :] for row in READABLE.values() for end in row.ends)  # the endings of file names


def load(path: str | os.PathLike[str], pretokenizer: str | Pretokenizer | None = None) -> Tokenizer:
    """Return a tokenizer by its name or its path.

    `path` is one of
    - a vocabulary that ships with the project, such as `o200k_base`, or a model that uses one, such as `gpt-4o` (see
      `PUBLISHED`),
    - a model on the Hugging Face Hub: `hub:owner/model`,
    - a file. If its format has two files, the second is read from the same folder: the one with a usual name, or else
      the one that fits by its content.
    - a folder that has such files, under their usual names or as the only tokenizer under any names.

    Of a model and of a file, what is beside it is read too: see `loads`.

    Ids are of the text alone. What a file adds around a text, such as `[CLS]`, comes with `add_special_tokens=True`.
    Truncation, padding and dropout that a file asks for are left out.

    The three named vocabularies that were asked for last stay in memory, 270 MB if they are the largest.
    So `load("gpt-4o").ids(text)` may stand in a loop. A file is opened anew at each call.

    A `Path` is always a file, and so is a str with a folder in it, such as `./gpt2`. Arguments and errors are as for
    `loads`. In addition, raises `OSError` if a file cannot be read, and `HubError` if the Hub does not have the model.

    >>> load("gpt-4o").ids("Hello world")
    [13225, 2375]
    >>> from tempfile import TemporaryDirectory
    >>> from bpe_core import Settings, train
    >>> with TemporaryDirectory() as folder:
    ...     (path,) = train("hug hug pug", Settings(vocab_size=258)).tokenizer().save(folder)
    ...     load(path).ids("hug")
    [257]
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"load takes a name or a path, and this is {type(path).__name__}; loads takes contents")
    if not os.fspath(path).strip():
        raise FormatError("a name is needed, such as gpt-4o, or a file; for this folder say '.'")
    if isinstance(path, str):
        published = named(path)
        if published:
            return split_by(published.load(), chosen_of(pretokenizer))
        if path.startswith(hub.PREFIX):
            return loads(hub.fetch(path.removeprefix(hub.PREFIX)), pretokenizer)
        if not Path(path).exists() and _OWNER_AND_MODEL.fullmatch(path) and not path.endswith(_ENDS):
            raise FileNotFoundError(f"{path}: there is no such file; if it is a model on the Hub, say hub:{path}")
        if path.count("/") <= 1 and not Path(path).exists() and Path(path).suffix not in _ENDS:
            is_it = f"Is it {' or '.join(names)}? " if (names := near(path)) else ""
            raise FileNotFoundError(
                f"{path}: there is no such file, and no vocabulary of this name. {is_it}There are "
                f"{', '.join(PUBLISHED)}; these by the names of their models too, such as gpt-4o; and a model of the "
                "Hub as hub:owner/model"
            )
    return loads(contents_at(Path(path)), pretokenizer)


def opened(tokenizer: GivenTokenizer, pretokenizer: str | Pretokenizer | None = None) -> Tokenizer:
    """Return the tokenizer that a caller means; `TypeError` for anything else.

    `tokenizer`: a tokenizer, a run, what `load` takes, or the path of a run that `Run.save` wrote. `pretokenizer`: as
    for `load`.

    >>> opened("gpt2") is opened(load("gpt2"))
    True
    """
    if isinstance(tokenizer, Tokenizer):
        return tokenizer
    if isinstance(tokenizer, Run):
        return tokenizer.tokenizer()
    if not isinstance(tokenizer, (str, os.PathLike)):
        raise TypeError(f"a tokenizer or its name is needed, such as 'gpt2', and this is {type(tokenizer).__name__}")
    try:
        return load(tokenizer, pretokenizer)
    except FormatError as error:
        if "Run.load" not in str(error):
            raise
    return split_by(Run.load(tokenizer).tokenizer(), chosen_of(pretokenizer))


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
    tokenizer = tokenizer.plain()
    if not tokenizer.model.has_merges and format != "tokenizer.json":
        raise FormatError(f"{format} has merges, and a {tokenizer.model} vocabulary has none: write tokenizer.json")
    return write(tokenizer) if write else ()


def dumps(tokenizer: GivenTokenizer, format: str = "tokenizer.json") -> dict[str, bytes]:
    """Return the files of a tokenizer, default name → content.

    `tokenizer`: a tokenizer, a run, or what `load` takes. `format`: a key of `FORMATS`.

    The files contain the tokenizer's own ids. Raises `FormatError` if the format cannot store the tokenizer.

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
    >>> from bpe_core import Settings, train
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
