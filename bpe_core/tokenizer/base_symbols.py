"""Base symbols: the bytes, or the characters and the word marker, that the merges of a vocabulary start from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np

from bpe_core.text.alphabet import MARKER, decode_bytes, symbols_of
from bpe_core.text.arrays import Bytes, Ids, Integers

UNKNOWN = -1
"""The id of a character that the alphabet does not have; `decode` writes it as `<unk>`."""


@dataclass(frozen=True, eq=False)
class BaseSymbols:
    """The ids of the base symbols, and the symbols inside each token.

    - `tokens`: the bytes of each token, by id.
    - `ids`: the id of each base symbol, by its bytes.
    - `byte_ids`: the ids of the 256 byte values, or empty. A character that is no base symbol is written with the ids
      of its bytes. A byte without an id has `UNKNOWN`; a character with such a byte is unknown.
    - `endings`: id of a token that ends a word → id of the token's last symbol. Some vocabularies have other symbols at
      the end of a word, such as CLIP's `t</w>`.

    >>> symbols = BaseSymbols((b"h", b"u", b"hu"), {b"h": 0, b"u": 1})
    >>> symbols.inside(2), symbols.ids_inside(2)
    ((b'h', b'u'), [0, 1])
    """

    tokens: tuple[bytes, ...]
    ids: Mapping[bytes, int]
    alphabet: str = "bytes"
    word_marker: str = "none"
    byte_ids: tuple[int, ...] = ()
    endings: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def bytes_written(self) -> frozenset[int]:
        """The ids of the tokens that each write one byte of a character that is no base symbol."""
        return frozenset(self.byte_ids)

    def of(self, word: str) -> tuple[bytes, ...]:
        """Return the base symbols of a word, and of its word marker if any. The vocabulary may lack some.

        >>> BaseSymbols((), {}, word_marker="end").of("hu")
        (b'h', b'u', b'\\xff')
        """
        return symbols_of(word, self.alphabet, self.word_marker)

    def ids_of(self, symbols: Sequence[bytes]) -> list[int]:
        """Return the ids of base symbols. An unknown symbol becomes `UNKNOWN`, or the ids of its bytes.

        >>> BaseSymbols((b"h",), {b"h": 0}).ids_of((b"h", b"u"))
        [0, -1]
        """
        if not self.byte_ids:
            return [self.ids.get(symbol, UNKNOWN) for symbol in symbols]
        return list(chain.from_iterable(map(self._ids_of_one, symbols)))

    def _ids_of_one(self, symbol: bytes) -> tuple[int, ...]:
        if symbol in self.ids:
            return (self.ids[symbol],)
        ids = tuple(map(self.byte_ids.__getitem__, symbol))
        return (UNKNOWN,) if UNKNOWN in ids else ids

    def sizes_of(self, symbols: Sequence[bytes]) -> list[int]:
        """Return how many bytes of the text each id of `ids_of` covers; a word marker covers none."""
        if not self.byte_ids:
            marked = self.word_marker != "none"
            return [0 if marked and symbol == MARKER else len(symbol) for symbol in symbols]
        written = ((symbol, len(self._ids_of_one(symbol))) for symbol in symbols)
        return list(chain.from_iterable([len(symbol)] if ids == 1 else [1] * ids for symbol, ids in written))

    def inside(self, token_id: int) -> tuple[bytes, ...]:
        """Return the base symbols of a token's bytes.

        >>> BaseSymbols((b"n\\xc3\\xa9\\xff",), {}, "characters", "end").inside(0)
        (b'n', b'\\xc3\\xa9', b'\\xff')
        """
        token = self.tokens[token_id]
        if self.alphabet == "bytes":
            return tuple([token[i : i + 1] for i in range(len(token))])
        first, *others = (symbols_of(decode_bytes(part), self.alphabet, "none") for part in token.split(MARKER))
        return tuple(chain(first, *((MARKER, *other) for other in others)))

    def ids_inside(self, token_id: int) -> list[int]:
        """Return the ids of a token's base symbols."""
        ids = self.ids_of(self.inside(token_id))
        if token_id in self.endings and ids:
            ids[-1] = self.endings[token_id]
        return ids

    def sizes_and_ids(self, token_id: int) -> tuple[Integers, Ids]:
        """Return the sizes in bytes and the ids of a token's base symbols.

        >>> symbols = BaseSymbols((b"h", b"u", b"hu"), {b"h": 0, b"u": 1})
        >>> [column.tolist() for column in symbols.sizes_and_ids(2)]
        [[1, 1], [0, 1]]
        """
        token = self.tokens[token_id]
        if (self.alphabet == "bytes" or token.isascii()) and not self.byte_ids and not self.endings:
            sizes, ids = self._of_each_byte
            raw = np.frombuffer(token, np.uint8)
            return sizes[raw], ids[raw]
        symbols = self.inside(token_id)
        return np.array(self.sizes_of(symbols), np.int32), np.array(self.ids_inside(token_id), np.int32)

    @property
    def of_each_byte(self) -> bool:
        """Whether the symbols of every token are its bytes, one after another."""
        return self.alphabet == "bytes" and not self.byte_ids and not self.endings

    def ids_of_bytes(self, raw: Bytes) -> Ids:
        """Return the id of each byte as a base symbol, where `of_each_byte` is true.

        >>> BaseSymbols((b"h",), {b"h": 0}).ids_of_bytes(np.frombuffer(b"hu", np.uint8)).tolist()
        [0, -1]
        """
        return self._of_each_byte[1][raw]

    @cached_property
    def _of_each_byte(self) -> tuple[Integers, Ids]:
        """The sizes and the ids of the 256 bytes."""
        each = [bytes([value]) for value in range(256)]
        return np.array(self.sizes_of(each), np.int32), np.array(self.ids_of(each), np.int32)
