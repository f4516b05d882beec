"""A vocabulary and its merges: what is known of each id. The base of `Encoder` and with it of `Tokenizer`."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import chain

import numpy as np
import pyarrow as pa

from bpe_core.text.alphabet import MARKER, decode_bytes, encode_text, symbols_of
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.derivations import Derivations
from bpe_core.tokenizer.merging import Ranks, ranks_of
from bpe_core.training.lifetimes import NEVER

UNKNOWN = -1  # the id of a character that the alphabet does not have
UNKNOWN_TEXT = "<unk>"


@dataclass(frozen=True, eq=False, repr=False)
class TokensAndMerges:
    """The tokens of a vocabulary, its merges, and how text is prepared for them.

    `tokens`: bytes by id, empty where an id has no token. `merges`: (left id, right id, new id), the first learnt
    first. `special_tokens`: name → id. `normalizers`: keys of `NORMALIZERS`, applied to the text between those.

    The other fields are for vocabularies that others made:
    - `prefix_space`: whether a space is put before text that begins with none, also behind special tokens.
    - `whole_words`: a pretoken that is itself a token becomes that token, unmerged.
    - `shared_ranks`: merges to the same token have one rank.
    - `symbols`: the base symbols, bytes → id, where they are not simply the tokens that no merge makes.
    - `byte_ids`: the ids of the 256 byte values, to write a character that is no base symbol; `UNKNOWN` for a byte that
      has none, whose characters are unknown.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> tok.token_bytes(257), tok.origin(257), tok.vocab_size
    (b'hug', (104, 256, 2), 258)
    """

    tokens: tuple[bytes, ...]
    merges: tuple[tuple[int, int, int], ...]
    pretokenizer: Pretokenizer
    alphabet: str = "bytes"
    word_marker: str = "none"
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    normalizers: tuple[str, ...] = ()
    prefix_space: bool = False
    whole_words: bool = False
    shared_ranks: bool = False
    symbols: Mapping[bytes, int] | None = None
    byte_ids: tuple[int, ...] = ()

    @cached_property
    def ranks(self) -> Ranks:
        """The rank of every pair that a merge joins: see `merging.ranks_of`."""
        return ranks_of(self.merges, self.shared_ranks)

    @cached_property
    def base_ids(self) -> Mapping[bytes, int]:
        """The ids of the base symbols, by their bytes."""
        if self.symbols is not None:
            return self.symbols
        made = {new for _, _, new in self.merges}
        return {token: i for i, token in enumerate(self.tokens) if i not in made}

    @cached_property
    def halves(self) -> np.ndarray:
        """The ids that each step joins, a row of left and right a step; step `k` is at `k - 1`."""
        return np.array([pair for *pair, _ in self.merges], np.int32).reshape(-1, 2)

    @cached_property
    def token_column(self) -> pa.BinaryArray:
        """The tokens, to search all of them at once."""
        return pa.array(self.tokens, pa.binary())

    @cached_property
    def made_ids(self) -> np.ndarray:
        """The id that each step makes; step `k` is at `k - 1`."""
        return np.array([new for _, _, new in self.merges], np.int64)

    @cached_property
    def _names(self) -> dict[int, str]:
        return {i: name for name, i in self.special_tokens.items()}

    @cached_property
    def _id_of(self) -> dict[bytes, int]:
        return {token: i for i, token in enumerate(self.tokens) if token and i not in self._byte_ids}

    @cached_property
    def _byte_ids(self) -> frozenset[int]:
        return frozenset(self.byte_ids)

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.tokens), default=1)

    def ids_of_symbols(self, symbols: Sequence[bytes]) -> list[int]:
        """The ids of base symbols; one that is not known is `UNKNOWN`, or is written as its bytes."""
        base = self.base_ids
        if not self.byte_ids:
            return [base.get(symbol, UNKNOWN) for symbol in symbols]
        return list(chain.from_iterable(map(self._ids_of_symbol, symbols)))

    def _ids_of_symbol(self, symbol: bytes) -> tuple[int, ...]:
        """The id of a base symbol, or those of its bytes where all of them have one."""
        if symbol in self.base_ids:
            return (self.base_ids[symbol],)
        ids = tuple(map(self.byte_ids.__getitem__, symbol))
        return (UNKNOWN,) if UNKNOWN in ids else ids

    def symbol_sizes(self, symbols: Sequence[bytes]) -> list[int]:
        """How many bytes of the text each of these ids stands for; a word marker for none."""
        if not self.byte_ids:
            marked = self.word_marker != "none"
            return [0 if marked and symbol == MARKER else len(symbol) for symbol in symbols]
        written = ((symbol, len(self._ids_of_symbol(symbol))) for symbol in symbols)
        return list(chain.from_iterable([len(symbol)] if ids == 1 else [1] * ids for symbol, ids in written))

    def symbol_rows(self, token_id: int) -> bytes:
        """Size in bytes, id and merged_at of each base symbol inside a token, as 32-bit integers.

        A token that no merges make from its symbols is one symbol, as a special token is.

        >>> from bpe_core import Settings, train
        >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
        >>> np.frombuffer(tok.symbol_rows(256), np.int32).reshape(-1, 3)[1].tolist()  # the g of "ug"
        [1, 103, 1]
        """
        if token_id not in self._symbol_rows:
            self._symbol_rows[token_id] = array("i", chain.from_iterable(self._rows_of(token_id))).tobytes()
        return self._symbol_rows[token_id]

    @cached_property
    def _symbol_rows(self) -> dict[int, bytes]:
        return {}

    def _rows_of(self, token_id: int) -> Iterable[tuple[int, int, int]]:
        steps, raw = (NEVER, *self.inside(token_id)), self.token_bytes(token_id)
        if len(steps) > 1 and token_id not in self._names:
            symbols = self.symbols_inside(token_id)
            sizes = self.symbol_sizes(symbols)
            if len(sizes) == len(steps):
                return zip(sizes, self.symbol_ids_inside(token_id), steps, strict=True)
        marks = raw.count(MARKER) if self.word_marker != "none" else 0
        return [(len(raw) - marks, token_id, NEVER)]

    def is_symbol(self, token_id: int) -> bool:
        """Whether a token is a base symbol, which merges start from."""
        if token_id == UNKNOWN or token_id in self.byte_ids:
            return True
        known = token_id < len(self.tokens) and token_id not in self._names
        return known and self.symbol_ids_inside(token_id) == [token_id]

    def symbols_inside(self, token_id: int) -> tuple[bytes, ...]:
        """The base symbols of a token's bytes: single bytes, or characters and the word marker.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer().symbols_inside(257)
        (b'h', b'u', b'g')
        """
        token = self.tokens[token_id]
        if self.alphabet == "bytes":
            return tuple([token[i : i + 1] for i in range(len(token))])
        words = (symbols_of(decode_bytes(part), self.alphabet, "none") for part in token.split(MARKER))
        return reduce(lambda before, word: (*before, MARKER, *word), words)

    def symbol_ids_inside(self, token_id: int) -> list[int]:
        """The ids of a token's base symbols."""
        return self.ids_of_symbols(self.symbols_inside(token_id))

    def token_bytes(self, token_id: int) -> bytes:
        """The bytes of one token, special and unknown ones included."""
        if token_id in self._names:
            return encode_text(self._names[token_id])
        if token_id == UNKNOWN:
            return UNKNOWN_TEXT.encode()
        if not 0 <= token_id < len(self.tokens) or not self.tokens[token_id]:
            raise ValueError(f"id {token_id} is not in this vocabulary of {self.vocab_size} tokens")
        return self.tokens[token_id]

    @cached_property
    def vocab_size(self) -> int:
        """How many tokens there are, special ones included."""
        return len({i for i, token in enumerate(self.tokens) if token}.union(self.special_tokens.values()))

    @cached_property
    def _derivations(self) -> Derivations:
        return Derivations(self.merges)

    def inside(self, token_id: int) -> tuple[int, ...]:
        """The steps at which the boundaries inside a token fell: see `Derivations.inside`.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer().inside(257)
        (2, 1)
        """
        return self._derivations.inside(token_id)

    def origin(self, token_id: int) -> tuple[int, int, int] | None:
        """(left id, right id, step) of the merge that made a token; None for one that no merge makes."""
        return self._derivations.made(token_id)

    def step_of(self, left: int, right: int) -> int | None:
        """The step that joins two tokens, or None."""
        found = self.ranks.get((left, right))
        return found[0] + 1 if found else None
