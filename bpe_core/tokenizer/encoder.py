"""From text to ids: a vocabulary and its merges, applied to a text pretoken by pretoken.

Not here: where each token stands in the text (see `encoding`), and the way back (see `tokenizer`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np
import pyarrow as pa

from bpe_core.text.alphabet import decode_bytes, encode_text, symbols_of
from bpe_core.text.normalizers import normalized
from bpe_core.text.pretoken_arrays import SHORT, strings_of
from bpe_core.text.rules import Pretokenizer
from bpe_core.text.special_tokens import segments
from bpe_core.tokenizer.derivations import Derivations
from bpe_core.tokenizer.encoding_arrays import merged_rows, numbered, rows_of
from bpe_core.tokenizer.longest_match import longest_matches
from bpe_core.tokenizer.memo import Memo
from bpe_core.tokenizer.merging import Ranks, merged, ranks_of
from bpe_core.tokenizer.merging_arrays import MergeTable

UNKNOWN = -1  # the id of a character that the alphabet does not have
UNKNOWN_TEXT = "<unk>"
VERY_LONG = 1 << 14  # characters; a longer word is merged in arrays


@dataclass(frozen=True, eq=False, repr=False)
class Encoder:
    """A vocabulary with its merges: text → ids, and what is known of each id. The base of `Tokenizer`.

    `tokens`: bytes by id, empty where an id has no token. `merges`: (left id, right id, new id), the first learnt
    first. `special_tokens`: name → id. `normalizers`: keys of `NORMALIZERS`, applied to the text between those.

    The other fields are for vocabularies that others made:
    - `prefix_space`: whether a space is put in front of text that begins with none: "none"; "first", at the start;
      "always", behind special tokens too; "even so", the same, and even where a space is there.
    - `whole_words`: a pretoken that is a token is that one, whatever the merges would make of it.
    - `shared_ranks`: merges to the same token have one rank.
    - `symbols`: the base symbols, bytes → id, where they are not simply the tokens that no merge makes.
    - `byte_ids`: the ids of the 256 byte values, to write a character that is no base symbol.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> tok.ids("hugs"), tok.token_bytes(257)
    ([257, 115], b'hug')
    """

    tokens: tuple[bytes, ...]
    merges: tuple[tuple[int, int, int], ...]
    pretokenizer: Pretokenizer
    alphabet: str = "bytes"
    word_marker: str = "none"
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    normalizers: tuple[str, ...] = ()
    prefix_space: str = "none"
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
    def made_ids(self) -> np.ndarray:
        """The id that each step makes; step `k` is at `k - 1`."""
        return np.array([new for _, _, new in self.merges], np.int64)

    @cached_property
    def _memo(self) -> Memo[tuple[int, ...]]:
        return Memo()

    @cached_property
    def _names(self) -> dict[int, str]:
        return {i: name for name, i in self.special_tokens.items()}

    def ids(self, text: str, specials: bool = True) -> list[int]:
        """The ids of `encode`, without its offsets; the fastest way.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer().ids("hug pug")
        [257, 32, 112, 256]
        """
        ids: list[int] = []
        for piece, start, special in self.segments(text, specials):
            if special is not None:
                ids.append(self.special_tokens[special])
                continue
            piece = normalized(piece, self.normalizers)
            piece = self.prefix(piece, start) + piece
            if len(piece) > SHORT and self.pretokenizer.begins:
                ids += self._ids_in_arrays(piece)
            else:
                ids += chain.from_iterable(map(self.encode_word, self.pretokenizer.strings(piece)))
        return ids

    def _ids_in_arrays(self, text: str) -> list[int]:
        """The ids of a long text: see `encoding_arrays`."""
        words, which = numbered(text, self.pretokenizer)
        return rows_of(self.encode_words(words)).gathered(which).numbers.tolist()

    def encode_words(self, words: pa.Array) -> list[tuple[int, ...]]:
        """The ids of each pretoken of an array; those not seen before are merged all at a time.

        >>> from bpe_core import Settings, train
        >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
        >>> tok.encode_words(pa.array([b"hug", b"pug"], pa.large_binary()))
        [(257,), (112, 256)]
        """
        texts = strings_of(words)
        if self.alphabet != "bytes" or self.word_marker != "none" or self.whole_words:
            return list(map(self.encode_word, texts))
        known = list(map(self._memo.get, texts))
        new = [i for i, ids in enumerate(known) if ids is None]
        if new:
            rows = merged_rows(words.take(new), self._byte_table, self._table)
            merged_now = rows.tuples()
            self._memo.keep_all([texts[i] for i in new], merged_now, (8 * rows.lengths).tolist())
            for i, ids in zip(new, merged_now, strict=True):
                known[i] = ids
        return known

    @cached_property
    def _byte_table(self) -> np.ndarray:
        """The ids of the 256 bytes."""
        return np.array([self.base_ids.get(bytes([byte]), UNKNOWN) for byte in range(256)], np.int32)

    @cached_property
    def _table(self) -> MergeTable:
        return MergeTable(self.ranks)

    def _encode_long(self, word: str) -> tuple[int, ...]:
        """As `encode_word`, in arrays; not remembered."""
        if self.alphabet == "bytes" and self.word_marker == "none":
            symbols = self._byte_table[np.frombuffer(encode_text(word), np.uint8)]
        else:
            symbols = np.array(self.symbol_ids(word), np.int32)
        return tuple(self._table.merge_long(symbols).ids.tolist())

    def segments(self, text: str, specials: bool = True) -> Iterator[tuple[str, int, str | None]]:
        """The text cut at its special tokens: see `special_tokens.segments`."""
        return segments(text, tuple(self.special_tokens) if specials else ())

    def prefix(self, piece: str, start: int) -> str:
        """What is put before a stretch of text that starts at `start`: a space or nothing."""
        if self.prefix_space == "none" or (self.prefix_space == "first" and start > 0):
            return ""
        return " " if self.prefix_space == "even so" or not piece.startswith(self.spaces) else ""

    @cached_property
    def spaces(self) -> tuple[str, ...]:
        """The characters that are written like a space."""
        space = self.base_ids.get(b" ")
        return tuple({" ", *(decode_bytes(symbol) for symbol, i in self.base_ids.items() if i == space)})

    def longest_match(self, word: str) -> tuple[int, ...]:
        """One pretoken, from left to right the longest token that fits.

        >>> from bpe_core import Settings, train
        >>> tok = train("ab ab bcd bcd bcd", Settings("whitespace", vocab_size=259)).tokenizer()
        >>> [tok.tokens[i] for i in tok.longest_match("abcd")], [tok.tokens[i] for i in tok.encode_word("abcd")]
        ([b'ab', b'c', b'd'], [b'a', b'bcd'])
        """
        symbols = symbols_of(word, self.alphabet, self.word_marker)
        ids: list[int] = []

        def look_up(start: int, end: int) -> int | None:
            return self._id_of.get(b"".join(symbols[start:end]))

        for start, end, token in longest_matches(len(symbols), self._longest, look_up):
            ids += self.ids_of_symbols(symbols[start:end]) if token is None else (token,)
        return tuple(ids)

    @cached_property
    def _id_of(self) -> dict[bytes, int]:
        return {token: i for i, token in enumerate(self.tokens) if token and i not in self._byte_ids}

    @cached_property
    def _byte_ids(self) -> frozenset[int]:
        return frozenset(self.byte_ids)

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.tokens), default=1)

    def encode_word(self, word: str) -> tuple[int, ...]:
        """The ids of one pretoken.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer(1).encode_word("pug")
        (112, 256)
        """
        ids = self._memo.get(word)
        if ids is None and len(word) > VERY_LONG and not self.whole_words:
            return self._encode_long(word)
        if ids is None:
            symbols = symbols_of(word, self.alphabet, self.word_marker)
            whole = self._id_of.get(b"".join(symbols)) if self.whole_words else None
            ids = tuple(merged(self.ids_of_symbols(symbols), self.ranks)) if whole is None else (whole,)
            self._memo.keep(word, ids, 8 * len(ids))
        return ids

    def symbol_ids(self, word: str) -> list[int]:
        """The ids of a pretoken's base symbols, before any merge."""
        return self.ids_of_symbols(symbols_of(word, self.alphabet, self.word_marker))

    def ids_of_symbols(self, symbols: tuple[bytes, ...]) -> list[int]:
        """The ids of base symbols; one that is not known is `UNKNOWN`, or is written as its bytes."""
        base, byte_ids = self.base_ids, self.byte_ids
        if not byte_ids:
            return [base.get(symbol, UNKNOWN) for symbol in symbols]
        written = ([base[symbol]] if symbol in base else map(byte_ids.__getitem__, symbol) for symbol in symbols)
        return list(chain.from_iterable(written))

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
        return self._derivations.made.get(token_id)

    def step_of(self, left: int, right: int) -> int | None:
        """The step that joins two tokens, or None."""
        found = self.ranks.get((left, right))
        return found[0] + 1 if found else None
