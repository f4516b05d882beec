"""From a pretoken to ids: the merges of a vocabulary in their order, or the longest tokens that fit.

`text_pipeline` splits a text into pretokens, and decodes ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Generic, TypeVar, cast

import numpy as np

from bpe_core.text.alphabet import encode_text
from bpe_core.text.arrays import Ids, Rows, list_of, numbers_in, rows_of
from bpe_core.text.byte_strings import ByteStrings
from bpe_core.tokenizer.merging import merged
from bpe_core.tokenizer.merging_arrays import MergeTable
from bpe_core.tokenizer.vocabulary import Vocabulary

VERY_LONG = 1 << 14  # characters; a longer word is merged in arrays
# Many new words are merged in arrays. That takes a third to a half of the time of merging them one by one, measured on
# a book, on 40 MB of documentation and on 40 MB in many languages. But the arrays need a table of all merges. For
# GPT-4o, making this table takes longer than merging a book's words one by one. So the first words are merged one by
# one, and arrays are used only once there are many words.
FEW_WORDS = 256  # words; for fewer, arrays take longer even when the table is already made
MERGES_A_WORD = 16  # merges that enter the table in the time that arrays save on one word, about
MOST_BYTES = 1 << 26  # the limit of a memo
ENTRY_BYTES = 200  # about the size of a memo's entry without its characters and ids

Value = TypeVar("Value")


class Memo(dict[str, Value], Generic[Value]):
    """A cache: word → value. It is emptied when it would pass `MOST_BYTES`.

    >>> memo = Memo()
    >>> memo.add("hug", (104, 256), 8 * 2)
    >>> memo["hug"], memo.size
    ((104, 256), 219)
    """

    size = 0

    def add(self, word: str, value: Value, size: int) -> None:
        """Store a value of about `size` bytes, unless that is more than 1/64 of the limit."""
        size += len(word) + ENTRY_BYTES
        if size > MOST_BYTES // 64:
            return
        if self.size + size > MOST_BYTES:
            self.clear()
            self.size = 0
        self.size += size
        self[word] = value

    def add_all(self, words: Sequence[str], values: Sequence[Value], sizes: Sequence[int]) -> None:
        """Store a value for each word. `sizes`: about how many bytes each value takes.

        If all entries fit into the memo and together take at most 1/16 of the memo's limit, all are stored, even a
        value that `add` would find too large. Otherwise `add` decides on each value.

        >>> memo = Memo()
        >>> memo.add_all(["hug", "pug"], [1, 2], [8, 8])
        >>> memo["pug"], memo.size
        (2, 422)
        """
        total = sum(map(len, words)) + sum(sizes) + ENTRY_BYTES * len(words)
        if total <= MOST_BYTES // 16 and self.size + total <= MOST_BYTES:
            self.size += total
            self.update(zip(words, values, strict=True))
        else:
            for word, value, size in zip(words, values, sizes, strict=True):
                self.add(word, value, size)


def longest_matches(
    size: int, longest: int, look_up: Callable[[int, int], int | None]
) -> Iterator[tuple[int, int, int | None]]:
    """Yield the longest matches in a word of `size` symbols, from left to right: (start, end, the token's id).

    `look_up(start, end)` returns the id of the token with these symbols, or None. No token has more than `longest`
    symbols. A symbol at which no token fits is yielded alone, with None.

    >>> ids, word = {"hu": 0, "hug": 1, "s": 2}, "hugs!"
    >>> list(longest_matches(5, 3, lambda start, end: ids.get(word[start:end])))
    [(0, 3, 1), (3, 4, 2), (4, 5, None)]
    """
    start = 0
    while start < size:
        ends = range(min(start + longest, size), start, -1)
        found = ((end, token) for end in ends if (token := look_up(start, end)) is not None)
        end, token = next(found, (start + 1, None))
        yield start, end, token
        start = end


@dataclass(frozen=True, eq=False)
class WordEncoder:
    """Encodes pretokens with a vocabulary, and caches their ids.

    `whole_words`: whether a pretoken that is itself a token becomes that token, without merging. `longest`: whether a
    pretoken becomes the longest tokens that fit, from left to right, instead of being merged in the order learnt.

    >>> from bpe_core import Settings, train
    >>> tok = train("ab ab bcd bcd bcd", Settings("whitespace", vocab_size=259)).tokenizer()
    >>> tok.vocabulary.tokens[256:]
    (b'bc', b'bcd', b'ab')
    >>> WordEncoder(tok.vocabulary).encode("abcd"), WordEncoder(tok.vocabulary, longest=True).encode("abcd")
    ((97, 257), (258, 99, 100))
    """

    vocabulary: Vocabulary
    whole_words: bool = False
    longest: bool = False

    def encode(self, word: str) -> tuple[int, ...]:
        """Return the ids of a pretoken.

        >>> from bpe_core import Settings, train
        >>> WordEncoder(train("hug hug pug", Settings(vocab_size=258)).tokenizer(1).vocabulary).encode("pug")
        (112, 256)
        """
        ids = self._memo.get(word)
        if ids is not None:
            return ids
        if len(word) > VERY_LONG and not self.whole_words and not self.longest:
            return tuple(list_of(self._table.merge_long(self._symbol_array(word)).ids))
        ids = tuple(self._longest_match(word) if self.longest else self._merged(word))
        self._memo.add(word, ids, 8 * len(ids))
        return ids

    def ids_of_words(self, words: Sequence[str]) -> list[int]:
        """Return the ids of all pretokens in one list. This is faster than `encode` for each pretoken.

        >>> from bpe_core import Settings, train
        >>> encoder = WordEncoder(train("hug hug pug", Settings(vocab_size=258)).tokenizer().vocabulary)
        >>> encoder.ids_of_words(["hug", "s"])
        [257, 115]
        """
        found = list(map(self._memo.get, words))
        if None in found:
            found = [self.encode(word) if ids is None else ids for word, ids in zip(words, found, strict=True)]
        return list(chain.from_iterable(cast("list[tuple[int, ...]]", found)))

    def encode_all(self, words: ByteStrings) -> list[tuple[int, ...]]:
        """Return the ids of each pretoken. No pretoken may come twice.

        >>> from bpe_core import Settings, train
        >>> from bpe_core.text.byte_strings import byte_strings
        >>> encoder = WordEncoder(train("hug hug pug", Settings(vocab_size=258)).tokenizer().vocabulary)
        >>> encoder.encode_all(byte_strings([b"hug", b"pug"]))
        [(257,), (112, 256)]
        """
        return self.rows(words).tuples()

    def rows(self, words: ByteStrings) -> Rows[np.int32]:
        """Return a row of ids for each pretoken. Many new pretokens are merged together, in arrays.

        No pretoken may come twice.

        words     hug | pug | pugs | hugs     hug and pugs are in the memo
        known     257 | 112 256 115           the rows of hug and pugs
        new       112 256 | 257 115           the rows of pug and hugs
        order     0 2 1 3                     the row of each word, in the known rows followed by the new rows
        """
        texts = words.texts()
        if self.whole_words or self.longest or not self._in_bytes:
            return rows_of(list(map(self.encode, texts)))
        memo = self._memo
        found = list(map(memo.get, texts))  # each is looked up once: another thread may empty the memo meanwhile
        new = [i for i, ids in enumerate(found) if ids is None]
        if len(new) <= FEW_WORDS or MERGES_A_WORD * (len(memo) + len(new)) <= len(self.vocabulary.merges):
            return rows_of(list(map(self.encode, texts)))
        stored, made = [ids for ids in found if ids is not None], self._merged_in_arrays(words.take(new))
        if len(new) * ENTRY_BYTES <= MOST_BYTES:  # more words would push each other out of the memo
            memo.add_all([texts[i] for i in new], made.tuples(), (8 * made.lengths).tolist())
        order = np.empty(len(texts), np.intp)
        order[new] = len(stored) + np.arange(len(new))
        order[[i for i, ids in enumerate(found) if ids is not None]] = np.arange(len(stored))
        return rows_of(stored).followed_by(made).gathered(order)

    def _merged_in_arrays(self, words: ByteStrings) -> Rows[np.int32]:
        symbols = np.array(self._byte_ids, np.int32)[words.raw]
        tokens = self._table.merge(symbols, words.offsets[:-1], words.offsets[1:])
        return Rows(tokens.ids, np.diff(np.searchsorted(tokens.at, words.offsets)))

    def _merged(self, word: str) -> list[int]:
        whole = self._id_of.get(b"".join(self.vocabulary.base.of(word))) if self.whole_words else None
        return merged(self._symbol_ids(word), self.vocabulary.ranks) if whole is None else [whole]

    def _symbol_ids(self, word: str) -> list[int]:
        if self._in_bytes:
            return [self._byte_ids[byte] for byte in encode_text(word)]
        return self.vocabulary.base.ids_of(self.vocabulary.base.of(word))

    def _symbol_array(self, word: str) -> Ids:
        """Return the ids of a word's base symbols as an array."""
        if self._in_bytes:
            return np.array(self._byte_ids, np.int32)[np.frombuffer(encode_text(word), np.uint8)]
        ids = self._symbol_ids(word)
        return numbers_in(ids, len(ids))

    def _longest_match(self, word: str) -> list[int]:
        base = self.vocabulary.base
        symbols, ids = base.of(word), []

        def look_up(start: int, end: int) -> int | None:
            return self._id_of.get(b"".join(symbols[start:end]))

        for start, end, token in longest_matches(len(symbols), self._longest_token, look_up):
            ids += base.ids_of(symbols[start:end]) if token is None else [token]
        return ids

    @cached_property
    def _memo(self) -> Memo[tuple[int, ...]]:
        return Memo()

    @cached_property
    def _table(self) -> MergeTable:
        return MergeTable(self.vocabulary.ranks)

    @cached_property
    def _in_bytes(self) -> bool:
        """Whether the base symbols of a word are its bytes, without a word marker."""
        return self.vocabulary.alphabet == "bytes" and self.vocabulary.word_marker == "none"

    @cached_property
    def _byte_ids(self) -> list[int]:
        """The ids of the 256 bytes as base symbols."""
        return self.vocabulary.base.ids_of([bytes([byte]) for byte in range(256)])

    @cached_property
    def _id_of(self) -> dict[bytes, int]:
        apart = self.vocabulary.base.bytes_written
        rows = [(token, i) for i, token in enumerate(self.vocabulary.tokens) if token and i not in apart]
        return dict(reversed(rows))  # of equal tokens the first, which a training that went on found there

    @cached_property
    def _longest_token(self) -> int:
        return max(map(len, self.vocabulary.tokens), default=1)
