"""Cutting a long row into pieces that have the same tokens as the row, where the tokenizer's split allows it.

`pieces_lost` says how much of a piece the vocabulary cannot write.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from bpe_core.corpus.text_batches import CHUNK, last_boundary
from bpe_core.corpus.text_files import Text
from bpe_core.counting.table_records import LONGEST
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.tokenizer import Tokenizer


def pieces_lost(text: str, tokenizer: Tokenizer, specials: bool | None = None) -> int:
    """Return how many pieces of a text are lost, as `Encoding.pieces_lost` has it.

    `specials` and errors: as for `Tokenizer.ids`. It takes about as long as `ids` where nothing is lost, and no time
    where the vocabulary can write every text.

    >>> from bpe_core import load
    >>> pieces_lost("a 🦜", load("bert")), pieces_lost("a 🦜", load("gpt2"))
    (1, 0)
    """
    if not tokenizer.vocabulary.loses_text:
        return 0
    drops = tokenizer.needs_library and (tokenizer.unknown_id is None or bool(tokenizer.byte_ids))
    if not drops and {UNKNOWN, tokenizer.unknown_id}.isdisjoint(tokenizer.ids(text, specials=specials)):
        return 0
    return tokenizer.encode(text, specials=specials).pieces_lost


@dataclass(frozen=True)
class Splits:
    """How a tokenizer splits texts: see `text_batches.Splitting`. `cuts`: whether it can take a text in parts."""

    splitter: Pretokenizer
    normalizers: tuple[str, ...]
    special_tokens: tuple[str, ...]
    cuts: bool

    @classmethod
    def of(cls, tokenizer: Tokenizer, specials: bool | None = False) -> Splits:
        """Return how a tokenizer splits. A library may look at the whole text, and a prefix space is put before it.

        `specials`: as for `Tokenizer.ids`. For None too a name in the text has to stay whole, since it is refused.
        """
        names = () if tokenizer.needs_library else tokenizer.vocabulary.names_in_text(specials is not False)
        cuts = not (tokenizer.needs_library or tokenizer.prefix_space)
        return cls(tokenizer.pretokenizer, tokenizer.normalizers, names, cuts)


class Cutter:
    """Cuts a long row into pieces that have the same tokens as the row. `failed`: whether there is no place to cut.

    >>> from bpe_core import load
    >>> cutter = Cutter(Splits.of(load("gpt2")), size=8)
    >>> [*cutter.cut("one two thr", ends=False), *cutter.cut("ee four", ends=True)]
    ['one two', ' three', ' four']
    """

    def __init__(self, splits: Splits, size: int = CHUNK, longest: int = LONGEST) -> None:
        """Begin a row. `size`: characters of a piece. `longest`: the most characters of a piece."""
        self._splits, self._size, self._wanted, self._longest = splits, size, size, longest
        self._read: list[str] = []
        self._length = 0
        self.failed = False

    def cut(self, text: str, ends: bool) -> Iterator[str]:
        """Yield the pieces that are certain after another part of the row. `ends`: whether it is the last part."""
        if self.failed:
            return
        self._read.append(text)
        self._length += len(text)
        if self._length < self._wanted and not ends:
            return
        whole = "".join(self._read)
        start = 0
        while self._splits.cuts and len(whole) - start > self._size:  # at most about `size` characters at once
            end = last_boundary(whole[start : start + self._wanted], self._splits)
            if end:
                yield whole[start : start + end]
                start, self._wanted = start + end, self._size
            elif start + self._wanted < min(len(whole), self._longest + 1):
                self._wanted = min(
                    2 * self._wanted, self._longest + 1
                )  # else searching again after each part would be quadratic
            else:
                break
        rest = whole[start:]
        self.failed = len(rest) > self._longest
        if ends and not self.failed:
            yield rest
        self._read, self._length = ([], 0) if ends or self.failed else ([rest], len(rest))
        if self._length >= self._wanted:
            self._wanted = max(min(2 * self._length, self._longest + 1), self._size)


def count_and_losses(text: Text, tokenizer: Tokenizer, specials: bool | None = None) -> tuple[int, int]:
    """Return how many tokens a text has, and how many of its pieces are lost (see `pieces_lost`).

    The text is read and encoded in parts where the tokenizer's split allows it. `specials`: as for `Tokenizer.ids`.
    Raises the errors of `Tokenizer.ids` and of `TextFile.blocks`.

    >>> from bpe_core import load
    >>> count_and_losses("one two three", load("gpt2")), count_and_losses("a 🦜", load("bert"))
    ((3, 0), (2, 1))
    """
    cutter, total, lost = Cutter(Splits.of(tokenizer, specials), longest=sys.maxsize), 0, 0
    blocks = (text,) if isinstance(text, str) else (block for block, _ in text.blocks())
    for block, ends in chain(((block, False) for block in blocks), [("", True)]):
        for piece in cutter.cut(block, ends=ends):
            total += tokenizer.count(piece, specials=specials)
            lost += pieces_lost(piece, tokenizer, specials)
    return total, lost
