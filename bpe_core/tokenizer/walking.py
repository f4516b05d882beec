"""The one way from a text to its tokens: what stands in it by name, what is normalized, put before, and split.

    text        A hug<|end|>A            the special token <|end|>; lowercase; a space is put before
    segments    " a hug"  <|end|>  " a"  each with what was put before it
    pretokens   " a" " hug" <|end|> " a"
    ids         [0 7] [9] [12] [0 7]     `ids_of` stops here
    columns     start, end, id and merged_at of every symbol of every pretoken: `walk`

What a pretoken becomes does not depend on where it stands. So its columns are worked out once, with the starts and ends
counted from its own first byte, and a text's columns are those of its pretokens, moved to where they stand.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from bpe_core.text.alphabet import encode_text, symbols_of
from bpe_core.text.normalizers import normalized
from bpe_core.text.pretoken_arrays import SHORT, strings_of
from bpe_core.text.special_tokens import segments as split_at_names
from bpe_core.tokenizer.encoder import Encoder
from bpe_core.tokenizer.encoding_arrays import Rows, numbered, rows_of
from bpe_core.tokenizer.walk import Walk
from bpe_core.training.lifetimes import NEVER

ROW = 16  # bytes: start, end, id and merged_at of a symbol, 32 bits each
Columns = tuple[bytes, int]  # of a pretoken: a row for every symbol, and how many bytes of text it is


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
    """The ids of a text, and nothing else: the fastest way."""
    ids: list[int] = []
    for segment in segments(tokenizer, text, specials):
        whole = segment.before + segment.text
        if segment.special is not None:
            ids.append(segment.special)
        elif len(whole) > SHORT and tokenizer.pretokenizer.begins:
            words, which = numbered(whole, tokenizer.pretokenizer)
            ids += rows_of(tokenizer.encode_words(words)).gathered(which).numbers.tolist()
        else:
            ids += chain.from_iterable(map(tokenizer.encode_word, tokenizer.pretokenizer.strings(whole)))
    return ids


def columns_of(ids: Sequence[int], sizes: Sequence[int], steps: Sequence[int]) -> Columns:
    """The columns of a pretoken from the ids and sizes of its symbols, and the steps of the boundaries before them.

    >>> rows, size = columns_of([104, 117], [1, 1], [NEVER, 3])
    >>> np.frombuffer(rows, np.int32).reshape(-1, 4)[1].tolist(), size
    ([1, 2, 117, 3], 2)
    """
    ends = list(accumulate(sizes))
    rows = zip(chain((0,), ends), ends, ids, steps, strict=False)  # the first column is one longer
    return array("i", chain.from_iterable(rows)).tobytes(), ends[-1]


def word_columns(tokenizer: Encoder, word: str, ids: Sequence[int]) -> Columns:
    """The columns of a pretoken that became `ids`."""
    symbols = symbols_of(word, tokenizer.alphabet, tokenizer.word_marker)
    steps = [step for i in ids for step in (NEVER, *tokenizer.inside(i))]
    base, sizes = tokenizer.ids_of_symbols(symbols), tokenizer.symbol_sizes(symbols)
    if len(steps) < len(base):  # the vocabulary has this word whole, and no merges make it
        base, sizes = ids, [sum(sizes)]
    return columns_of(base, sizes, steps)


class Path:
    """The columns of a text while it is walked: rows of symbols, and of every pretoken its symbols and first byte."""

    def __init__(self) -> None:
        """Nothing has been walked yet."""
        self._rows = bytearray()
        self._sizes, self._at = array("q"), array("q")
        self._padded: list[tuple[int, int]] = []

    def add(self, at: int, columns: Columns) -> None:
        """Add a pretoken whose first byte is `at`."""
        rows, _ = columns
        self._rows += rows
        self._sizes.append(len(rows) // ROW)
        self._at.append(at)

    def add_arrays(self, at: np.ndarray, rows: Rows) -> None:
        """Add many pretokens, the symbols of all one after the other."""
        self._rows += rows.numbers.tobytes()
        self._sizes.frombytes(rows.lengths.astype(np.int64).tobytes())
        self._at.frombytes(at.astype(np.int64).tobytes())

    def pad(self, at: int) -> None:
        """What is added next begins with a space that is not in the text, which goes on at byte `at`."""
        self._padded.append((len(self._rows) // ROW, at))

    def walked(self, tokenizer: Encoder, text: str) -> Walk:
        """The walk of the whole text."""
        sizes = np.frombuffer(self._sizes, np.int64)
        columns = np.frombuffer(self._rows, np.int32).reshape(-1, ROW // 4).T.copy()
        columns[:2] += np.repeat(np.frombuffer(self._at, np.int64).astype(np.int32), sizes)
        for symbol, at in self._padded:
            columns[:2, symbol : symbol + 2] = np.maximum(columns[:2, symbol : symbol + 2], at)
        return Walk(tokenizer, text, *columns, np.cumsum(sizes) - sizes)


def walk(tokenizer: Encoder, text: str, specials: bool = True, longest: bool = False) -> Walk:
    """The walk of a text; `specials` and `longest` as for `Tokenizer.encode`.

    >>> from bpe_core import Settings, train
    >>> walk(train("hug hug pug", Settings(vocab_size=258)).tokenizer(), "hug").merged_at[1:].tolist()
    [2, 1]
    """
    path, seen, at = Path(), [], 0
    for segment in segments(tokenizer, text, specials):
        if segment.special is not None:
            size = len(encode_text(segment.text))
            path.add(at, columns_of([segment.special], [size], [NEVER]))
        else:
            if segment.before:
                path.pad(at)
            _walk_text(path, tokenizer, segment.before + segment.text, at - len(segment.before), longest)
            size = len(segment.text) if segment.text.isascii() else len(encode_text(segment.text))
        seen.append(segment.text)
        at += size
    return path.walked(tokenizer, "".join(seen))


def _walk_text(path: Path, tokenizer: Encoder, text: str, at: int, longest: bool) -> None:
    """Add the pretokens of a text that begins at byte `at`."""
    splitter = tokenizer.pretokenizer
    if splitter.lossless and splitter.begins and len(text) > SHORT and not longest:
        path.add_arrays(*_walk_in_arrays(tokenizer, text, at))
    elif splitter.lossless:
        for word in splitter.strings(text):
            columns = _columns(tokenizer, word, longest)
            path.add(at, columns)
            at += columns[1]
    else:
        cuts = splitter.split(text)
        bytes_before = _bytes_before(text)
        for word, start, _, _ in cuts:
            path.add(at + bytes_before[start], _columns(tokenizer, word, longest))


def _bytes_before(text: str) -> Sequence[int]:
    """How many bytes stand before each character."""
    return range(len(text)) if text.isascii() else [0, *accumulate(len(encode_text(char)) for char in text)]


def _columns(tokenizer: Encoder, word: str, longest: bool) -> Columns:
    """The columns of one pretoken, remembered."""
    if longest:
        return word_columns(tokenizer, word, tokenizer.longest_match(word))
    found = tokenizer.known_columns.get(word)
    return found or _remembered(tokenizer, word, tokenizer.encode_word(word))


def _remembered(tokenizer: Encoder, word: str, ids: Sequence[int]) -> Columns:
    columns = word_columns(tokenizer, word, ids)
    return tokenizer.known_columns.keep(word, columns, len(columns[0]))


def _walk_in_arrays(tokenizer: Encoder, text: str, at: int) -> tuple[np.ndarray, Rows]:
    """(first byte, columns) of each pretoken of a long text, where nothing is dropped: see `numbered`."""
    words, which = numbered(text, tokenizer.pretokenizer)
    texts = strings_of(words)
    known = list(map(tokenizer.known_columns.get, texts))
    new = [i for i, found in enumerate(known) if found is None]
    for i, ids in zip(new, tokenizer.encode_words(words.take(pa.array(new, pa.int64()))), strict=True):
        known[i] = _remembered(tokenizer, texts[i], ids)
    symbols = np.frombuffer(b"".join([rows for rows, _ in known]), np.int32).reshape(-1, ROW // 4)
    sizes = np.array([len(rows) for rows, _ in known], np.int64) // ROW
    lengths = np.array([size for _, size in known], np.int64)[which]
    return at + np.cumsum(lengths) - lengths, Rows(symbols, sizes).gathered(which)
