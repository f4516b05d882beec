"""The way from a text to its tokens: special tokens, normalization, a prefix space, pretokens, ids.

    text        A hug<|end|>A            with the special token <|end|>, lowercase and a prefix space
    segments    " a hug"  <|end|>  " a"  each with its prefix space
    pretokens   " a" " hug" <|end|> " a"
    ids         [0 7] [0 12] [9] [0 7]   of the tokens of each pretoken; `ids` ends here
    symbols     start, end, id and merged_at of every symbol inside every token; `walk` ends here

A long text is split in arrays. Each different pretoken is encoded once, and its ids are gathered:

    text        to be, or to be
    words       to | be |,| or | to        the different pretokens, in order of first sight
    word        0 1 2 3 4 1                which word each pretoken is
    ids         [17] [9] [11] [30 2] [5]   of each word
    gathered    17 9 11 30 2 5 9

In the same way the symbols inside each different token are looked up once: a token has the same symbols everywhere.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np

from bpe_core.text.alphabet import MARKER, decode_bytes, encode_text, symbols_of
from bpe_core.text.arrays import (
    Ids,
    Indexes,
    Integers,
    Mask,
    Offsets,
    Rows,
    ShortOffsets,
    Steps,
    distinct,
    listed_ids,
    repeated,
    starts_of,
)
from bpe_core.text.normalizers import normalized, normalized_each
from bpe_core.text.pretoken_arrays import SHORT, pretoken_arrays
from bpe_core.text.rules import Pretokenizer
from bpe_core.text.special_tokens import first_in
from bpe_core.text.special_tokens import segments as split_at_names
from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.streaming import without_space_at_end, without_space_at_start
from bpe_core.tokenizer.vocabulary import Vocabulary
from bpe_core.tokenizer.walk import Walk
from bpe_core.tokenizer.word_encoder import WordEncoder
from bpe_core.training.lifetimes import NEVER

FEW_TOKENS = 64  # of so few, each is looked up: that takes less time than finding the different ones
ROW = 12  # bytes: size, id and merged_at of a symbol, 32 bits each


class Segment(NamedTuple):
    """A special token in a text, or the text between two special tokens.

    `typed`: the segment as typed. `text`: the normalized segment, ready to be split. `before`: the prefix space, or "".
    `special`: the special token's id; None for text between special tokens.
    """

    typed: str
    text: str
    before: str
    special: int | None


@dataclass(frozen=True, eq=False)
class TextPipeline:
    """The way from a text to its tokens, and back. The fields are explained at `Tokenizer`.

    >>> from bpe_core import Settings, train
    >>> pipeline = train("hug hug pug", Settings(vocab_size=258)).tokenizer().pipeline
    >>> pipeline.ids("hug pug"), pipeline.walk("hug").merged_at[1:].tolist()
    ([257, 32, 112, 256], [2, 1])
    """

    encoder: WordEncoder
    pretokenizer: Pretokenizer
    normalizers: tuple[str, ...] = ()
    prefix_space: bool = False

    @property
    def vocabulary(self) -> Vocabulary:
        """The tokens and the merges."""
        return self.encoder.vocabulary

    @cached_property
    def longest(self) -> TextPipeline:
        """The way from a text to its tokens by longest match instead of merges.

        >>> from bpe_core import Settings, train
        >>> tok = train("ab ab bcd bcd bcd", Settings("whitespace", vocab_size=259)).tokenizer()
        >>> [[tok.tokens[i] for i in way.ids("abcd")] for way in (tok.pipeline, tok.pipeline.longest)]
        [[b'a', b'bcd'], [b'ab', b'c', b'd']]
        """
        return replace(self, encoder=WordEncoder(self.vocabulary, longest=True))

    def segments(self, text: str, specials: bool = True) -> Iterator[Segment]:
        """Yield the segments of a text, ready to be split. With `specials` off, cut the text only at added tokens.

        >>> from bpe_core import Settings, train
        >>> chosen = Settings(vocab_size=257, special_tokens=("<|>",), normalizers=("lowercase",))
        >>> list(train("hug", chosen).tokenizer().pipeline.segments("HUG<|>"))
        ... # doctest: +NORMALIZE_WHITESPACE
        [Segment(typed='HUG', text='hug', before='', special=None),
         Segment(typed='<|>', text='<|>', before='', special=256)]
        """
        for part, _, name in split_at_names(text, self.vocabulary.names_in_text(specials)):
            if name is not None:
                yield Segment(part, part, "", self.vocabulary.special_tokens[name])
            else:
                seen = normalized(part, self.normalizers)
                before = " " if self.prefix_space and seen and not seen.startswith(" ") else ""
                yield Segment(part, seen, before, None)

    def ids(self, text: str, specials: bool = True) -> list[int]:
        """Return the ids of a text; faster than `walk`."""
        if self._splits_all and len(text) <= SHORT and not specials:
            return self.encoder.ids_of_words(self.pretokenizer.strings(text))
        ids: list[list[int]] = []
        for segment in self.segments(text, specials):
            part = segment.before + segment.text
            if segment.special is not None:
                ids.append([segment.special])
            elif self._in_arrays(part):
                words, which = pretoken_arrays([part], self.pretokenizer).numbered()
                ids.append(listed_ids(self.encoder.rows(words).gathered(which).numbers))
            else:
                ids.append(self.encoder.ids_of_words(self.pretokenizer.strings(part)))
        return ids[0] if len(ids) == 1 else list(chain.from_iterable(ids))

    @cached_property
    def _splits_all(self) -> bool:
        """Whether a text without names of special tokens is split as it is."""
        return not (self.vocabulary.added or self.normalizers or self.prefix_space)

    def ids_of_each(self, texts: Sequence[str], specials: bool = True) -> list[list[int]]:
        """Return the ids of each of many texts. Short texts are split and encoded together, in arrays.

            texts      hug pug | hug        two texts, and a border between them
            words      hug, ␠pug            the different pretokens
            word       0 1 | 0              which word each pretoken is
            ids        [257] [32 112 256]   of each word; gathered and cut at the border: [257 32 112 256] [257]

        >>> from bpe_core import Settings, train
        >>> pipeline = train("hug hug pug", Settings(vocab_size=258)).tokenizer().pipeline
        >>> pipeline.ids_of_each(["hug pug", "", "hug"])
        [[257, 32, 112, 256], [], [257]]
        """
        found = self._together(texts, specials)
        if found is None:
            return [self.ids(text, specials) for text in texts]
        rows, which, ends = found
        gathered = rows.gathered(which)
        ids, first = listed_ids(gathered.numbers), [*starts_of(gathered.lengths).tolist(), len(gathered.numbers)]
        return [ids[first[a] : first[b]] for a, b in pairwise([0, *ends.tolist()])]

    def counts_of_each(self, texts: Sequence[str], specials: bool = True) -> list[int]:
        """Return how many ids each of many texts has; faster than `ids_of_each`, which gathers them.

        >>> from bpe_core import Settings, train
        >>> pipeline = train("hug hug pug", Settings(vocab_size=258)).tokenizer().pipeline
        >>> pipeline.counts_of_each(["hug pug", "", "hug"])
        [4, 0, 1]
        """
        found = self._together(texts, specials)
        if found is None:
            return [len(self.ids(text, specials)) for text in texts]
        rows, which, ends = found
        before = np.append(0, np.cumsum(rows.lengths[which], dtype=np.intp))
        counts: list[int] = np.diff(before[ends], prepend=0).tolist()
        return counts

    def _together(self, texts: Sequence[str], specials: bool) -> tuple[Rows[np.int32], Ids, Integers] | None:
        """Split and encode short texts together; None if each has to be encoded alone.

        Return the ids of each different pretoken, the number of each pretoken among them, and where the pretokens of
        each text end.
        """
        names = self.vocabulary.names_in_text(specials)
        alone = self.pretokenizer.classes is None or not self.pretokenizer.lossless or self.prefix_space
        if alone or (names and first_in("\n".join(texts), names)):
            return None
        parts = normalized_each(texts, self.normalizers)
        pretokens = pretoken_arrays(parts, self.pretokenizer)
        ends = np.searchsorted(pretokens.offsets, np.cumsum([_size(part) for part in parts], dtype=np.intp))
        words, which = pretokens.numbered()
        return self.encoder.rows(words), which, ends

    def walk(self, text: str, specials: bool = True) -> Walk:
        """Return the walk of a text: arrays of the symbols inside its tokens."""
        tokens, seen, at = _WalkedTokens(), [], 0
        for segment in self.segments(text, specials):
            if segment.special is not None:
                tokens.add(at, (segment.special,))
            else:
                if segment.before:
                    tokens.pad(at)
                self._add_text(tokens, segment.before + segment.text, at - len(segment.before))
            seen.append(segment.text)
            at += _size(segment.text)
        return tokens.walk(self.vocabulary, "".join(seen))

    def _in_arrays(self, text: str) -> bool:
        return len(text) > SHORT and self.pretokenizer.classes is not None

    def _add_text(self, tokens: _WalkedTokens, text: str, at: int) -> None:
        """Add the pretokens of a text that begins at byte `at`."""
        splitter, encode = self.pretokenizer, self.encoder.encode
        if not splitter.lossless:
            before = bytes_before(text)
            for word, start, _, _ in splitter.split(text):
                tokens.add(at + before[start], encode(word))
                tokens.texts.append(word)
            return
        tokens.texts.append(text)
        if self._in_arrays(text):
            words, which = pretoken_arrays([text], splitter).numbered()
            sizes = words.sizes[which]
            tokens.add_arrays(at + starts_of(sizes), self.encoder.rows(words).gathered(which))
        else:
            for word in splitter.strings(text):
                tokens.add(at, encode(word))
                at += _size(word)

    def text_of(self, tokens: Iterable[bytes]) -> str:
        """Return the text of tokens. A word marker becomes a space if the pretokenizer drops white space, else nothing.

        >>> from bpe_core import Settings, train
        >>> pipeline = train("hug pug", Settings("whitespace", "characters", "end", vocab_size=7)).tokenizer().pipeline
        >>> pipeline.text_of((b"p", b"ug\\xff", b"hug\\xff"))
        'pug hug'
        """
        return decode_bytes(self.bytes_of(tokens))

    def bytes_of(self, tokens: Iterable[bytes]) -> bytes:
        """Return the text of tokens as bytes, which need not be UTF-8."""
        return b"".join(self.bytes_of_each(tokens))

    def bytes_of_each(self, tokens: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the bytes that each token adds to the text; `tokens` may still arrive."""
        marker = self.vocabulary.word_marker
        if marker == "none":
            return iter(tokens)
        if self.pretokenizer.lossless:
            return (token.replace(MARKER, b"") for token in tokens)
        spaced = (token.replace(MARKER, b" ") for token in tokens)
        return without_space_at_end(spaced) if marker == "end" else without_space_at_start(spaced)


