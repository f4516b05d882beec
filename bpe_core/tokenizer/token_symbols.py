"""The base symbols inside the tokens of a text: those of each different token are looked up once, and gathered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from bpe_core.text.arrays import starts_of
from bpe_core.tokenizer.encoding_arrays import Rows, distinct
from bpe_core.tokenizer.tokens_and_merges import UNKNOWN, TokensAndMerges
from bpe_core.training.lifetimes import NEVER

ROW = 12  # bytes: size, id and merged_at of a symbol, 32 bits each


class Symbols(NamedTuple):
    """The base symbols inside tokens: the columns `sizes` (bytes), `ids` and `merged_at`; how many each token has."""

    sizes: np.ndarray
    ids: np.ndarray
    merged_at: np.ndarray
    lengths: np.ndarray

    @property
    def firsts(self) -> np.ndarray:
        """The first symbol of each token."""
        return starts_of(self.lengths)

    def starts(self, firsts: np.ndarray, at: np.ndarray) -> np.ndarray:
        """The first byte of each symbol: symbol `firsts[i]` starts at byte `at[i]`, the next ones follow it directly.

        >>> sizes = np.array([1, 1, 2, 1])
        >>> Symbols(sizes, sizes, sizes, sizes).starts(np.array([0, 2]), np.array([5, 9])).tolist()
        [5, 6, 9, 11]
        """
        begun = np.cumsum(self.sizes, dtype=np.int32) - self.sizes
        shift = (at - begun[firsts]).astype(np.int32)
        return begun + np.repeat(shift, np.diff(firsts, append=len(begun))) if shift.any() else begun


def symbols_of_tokens(tokenizer: TokensAndMerges, ids: np.ndarray, whole: np.ndarray | None = None) -> Symbols:
    """The symbols inside tokens; a token is one symbol of no size where `whole` says so.

    What is inside each different token is looked up once:

        ids        256 104 256        tokens ug, h, ug
        rows       h | u g            of 104 and 256: size, id and merged_at of each symbol
        gathered   u g h u g

    >>> from bpe_core import Settings, train
    >>> tokenizer = train("hug hug pug", Settings(vocab_size=257)).tokenizer()
    >>> bytes(symbols_of_tokens(tokenizer, np.array([256, 104, 256])).ids.tolist())
    b'ughug'
    """
    different, which = distinct(ids - UNKNOWN)
    different += UNKNOWN
    rows = [tokenizer.symbol_rows(token_id) for token_id in different.tolist()]
    table = np.frombuffer(b"".join(rows), np.int32).reshape(-1, 3)
    lengths = np.fromiter(map(len, rows), np.int64, len(rows)) // ROW
    if whole is not None:
        alone = np.column_stack((np.zeros_like(different), different, np.full_like(different, NEVER))).astype(np.int32)
        table, lengths = np.concatenate((table, alone)), np.append(lengths, np.ones_like(different))
        which = np.where(whole, which + len(rows), which)
    gathered = Rows(table, lengths).gathered(which)
    return Symbols(*gathered.numbers.T.copy(), gathered.lengths)


def sizes_between(known: np.ndarray, unknown: np.ndarray, written: Sequence[int]) -> list[int]:
    """The sizes of unknown symbols, from those of the known ones (0 for the others) and of all that the text has.

        known      1 0 0 2      of the symbols: a, two unknown ones, the token "bc"; `unknown` has 1 and 2
        written    1 2 3 1 1    the symbols of the text

    >>> sizes_between(np.array([1, 0, 0, 2]), np.array([1, 2]), [1, 2, 3, 1, 1])
    [2, 3]
    """
    size_at = dict(zip(accumulate(written, initial=0), written, strict=False))
    before, sizes = starts_of(known)[unknown].tolist(), []
    shift = 0
    for at in before:
        sizes.append(size_at[at + shift])
        shift += sizes[-1]
    return sizes
