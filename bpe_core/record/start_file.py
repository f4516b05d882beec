"""The tokenizer that a run started from, as values of JSON in the run's file.

Only what a start may have is written: see `start_tokens.usable`. Bytes are written in hex.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from bpe_core.record.start_tokens import split_of, usable
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.encoding import Around
from bpe_core.tokenizer.tokenizer import Tokenizer


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
    return usable(Tokenizer(pretokenizer=PRETOKENIZERS[written["pretokenizer"]], **values))