class _WalkedTokens:
    """The tokens of a text while they are collected: all ids, and each pretoken's first byte and number of ids.

    `texts`: the parts of the text that are in pretokens.
    """

    def __init__(self) -> None:
        self._ids, self._sizes, self._at = array("q"), array("q"), array("q")
        self._padded: list[tuple[int, int]] = []
        self.texts: list[str] = []

    def add(self, at: int, ids: Sequence[int]) -> None:
        """Add a pretoken whose first byte is `at`."""
        self._ids.extend(ids)
        self._sizes.append(len(ids))
        self._at.append(at)

    def add_arrays(self, at: Offsets, rows: Rows[np.int32]) -> None:
        """Add many pretokens, the ids of each in a row."""
        for column, values in ((self._ids, rows.numbers), (self._sizes, rows.lengths), (self._at, at)):
            column.frombytes(values.astype(np.int64).tobytes())

    def pad(self, at: int) -> None:
        """Note that the next pretoken begins with a prefix space. Its text after that space begins at byte `at`."""
        self._padded.append((len(self._at), at))

    def walk(self, vocabulary: Vocabulary, text: str) -> Walk:
        """Return the `Walk` of the whole text."""
        ids, sizes, at = (np.frombuffer(column, np.int64) for column in (self._ids, self._sizes, self._at))
        symbols = symbols_inside(vocabulary, ids)
        unknown = symbols.ids == UNKNOWN
        if unknown.any():
            named = np.isin(symbols.ids, list(vocabulary.special_tokens.values()))
            known = np.where(named | unknown, 0, symbols.sizes)
            written = symbols_of("".join(self.texts), vocabulary.alphabet, "none")
            symbols.sizes[unknown] = sizes_between(known, np.flatnonzero(unknown), list(map(len, written)))
        words = symbols.firsts[starts_of(sizes)]
        starts = symbols.starts(words, at)
        ends = starts + symbols.sizes
        for word, at_text in self._padded:
            for column in (starts, ends):
                padded = column[words[word] : words[word] + 2]  # a word marker may come before the space
                np.maximum(padded, at_text, out=padded)
        return Walk(vocabulary, text, starts, ends, symbols.ids, symbols.merged_at, words)


