"""From one pretoken to ids: the merges of a vocabulary, applied in their order.

Not here: how a text becomes pretokens (see `walking`), and the way back (see `tokenizer`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from bpe_core.text.alphabet import encode_text, symbols_of
from bpe_core.text.pretoken_arrays import strings_of
from bpe_core.tokenizer.encoding_arrays import merged_rows
from bpe_core.tokenizer.longest_match import longest_matches
from bpe_core.tokenizer.memo import Memo
from bpe_core.tokenizer.merging import merged
from bpe_core.tokenizer.merging_arrays import MergeTable
from bpe_core.tokenizer.tokens_and_merges import UNKNOWN, TokensAndMerges

VERY_LONG = 1 << 14  # characters; a longer word is merged in arrays


@dataclass(frozen=True, eq=False, repr=False)
class Encoder(TokensAndMerges):
    """Encodes pretokens, and remembers those that it has seen. Its fields are those of `TokensAndMerges`.

    >>> from bpe_core import Settings, train
    >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer().encode_word("hugs")
    (257, 115)
    """

    @cached_property
    def _memo(self) -> Memo[tuple[int, ...]]:
        return Memo()

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
            symbols = np.array(self.ids_of_symbols(symbols_of(word, self.alphabet, self.word_marker)), np.int32)
        return tuple(self._table.merge_long(symbols).ids.tolist())

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
