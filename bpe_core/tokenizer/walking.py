"""The one way from a text to its tokens: what stands in it by name, what is normalized, put before, and split.

    text        A hug<|end|>A            the special token <|end|>; lowercase; a space is put before
    segments    " a hug"  <|end|>  " a"  each with what was put before it
    pretokens   " a" " hug" <|end|> " a"
    ids         [0 7] [0 12] [9] [0 7]   of the tokens of each pretoken; `ids_of` stops here
    symbols     start, end, id and merged_at of every symbol inside every token: `walk`

What is inside a token does not depend on where it stands. So it is worked out once, and gathered for a text.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from bpe_core.text.alphabet import encode_text, symbols_of
from bpe_core.text.arrays import starts_of
from bpe_core.text.normalizers import normalized
from bpe_core.text.pretoken_arrays import SHORT
from bpe_core.text.special_tokens import segments as split_at_names
from bpe_core.tokenizer.encoder import Encoder
from bpe_core.tokenizer.encoding_arrays import Rows, byte_sizes, numbered, rows_of
from bpe_core.tokenizer.token_symbols import sizes_between, symbols_of_tokens
from bpe_core.tokenizer.tokens_and_merges import UNKNOWN
from bpe_core.tokenizer.walk import Walk


class Segment(NamedTuple):
    """Text between special tokens, or a special token: as typed, as it is split, and what was put before it.

    `special`: the token's id; None for text.
    """

    typed: str
    text: str
    before: str
    special: int | None


def segments(tokenizer: Encoder, text: str, specials: bool) -> Iterator[Segment]:
    """The text in segments, those that are text ready to be split; with `specials` off all of it is one.

    >>> from bpe_core import Settings, train
    >>> chosen = Settings(vocab_size=257, special_tokens=("<|>",), normalizers=("lowercase",))
    >>> list(segments(train("hug", chosen).tokenizer(), "HUG<|>", True))
    ... # doctest: +NORMALIZE_WHITESPACE
    [Segment(typed='HUG', text='hug', before='', special=None),
     Segment(typed='<|>', text='<|>', before='', special=256)]
    """
    for part, _, name in split_at_names(text, tuple(tokenizer.special_tokens) if specials else ()):
        if name is not None:
            yield Segment(part, part, "", tokenizer.special_tokens[name])
        else:
            seen = normalized(part, tokenizer.normalizers)
            before = " " if tokenizer.prefix_space and seen and not seen.startswith(" ") else ""
            yield Segment(part, seen, before, None)


def ids_of(tokenizer: Encoder, text: str, specials: bool) -> list[int]:
    """The ids of a text, and nothing else: the fastest way.

    >>> from bpe_core import Settings, train
    >>> ids_of(train("hug hug pug", Settings(vocab_size=258)).tokenizer(), "hug pug", specials=True)
    [257, 32, 112, 256]
    """
    ids: list[int] = []
    for segment in segments(tokenizer, text, specials):
        whole = segment.before + segment.text
        if segment.special is not None:
            ids.append(segment.special)
        elif len(whole) > SHORT and tokenizer.pretokenizer.classes:
            words, which = numbered(whole, tokenizer.pretokenizer)
            ids += rows_of(tokenizer.encode_words(words)).gathered(which).numbers.tolist()
        else:
            ids += chain.from_iterable(map(tokenizer.encode_word, tokenizer.pretokenizer.strings(whole)))
    return ids


class WalkedTokens:
    """The tokens of a text while it is walked: all ids, and for every pretoken its first byte and how many it has.

    `texts`: what was split, without what was dropped.
    """

    def __init__(self) -> None:
        """Nothing has been walked yet."""
        self._ids, self._sizes, self._at = array("q"), array("q"), array("q")
        self._padded: list[tuple[int, int]] = []
        self.texts: list[str] = []

    def add(self, at: int, ids: Sequence[int]) -> None:
        """Add a pretoken whose first byte is `at`."""
        self._ids.extend(ids)
        self._sizes.append(len(ids))
        self._at.append(at)

    def add_arrays(self, at: np.ndarray, rows: Rows) -> None:
        """Add many pretokens, the ids of each in a row."""
        for column, values in ((self._ids, rows.numbers), (self._sizes, rows.lengths), (self._at, at)):
            column.frombytes(values.astype(np.int64).tobytes())

    def pad(self, at: int) -> None:
        """The next pretoken begins with a space that is not in the text, which goes on at byte `at`."""
        self._padded.append((len(self._at), at))

    def walk(self, tokenizer: Encoder, text: str) -> Walk:
        """The walk of the whole text."""
        ids, sizes, at = (np.frombuffer(column, np.int64) for column in (self._ids, self._sizes, self._at))
        symbols = symbols_of_tokens(tokenizer, ids)
        unknown = symbols.ids == UNKNOWN
        if unknown.any():
            named = np.isin(symbols.ids, list(tokenizer.special_tokens.values()))
            known = np.where(named | unknown, 0, symbols.sizes)
            written = symbols_of("".join(self.texts), tokenizer.alphabet, "none")
            symbols.sizes[unknown] = sizes_between(known, np.flatnonzero(unknown), list(map(len, written)))
        words = symbols.firsts[starts_of(sizes)]
        starts = symbols.starts(words, at)
        ends = starts + symbols.sizes
        for word, at_text in self._padded:
            for column in (starts, ends):
                padded = column[words[word] : words[word] + 2]  # a word marker may stand before the space
                np.maximum(padded, at_text, out=padded)
        return Walk(tokenizer, text, starts, ends, symbols.ids, symbols.merged_at, words)


def walk(tokenizer: Encoder, text: str, specials: bool = True, longest: bool = False) -> Walk:
    """The walk of a text; `specials` and `longest` as for `Tokenizer.encode`.

    >>> from bpe_core import Settings, train
    >>> walk(train("hug hug pug", Settings(vocab_size=258)).tokenizer(), "hug").merged_at[1:].tolist()
    [2, 1]
    """
    tokens, seen, at = WalkedTokens(), [], 0
    for segment in segments(tokenizer, text, specials):
        if segment.special is not None:
            tokens.add(at, (segment.special,))
        else:
            if segment.before:
                tokens.pad(at)
            _walk_text(tokens, tokenizer, segment.before + segment.text, at - len(segment.before), longest)
        seen.append(segment.text)
        at += _size(segment.text)
    return tokens.walk(tokenizer, "".join(seen))


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(encode_text(text))


def _walk_text(tokens: WalkedTokens, tokenizer: Encoder, text: str, at: int, longest: bool) -> None:
    """Add the pretokens of a text that begins at byte `at`."""
    splitter, encode = tokenizer.pretokenizer, tokenizer.longest_match if longest else tokenizer.encode_word
    if splitter.lossless:
        tokens.texts.append(text)
    if splitter.lossless and splitter.classes and len(text) > SHORT and not longest:
        words, which = numbered(text, splitter)
        sizes = byte_sizes(words)[which]
        tokens.add_arrays(at + starts_of(sizes), rows_of(tokenizer.encode_words(words)).gathered(which))
    elif splitter.lossless:
        for word in splitter.strings(text):
            tokens.add(at, encode(word))
            at += _size(word)
    else:
        pretokens, before = splitter.split(text), _bytes_before(text)
        for word, start, _, _ in pretokens:
            tokens.add(at + before[start], encode(word))
            tokens.texts.append(word)


def _bytes_before(text: str) -> Sequence[int]:
    """How many bytes stand before each character."""
    return range(len(text)) if text.isascii() else [0, *accumulate(len(encode_text(char)) for char in text)]
