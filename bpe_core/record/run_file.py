"""A run as a file of JSON: the settings, and the corpus as texts or as counted words.

The merges are not in the file. They follow from the corpus and the settings, so reading a file trains again. Reading
takes as long as the first training, less the time for counting: 0.1 s for a book. So a run from a file is always a run
that `train` makes. If training started from a vocabulary that ships with the project, the file has only its name. Any
other tokenizer is written whole, with bytes in hex, as far as a start may have it: see `start_tokens.usable`.

A lone surrogate is written as the three bytes that Python's "surrogatepass" writes: JSON's escapes would make one
character of two surrogates side by side.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from bpe_core import by_name
from bpe_core.arguments import file_at, file_to_write
from bpe_core.kinds import Kind
from bpe_core.record.run import Run
from bpe_core.record.run_training import train, train_counts
from bpe_core.record.start_tokens import split_of, usable
from bpe_core.settings import GIVEN, SETTINGS, STARTS, Settings, SettingsError
from bpe_core.text.arrays import Counts
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.encoding import Around
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.writing import write_files


class _Field(NamedTuple):
    """How a field of `Tokenizer` is written and read."""

    write: Callable[[Any], Any] = lambda value: value
    read: Callable[[Any], Any] = lambda value: value


_FIELDS: dict[str, _Field] = {
    "tokens": _Field(lambda tokens: [token.hex() for token in tokens], lambda read: tuple(map(bytes.fromhex, read))),
    "merges": _Field(lambda merges: [[*map(int, row)] for row in merges], lambda read: tuple(map(tuple, read))),
    "alphabet": _Field(),
    "special_tokens": _Field(dict),
    "normalizers": _Field(list, tuple),
    "shared_ranks": _Field(),
    "symbols": _Field(
        lambda symbols: symbols and {token.hex(): i for token, i in symbols.items()},
        lambda read: read and {bytes.fromhex(token): i for token, i in read.items()},
    ),
    "by_rank": _Field(),
    "whole_words": _Field(),
    "byte_ids": _Field(list, tuple),
    "unknown_id": _Field(),
    "kinds": _Field(dict, lambda read: {int(i): kind for i, kind in read.items()}),
    "around": _Field(list, lambda read: Around(*map(tuple, read))),
    "around_two": _Field(list, lambda read: tuple(map(tuple, read))),
    "roles": _Field(dict),
    "assumptions": _Field(list, tuple),
    "recognised": _Field(),
}


def write_start(start: Tokenizer) -> dict[str, Any]:
    """Return a tokenizer that a training can start from as values of JSON.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug", Settings(vocab_size=257)).tokenizer()
    >>> read_start(write_start(tok)) == tok, write_start(tok)["merges"]
    (True, [[104, 117, 256]])
    """
    values = {name: field.write(getattr(start, name)) for name, field in _FIELDS.items()}
    return {"pretokenizer": split_of(start), **values}


def read_start(written: dict[str, Any]) -> Tokenizer:
    """Return the tokenizer that `write_start` wrote. Raises the errors of Python for other values."""
    values = {name: field.read(written[name]) for name, field in _FIELDS.items()}
    size, specials = len(values["tokens"]), values["special_tokens"].values()
    if not all(0 <= i < size for row in values["merges"] for i in row) or not all(0 <= i < MOST_ID for i in specials):
        raise ValueError("a merge or a special token has an id that no token has")
    return usable(Tokenizer(pretokenizer=PRETOKENIZERS[written["pretokenizer"]], **values))


FORMAT = "mergescope run"
VERSION = 1
START = "start"  # the key of the tokenizer that a training started from, or of its name
MOST_ID = 1 << 24  # ids of a start; it gets room for all of them


class RunFileError(ValueError):
    """A file that is not a run; the message says why."""


def save_run(run: Run, path: str | os.PathLike[str]) -> Path:
    """Write a run to a file, whole or not at all, and return the file's path.

    Raises `RunFileError` for a run that `load_run` could not read.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = save_run(train("hug hug pug", Settings(vocab_size=258)), Path(folder) / "hug.json")
    ...     load_run(path).merges[0].token
    b'ug'
    """
    path = file_to_write(path)
    if path.suffix not in ("", ".json"):
        raise RunFileError(f"a run is written as JSON, to a name such as run.json and not to {os.fspath(path)!r:.60}")
    name = by_name.name_of(run.start) if run.start is not None else None
    settings = {key: _written(row.kind, getattr(run.settings, key)) for key, row in SETTINGS.items()}
    own: dict[str, Any] = {}
    if run.start is not None and run.settings.start == GIVEN:
        own = {START: name if name in STARTS else write_start(run.start)}
    content = {FORMAT: VERSION, "settings": settings, **own, **_corpus(run)}
    write_files({path: json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")})
    return path


def _written(kind: Kind[Any], value: Any) -> Any:
    """Return a setting as its kind writes it; names that the text of the kind cannot say are a list.

    >>> _written(SETTINGS["special_tokens"].kind, ("<a>", "<b>")), _written(SETTINGS["special_tokens"].kind, ("a b",))
    ('<a> <b>', ['a b'])
    """
    written = kind.write(value)
    with suppress(ValueError):
        if kind.read(written) == value:
            return written
    return [*value]


def _setting(name: str, written: object) -> Any:
    """Return the setting that `_written` wrote."""
    kind = SETTINGS[name].kind
    return kind.read(written) if isinstance(written, str) else kind.check(written)


def _corpus(run: Run) -> dict[str, Any]:
    """Return the corpus for the file: texts or counted words, by source if there are several.

    >>> _corpus(train({"en": "low", "de": ["los", "so"]}))
    {'sources': {'en': ['low'], 'de': ['los', 'so']}}
    """
    by_source = run.stages[0].by_source
    if by_source is None:
        return {"words": _counts(run, run.pretoken_counts)} if run.texts is None else {"texts": run.texts}
    if run.texts is None:
        return {"words": {name: _counts(run, row) for name, row in zip(by_source.names, by_source.counts, strict=True)}}
    texts = iter(run.texts)
    return {"sources": {n: [*islice(texts, size)] for n, size in zip(by_source.names, by_source.texts, strict=True)}}


def _counts(run: Run, counts: Counts) -> dict[str, int]:
    """Return the words that occur, with their counts."""
    return {word: count for word, count in zip(run.pretokens, counts.tolist(), strict=True) if count}


def load_run(path: str | os.PathLike[str]) -> Run:
    """Return the run in a file that `save_run` wrote; `RunFileError` for any other file."""
    path = file_at(path)
    content: Any = None
    with suppress(UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        content = json.loads(path.read_bytes())
    if not isinstance(content, dict) or content.get(FORMAT) != VERSION or content[FORMAT] is True:
        raise RunFileError(f"{path}: this file is not a run that Mergescope saved")
    try:
        settings = Settings(**{name: _setting(name, written) for name, written in content["settings"].items()})
        if "words" in content:
            return train_counts(content["words"], settings, start=_start(content))
        texts = content["sources"] if "sources" in content else content["texts"]
        if not isinstance(texts, dict if "sources" in content else list):
            raise TypeError("its texts are not written as Mergescope writes them")
        return train(texts if isinstance(texts, dict) else tuple(texts), settings, start=_start(content))
    except (SettingsError, TypeError, ValueError) as error:  # their messages are clauses
        raise RunFileError(f"{path}: the file is damaged ({error})") from None
    except (LookupError, AttributeError, ArithmeticError, RuntimeError):  # of values that are not what they should be
        raise RunFileError(f"{path}: the file is damaged") from None


def _start(content: Mapping[str, Any]) -> Tokenizer | None:
    """Return the tokenizer that a training started from; None if it is not in the file."""
    written = content.get(START)
    if written is None:
        return None
    if not isinstance(written, str):
        try:
            return read_start(written)
        except SettingsError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError):
            raise ValueError("the tokenizer that it starts from is not written as Mergescope writes it") from None
    if written not in STARTS:
        raise ValueError(f"it starts from {written!r:.60}, which does not ship with this version")
    return by_name.opened(written)