class Symbols(NamedTuple):
    """The base symbols inside tokens: their `sizes` (bytes), `ids` and `merged_at`.

    `lengths`: how many symbols each token has.
    """

    sizes: ShortOffsets
    ids: Ids
    merged_at: Steps
    lengths: Integers

    @property
    def firsts(self) -> Offsets:
        """The index of the first symbol of each token."""
        return starts_of(self.lengths)

    def starts(self, firsts: Integers, at: Integers) -> ShortOffsets:
        """Return the first byte of each symbol. Symbol `firsts[i]` begins at byte `at[i]`; the next symbols follow it.

        >>> sizes = np.array([1, 1, 2, 1])
        >>> Symbols(sizes, sizes, sizes, sizes).starts(np.array([0, 2]), np.array([5, 9])).tolist()
        [5, 6, 9, 11]
        """
        begun: ShortOffsets = np.cumsum(self.sizes, dtype=np.int32) - self.sizes
        shift = (at - begun[firsts]).astype(np.int32)
        return begun + repeated(shift, np.diff(firsts, append=len(begun))) if shift.any() else begun


def symbols_inside(vocabulary: Vocabulary, ids: Integers, whole: Mask | None = None) -> Symbols:
    """Return the symbols inside tokens. A token marked in `whole` is one symbol of size 0.

        ids        256 104 256        tokens ug, h, ug
        rows       h | u g            of 104 and 256: size, id and merged_at of each symbol
        gathered   u g h u g

    >>> from bpe_core import Settings, train
    >>> vocabulary = train("hug hug pug", Settings(vocab_size=257)).tokenizer().vocabulary
    >>> bytes(symbols_inside(vocabulary, np.array([256, 104, 256])).ids.tolist())
    b'ughug'
    """
    if len(ids) <= FEW_TOKENS and whole is None:
        rows = _symbol_rows(vocabulary, ids)
    else:
        different, which = distinct(ids - UNKNOWN)
        different = different + UNKNOWN
        rows = _symbol_rows(vocabulary, different)
        if whole is not None:
            never = np.full_like(different, NEVER)
            alone = np.column_stack((np.zeros_like(different), different, never)).astype(np.int32)
            rows = rows.followed_by(Rows(alone, np.ones_like(different)))
            which = np.where(whole, which + len(different), which)
        rows = rows.gathered(which)
    sizes, symbol_ids, merged_at = rows.numbers.T.copy()
    return Symbols(sizes, symbol_ids, merged_at, rows.lengths)


