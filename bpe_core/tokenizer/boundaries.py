"""The step at which each boundary of a text falls, fast: `Encoding.merged_at` without an object for each token.

For pages that encode at every key: a word seen before costs one look-up, and in a long text, which is cut in arrays,
each different word costs one. Which characters the symbols stand for is said with few numbers, the stretches. As long
as nothing of the text is dropped or marked, one stretch covers it all.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from bpe_core.text.normalizers import normalized
from bpe_core.text.pretoken_arrays import SHORT, strings_of
from bpe_core.tokenizer.encoding_arrays import Rows, numbered
from bpe_core.tokenizer.memo import Memo
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.training.lifetimes import NEVER

PLAIN, SPACED = -1, -2  # kinds of stretches that are no token of their own


Numbers = Sequence[int] | np.ndarray


class Stretch(NamedTuple):
    """Symbols that follow each other in the text without a gap.

    `start`, `end`: character offsets. `symbols`: how many base symbols, the word marker included. `special`: the id of
    the special token that this is, or of a word that the vocabulary has whole, though no merges make it; else `PLAIN`,
    or `SPACED` where its first symbol is a space that the tokenizer put before the text.
    """

    start: int
    end: int
    symbols: int
    special: int


class Word(NamedTuple):
    """A pretoken within the text: its first character's offset, its first symbol's number, whether it is special."""

    text: str
    start: int
    first: int
    special: bool


@dataclass(frozen=True, eq=False)
class Boundaries:
    """`merged_at` as in `Encoding`, and the stretches of text that its symbols stand for.

    All offsets count in `text`: the text as the tokenizer sees it, normalized. For each pretoken of stretch `i`,
    `lengths[i]` has its characters, a space put before the text included, and `sizes[i]` its symbols.
    """

    text: str
    merged_at: np.ndarray
    stretches: tuple[Stretch, ...]
    lengths: tuple[Numbers, ...]
    sizes: tuple[Numbers, ...]

    def word_at(self, symbol: int) -> Word:
        """The pretoken that holds a symbol.

        >>> from bpe_core import Settings, train
        >>> found = BoundaryFinder(train("hug pug", Settings(vocab_size=256)).tokenizer()).find("hug pug")
        >>> found.word_at(4)
        Word(text=' pug', start=3, first=3, special=False)
        """
        first = 0
        for stretch, lengths, sizes in zip(self.stretches, self.lengths, self.sizes, strict=True):
            if symbol < first + stretch.symbols:
                ends = np.cumsum(sizes)
                number = int(np.searchsorted(ends, symbol - first, "right"))
                start = stretch.end - int(np.sum(lengths[number:]))  # outside the stretch: a space was put there
                end, inside = start + int(lengths[number]), max(start, stretch.start)
                text = " " * (inside - start) + self.text[inside:end]
                return Word(text, inside, first + int(ends[number] - sizes[number]), stretch.special >= 0)
            first += stretch.symbols
        raise ValueError(f"symbol {symbol} is not in this text of {len(self.merged_at)} symbols")


@dataclass(eq=False)
class _Parts:
    """What is found, stretch by stretch: the columns of `Boundaries`, and `merged_at` as bytes of 32-bit integers."""

    stretches: list[Stretch] = field(default_factory=list)
    lengths: list[Numbers] = field(default_factory=list)
    sizes: list[Numbers] = field(default_factory=list)
    steps: list[bytes] = field(default_factory=list)

    def add(self, start: int, end: int, special: int, words: Sequence[str], steps: Sequence[bytes]) -> None:
        """Add a stretch, by its words."""
        sizes = [len(of_word) // 4 for of_word in steps]
        self.stretches.append(Stretch(start, end, sum(sizes), special))
        self.lengths.append([len(word) for word in words])
        self.sizes.append(sizes)
        self.steps += steps

    def add_arrays(self, start: int, end: int, special: int, lengths: np.ndarray, rows: Rows) -> None:
        """Add a stretch, by the lengths of its words and a row for each."""
        self.stretches.append(Stretch(start, end, len(rows.numbers), special))
        self.lengths.append(lengths)
        self.sizes.append(rows.lengths)
        self.steps.append(rows.numbers.tobytes())


class BoundaryFinder:
    """Finds the boundaries of texts under one tokenizer, and remembers the words it has seen.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings("none", vocab_size=258)).tokenizer()
    >>> found = BoundaryFinder(tok).find("hugs")
    >>> (found.merged_at % NEVER).tolist(), found.stretches  # 0: never merged
    ([0, 2, 1, 0], (Stretch(start=0, end=4, symbols=4, special=-1),))
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Start with an empty memory."""
        self.tokenizer = tokenizer
        self._memo: Memo[tuple[bytes, int]] = Memo()
        self._gapless = (
            tokenizer.pretokenizer.lossless and tokenizer.word_marker == "none" and not tokenizer.whole_words
        )
        self._in_arrays = self._gapless and tokenizer.pretokenizer.begins is not None

    def find(self, text: str, specials: bool = True) -> Boundaries:
        """The boundaries of `text`; `specials` as in `Tokenizer.encode`."""
        parts = _Parts()
        start, seen = 0, []
        for segment, original, special in self.tokenizer.segments(text, specials):
            if special:
                name = self.tokenizer.special_tokens[segment]
                parts.add(start, start + len(segment), name, [segment], [_NEVER])
            elif special is None:
                segment = normalized(segment, self.tokenizer.normalizers)
                before = self.tokenizer.prefix(segment, original)
                self._find_in(before + segment, start - len(before), start, parts)
            seen.append(segment)
            start += len(segment)
        merged_at = np.frombuffer(b"".join(parts.steps), np.int32)
        columns = map(tuple, (parts.stretches, parts.lengths, parts.sizes))
        return Boundaries("".join(seen), merged_at, *columns)

    def _find_in(self, segment: str, start: int, first: int, parts: _Parts) -> None:
        """Add what `segment` has, which begins at `start`: before `first` if a space was put before it."""
        spaced = SPACED if start < first else PLAIN
        if self._in_arrays and len(segment) > SHORT:
            parts.add_arrays(first, start + len(segment), spaced, *self._long(segment))
        elif self._gapless:
            words = self.tokenizer.pretokenizer.strings(segment)
            if words:
                parts.add(first, start + len(segment), spaced, words, [self._word(word)[0] for word in words])
        else:  # there may be gaps between pretokens: each is a stretch
            for word, begin, end, _ in self.tokenizer.pretokenizer.split(segment):
                steps, whole = self._word(word)
                special = (spaced if start + begin < first else PLAIN) if whole == PLAIN else whole
                parts.add(max(start + begin, first), start + end, special, [word], [steps])

    def _long(self, segment: str) -> tuple[np.ndarray, Rows]:
        """(characters, `merged_at`) of each pretoken of a long text, where nothing is dropped: see `numbered`."""
        words, which = numbered(segment, self.tokenizer.pretokenizer)
        texts = strings_of(words)
        known = list(map(self._memo.get, texts))
        new = [i for i, found in enumerate(known) if found is None]
        for i, ids in zip(new, self.tokenizer.encode_words(words.take(pa.array(new, pa.int64()))), strict=True):
            known[i] = self._remember(texts[i], ids)
        steps = [found[0] for found in known]
        sizes = np.fromiter(map(len, steps), np.int64, len(steps)) // 4
        rows = Rows(np.frombuffer(b"".join(steps), np.int32), sizes)
        return np.fromiter(map(len, texts), np.int64, len(texts))[which], rows.gathered(which)

    def _word(self, word: str) -> tuple[bytes, int]:
        """The word's `merged_at` as the bytes of 32-bit integers, and `PLAIN`, or its id if no merges make it."""
        return self._memo.get(word) or self._remember(word, self.tokenizer.encode_word(word))

    def _remember(self, word: str, ids: Sequence[int]) -> tuple[bytes, int]:
        """The same, worked out from the word's ids."""
        inside = self.tokenizer.inside
        steps = array("i", [step for i in ids for step in (NEVER, *inside(i))]).tobytes()
        unmade = self.tokenizer.whole_words and len(steps) // 4 < len(self.tokenizer.symbol_ids(word))
        return self._memo.keep(word, (steps, ids[0] if unmade else PLAIN), len(steps))


_NEVER = array("i", [NEVER]).tobytes()
