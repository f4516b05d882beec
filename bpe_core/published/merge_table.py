"""Compact files of vocabularies, compressed with zlib. A file contains merges or, for WordPiece, tokens.

A file of tokens has a line for each token, in the order of ids. A token that continues a word begins with `##`.

In a file of merges, the tokens and their ranks follow from the merges. The `n` merges are in columns of bytes, which
compress best:

    base        256 bytes    the single bytes in the order of their ranks
    left        3 × n bytes  the low bytes of all left halves, then all middle bytes, then all high bytes
    right       3 × n bytes  the same for the right halves

A half is a number: 0–255 for a single byte (its index in `base`), 256 + k for the token that merge k makes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bpe_core.text.arrays import Integers

COLUMNS = 3  # bytes of a half: enough for 2 ** 24 tokens


class PublishedError(ValueError):
    """A published vocabulary that cannot be loaded; the message is one sentence for the screen."""


def written(base: bytes, pairs: Sequence[tuple[int, int]]) -> bytes:
    """Return the content of a file of merges. `base`: the single bytes in order. `pairs`: the halves of each merge.

    >>> written(bytes(range(256)), [(97, 98), (256, 97)])[:2]
    b'x\\xda'
    """
    halves = np.array(pairs, "<u4").reshape(-1, 2).T.copy()  # [[lefts], [rights]]
    columns = halves.view(np.uint8).reshape(2, -1, 4)[:, :, :COLUMNS].transpose(0, 2, 1)
    return zlib.compress(base + columns.tobytes(), 9)


def read_merges(table: Path) -> tuple[bytes, Integers]:
    """Return (base, pairs) of a file; `PublishedError` if the file is damaged. `pairs`: a row (left, right) per merge.

    >>> path = Path("/dev/null")
    >>> read_merges(path)
    Traceback (most recent call last):
        ...
    bpe_core.published.merge_table.PublishedError: The table null is damaged; put the file back as it was published.
    """
    with _reading(table):
        raw = zlib.decompress(table.read_bytes())
        columns = np.frombuffer(raw, np.uint8, offset=256).reshape(2, COLUMNS, -1)
    weights = 256 ** np.arange(COLUMNS)
    pairs: Integers = np.einsum("hcn,c->nh", columns, weights)
    return raw[:256], pairs


def written_tokens(tokens: Sequence[str]) -> bytes:
    """Return the content of a file of tokens. `tokens`: all tokens in the order of their ids."""
    return zlib.compress("\n".join(tokens).encode(), 9)


def read_tokens(table: Path) -> list[str]:
    """Return the tokens of a file, in the order of their ids; `PublishedError` if the file is damaged."""
    with _reading(table):
        return zlib.decompress(table.read_bytes()).decode().split("\n")


@contextmanager
def _reading(table: Path) -> Iterator[None]:
    """Turn every error of reading a table into one sentence."""
    try:
        yield
    except OSError as error:
        raise PublishedError(f"The table {table.name} cannot be read ({error.strerror}).") from None
    except (zlib.error, ValueError):
        raise PublishedError(f"The table {table.name} is damaged; put the file back as it was published.") from None