def _symbol_rows(vocabulary: Vocabulary, ids: Integers) -> Rows[np.int32]:
    rows = [vocabulary.symbol_rows(token_id) for token_id in ids.tolist()]
    table = np.frombuffer(b"".join(rows), np.int32).reshape(-1, 3)
    return Rows(table, np.fromiter(map(len, rows), np.intp, len(rows)) // ROW)


def sizes_between(known: Integers, unknown: Indexes, written: Sequence[int]) -> list[int]:
    """Return the sizes in bytes of unknown symbols: symbols that the vocabulary lacks.

    `known`: the sizes of all symbols, 0 for an unknown symbol. `unknown`: the indexes of the unknown symbols.
    `written`: the sizes of the symbols that the text itself consists of.

        known      1 0 0 2      of the symbols: a, two unknown symbols, the token "bc"; `unknown` has 1 and 2
        written    1 2 3 1 1    of the text's symbols: a, two unknown symbols, b, c

    >>> sizes_between(np.array([1, 0, 0, 2]), np.array([1, 2]), [1, 2, 3, 1, 1])
    [2, 3]
    """
    size_at = dict(zip(accumulate(written, initial=0), written, strict=False))
    before = starts_of(known)[unknown].tolist()
    sizes: list[int] = []
    shift = 0
    for at in before:
        sizes.append(size_at[at + shift])
        shift += sizes[-1]
    return sizes


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(encode_text(text))


def bytes_before(text: str) -> Sequence[int]:
    """Return how many bytes come before each character."""
    return range(len(text)) if text.isascii() else [0, *accumulate(len(encode_text(char)) for char in text)]
