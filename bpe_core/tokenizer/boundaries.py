"""The step at which each boundary of a text falls, fast: `Encoding.merged_at` without an object for each token.

For pages that encode at every key: a word seen before costs one look-up. Which characters the symbols stand for is said
with few numbers, the stretches. As long as nothing of the text is dropped or marked, one stretch covers it all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bpe_core.text.normalizers import normalized
from bpe_core.tokenizer.memo import Memo
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.training.lifetimes import NEVER

PLAIN, SPACED = -1, -2  # kinds of stretches that are no token of their own


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

    All offsets count in `text`: the text as the tokenizer sees it, normalized. `pretokens[i]` are those of stretch `i`,
    and `sizes[i]` says how many symbols each of them has.
    """

    text: str
    merged_at: np.ndarray
    stretches: tuple[Stretch, ...]
    pretokens: tuple[tuple[str, ...], ...]
    sizes: tuple[tuple[int, ...], ...]

    def word_at(self, symbol: int) -> Word:
        """The pretoken that holds a symbol.

        >>> from bpe_core import Settings, train
        >>> found = BoundaryFinder(train("hug pug", Settings(vocab_size=256)).tokenizer()).find("hug pug")
        >>> found.word_at(4)
        Word(text=' pug', start=3, first=3, special=False)
        """
        first = 0
        for stretch, words, sizes in zip(self.stretches, self.pretokens, self.sizes, strict=True):
            if symbol < first + stretch.symbols:
                start = stretch.start - (stretch.special == SPACED)
                for word, size in zip(words, sizes, strict=True):
                    if symbol < first + size:
                        return Word(word, max(start, stretch.start), first, stretch.special >= 0)
                    start, first = start + len(word), first + size
            first += stretch.symbols
        raise ValueError(f"symbol {symbol} is not in this text of {len(self.merged_at)} symbols")


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
        self._gapless = tokenizer.pretokenizer.lossless and tokenizer.word_marker == "none"

    def find(self, text: str, specials: bool = True) -> Boundaries:
        """The boundaries of `text`; `specials` as in `Tokenizer.encode`."""
        found: list[bytes] = []
        stretches: list[Stretch] = []
        pretokens: list[tuple[str, ...]] = []
        sizes: list[tuple[int, ...]] = []

        def add(start: int, end: int, words: Sequence[str], steps: Sequence[bytes], special: int = PLAIN) -> None:
            lengths = tuple([len(word) // 4 for word in steps])
            stretches.append(Stretch(start, end, sum(lengths), special))
            pretokens.append(tuple(words))
            sizes.append(lengths)
            found.extend(steps)

        names, prefix = self.tokenizer.special_tokens, self.tokenizer.prefix
        start, seen = 0, []
        for piece, original, special in self.tokenizer.segments(text, specials):
            if special:
                add(start, start + len(piece), [piece], [_NEVER], names[piece])
            elif special is None:
                piece = normalized(piece, self.tokenizer.normalizers)
                before = prefix(piece, original)
                for first, last, words in self._cut(before + piece):
                    known = list(map(self._word, words))
                    spaced = SPACED if first < len(before) else PLAIN
                    whole = known[0][1] if len(known) == 1 else PLAIN
                    shift = start - len(before)
                    steps = [of_word for of_word, _ in known]
                    add(max(first + shift, start), last + shift, words, steps, spaced if whole == PLAIN else whole)
            seen.append(piece)
            start += len(piece)
        merged_at = np.frombuffer(b"".join(found), np.int32)
        return Boundaries("".join(seen), merged_at, tuple(stretches), tuple(pretokens), tuple(sizes))

    def _cut(self, piece: str) -> Iterator[tuple[int, int, list[str]]]:
        """(start, end, pretokens) of each stretch: all of it, or each pretoken alone where gaps may be between them."""
        if not self._gapless or self.tokenizer.whole_words:
            yield from ((cut.start, cut.end, [cut.text]) for cut in self.tokenizer.pretokenizer.split(piece))
        elif piece:
            yield 0, len(piece), self.tokenizer.pretokenizer.strings(piece)

    def _word(self, word: str) -> tuple[bytes, int]:
        """The word's `merged_at` as the bytes of 32-bit integers, and `PLAIN`, or its id if no merges make it."""
        known = self._memo.get(word)
        if known is None:
            inside, ids = self.tokenizer.inside, self.tokenizer.encode_word(word)
            steps = [step for i in ids for step in (NEVER, *inside(i))]
            unmade = self.tokenizer.whole_words and len(steps) < len(self.tokenizer.symbol_ids(word))
            known = np.array(steps, np.int32).tobytes(), ids[0] if unmade else PLAIN
            self._memo.keep(word, known, len(known[0]))
        return known


_NEVER = np.array([NEVER], np.int32).tobytes()
