"""Where the boundaries of a text fall under a tokenizer whose ids come from a library.

Tokens that merges make, and whose bytes are the text's, lie side by side in one stretch of base symbols:

    text      ␠ t h e ␠ d o g s        the library's tokens: ␠the, ␠dog, s
    symbols   · t h e · d o g s        merged_at: ∞ 5 9 2 | ∞ 7 3 7 | ∞

Any other token is a stretch of its own with one symbol: no merges are known inside it. So is one whose bytes are not in
the text: a normalizer put them there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from bpe_core.files.libraries import sendable
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.tokenizer.boundaries import NEVER, PLAIN, SPACED, Boundaries, BoundaryFinder, Stretch
from bpe_core.tokenizer.tokenizer import Tokenizer


def finder_of(tokenizer: Tokenizer) -> BoundaryFinder:
    """What finds the boundaries of texts under any tokenizer."""
    return LibraryFinder(tokenizer) if isinstance(tokenizer, LibraryTokenizer) else BoundaryFinder(tokenizer)


class _Token(NamedTuple):
    """A token of the library: its bytes, where it stands in those of the text, and its pretoken's number.

    `steps`: at which the boundaries inside it fell; None where no merges make it.
    """

    token_id: int
    raw: bytes
    first: int
    last: int
    word: int | None
    steps: tuple[int, ...] | None


class LibraryFinder(BoundaryFinder):
    """Finds the boundaries of texts under a `LibraryTokenizer`."""

    tokenizer: LibraryTokenizer

    def find(self, text: str, specials: bool = True) -> Boundaries:
        """The boundaries of `text`; its offsets are those of the text as it was typed."""
        text = sendable(text)
        offsets = range(len(text) + 1) if text.isascii() else [0, *accumulate(len(char.encode()) for char in text)]
        building = _Building(text.encode(), set(offsets))
        for token_id, (start, end), word in zip(*self.tokenizer.found(text, specials), strict=True):
            made, raw = self.tokenizer.made(token_id), self.tokenizer.token_bytes(token_id)
            building.take(_Token(token_id, raw, offsets[start], offsets[end], word, made.inside if made else None))
        runs = building.finished()
        character = {byte: i for i, byte in enumerate(offsets)}
        return Boundaries(
            text,
            np.array([step for run in runs for step in run.steps], np.int32),
            tuple(Stretch(character[run.start], character[run.end], len(run.steps), run.kind) for run in runs),
            tuple([_characters(raw) for _, raw, _ in run.words] for run in runs),
            tuple([symbols for _, _, symbols in run.words] for run in runs),
        )


def _characters(raw: bytes) -> int:
    """How many characters begin in some bytes of a text.

    >>> _characters("né".encode())
    2
    """
    return sum(byte & 0xC0 != 0x80 for byte in raw)


@dataclass
class _Run:
    """A stretch in bytes of the text, the steps of its symbols, and its pretokens: (number, bytes, symbols)."""

    start: int
    end: int
    kind: int = PLAIN
    steps: list[int] = field(default_factory=list)
    words: list[tuple[int | None, bytes, int]] = field(default_factory=list)

    def add(self, token: _Token) -> None:
        """Put a token at the end."""
        self.steps += (NEVER, *token.steps)
        word, raw, symbols = token.word, token.raw, len(token.steps) + 1
        if self.words and self.words[-1][0] == word:
            _, before, already = self.words.pop()
            raw, symbols = before + raw, already + symbols
        self.words.append((word, raw, symbols))


class _Building:
    """The stretches of a text, put together token by token. `whole`: the offsets at which characters begin or end.

    A token that ends within a character waits for those that complete it.
    """

    def __init__(self, raw: bytes, whole: set[int]) -> None:
        self.raw, self.whole = raw, whole
        self.done: list[_Run] = []
        self.run = _Run(0, 0)
        self.waiting: list[_Token] = []
        self.at = 0  # behind those that wait

    def take(self, token: _Token) -> None:
        """The next token of the text."""
        if not self._fits(token):
            self._close(max(token.first, self.run.end))
            if self._is_spaced(token):
                self.run.kind = SPACED
                self.at -= 1
            elif not self._fits(token):
                self._alone(token)
                return
        self.waiting.append(token)
        self.at += len(token.raw)
        if self.at in self.whole:
            for each in self.waiting:
                self.run.add(each)
            self.waiting, self.run.end = [], self.at

    def _fits(self, token: _Token) -> bool:
        """Whether merges make the token, and its bytes are the next ones of the text."""
        end = self.at + len(token.raw)
        return token.steps is not None and end <= token.last and self.raw[self.at : end] == token.raw

    def _is_spaced(self, token: _Token) -> bool:
        """Whether it is the text and a space that the tokenizer put before it."""
        return token.steps is not None and token.raw == b" " + self.raw[self.at : token.last]

    def _close(self, start: int) -> None:
        """End the stretch; those that waited in vain stand alone. The next one begins at `start`."""
        if self.run.steps:
            self.done.append(self.run)
        self.run, waiting, self.waiting = _Run(self.run.end, self.run.end), self.waiting, []
        for token in waiting:
            self._alone(token)
        start = max(start, self.run.end)
        self.run, self.at = _Run(start, start), start

    def _alone(self, token: _Token) -> None:
        start = max(token.first, self.run.end)
        end = max(token.last, start)
        self.done.append(_Run(start, end, token.token_id, [NEVER], [(token.word, self.raw[start:end], 1)]))
        self.run, self.at = _Run(end, end), end

    def finished(self) -> list[_Run]:
        """All stretches."""
        self._close(self.run.end)
        return self.done
