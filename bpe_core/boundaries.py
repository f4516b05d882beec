"""Where the boundaries of a text fall, fast: `Encoding.merged_at` without an object per token.

For pages that encode at every key: a word seen before costs one look-up. Which characters the symbols stand for is
said by few numbers: as long as nothing of the text is dropped or marked, one stretch covers it all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bpe_core.counting import segments
from bpe_core.symbols import NEVER
from bpe_core.tokenizer import Tokenizer

MEMO_WORDS = 1 << 16


class Stretch(NamedTuple):
    """Symbols that follow each other in the text without a gap.

    `start`, `end`: character offsets. `symbols`: how many base symbols, the word marker included. `special`: the id
    of the special token that this is, or -1.
    """

    start: int
    end: int
    symbols: int
    special: int


@dataclass(frozen=True, eq=False)
class Boundaries:
    """`merged_at` as in `Encoding`, and the stretches of text that its symbols stand for, in order."""

    merged_at: np.ndarray
    stretches: tuple[Stretch, ...]


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
        self._memo: dict[str, bytes] = {}
        self._gapless = tokenizer.pretokenizer.lossless and tokenizer.word_marker == "none"

    def find(self, text: str, specials: bool = True) -> Boundaries:
        """The boundaries of `text`; `specials` as in `Tokenizer.encode`."""
        found: list[bytes] = []
        stretches: list[Stretch] = []
        names = self.tokenizer.special_tokens
        for piece, start, special in segments(text, tuple(names) if specials else ()):
            if special:
                found.append(_NEVER)
                stretches.append(Stretch(start, start + len(piece), 1, names[piece]))
            elif self._gapless:
                words = [self._word(word) for word in self.tokenizer.pretokenizer.pieces(piece)]
                found += words
                stretches.append(Stretch(start, start + len(piece), sum(map(len, words)) // 4, -1))
            else:
                for cut in self.tokenizer.pretokenizer.split(piece):
                    word = self._word(cut.text)
                    found.append(word)
                    stretches.append(Stretch(start + cut.start, start + cut.end, len(word) // 4, -1))
        return Boundaries(np.frombuffer(b"".join(found), np.int32), tuple(stretches))

    def _word(self, word: str) -> bytes:
        """The word's `merged_at` as the bytes of 32-bit integers."""
        known = self._memo.get(word)
        if known is None:
            inside = self.tokenizer.inside
            steps = [step for i in self.tokenizer.encode_word(word) for step in (NEVER, *inside(i))]
            known = np.array(steps, np.int32).tobytes()
            if len(self._memo) >= MEMO_WORDS:
                self._memo.clear()
            self._memo[word] = known
        return known


_NEVER = np.array([NEVER], np.int32).tobytes()
