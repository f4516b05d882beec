"""A token of a text at a step: which symbols it has, its id and its bytes, and those of the other tokens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bpe_core.tokenizer.walk import TokenTable, Walk
from pages.parts.session.vocabularies import Vocabulary


@dataclass(frozen=True, eq=False)
class TextToken:
    """The token of a text that contains symbol `at` after `step` merges."""

    vocabulary: Vocabulary
    walk: Walk
    at: int
    step: int

    @cached_property
    def table(self) -> TokenTable:
        """The tokens of the text after `step` merges."""
        return self.walk.tokens(self.step)

    @property
    def number(self) -> int:
        """The index of the token among the tokens of the text."""
        return int(np.searchsorted(self.table.firsts, self.at, "right")) - 1

    @property
    def span(self) -> tuple[int, int]:
        """The index of its first symbol, and the index after its last symbol."""
        number = self.number
        last = number + 1 == len(self.table)
        return self.first_symbol(number), len(self.walk) if last else self.first_symbol(number + 1)

    def first_symbol(self, number: int) -> int:
        """Return the index of the first symbol of token `number`."""
        return int(self.table.firsts[number])

    def id_of(self, number: int) -> int | None:
        """Return the id of token `number`, or None if the text has no such token."""
        return int(self.table.ids[number]) if 0 <= number < len(self.table) else None

    def bytes_of(self, number: int) -> bytes:
        """Return the bytes of token `number`."""
        return self.table.token(number)


def most_interesting(walk: Walk, step: int, within: int = 400) -> int:
    """Return the first symbol of the token that a page chooses at first; -1 for an empty text.

    It is the longest token of the first word with several tokens; if each of the first `within` symbols is in a word
    of one token, it is the longest token.
    """
    firsts = np.flatnonzero(walk.merged_at[:within] > step)
    if not len(firsts):
        return -1
    sizes = np.diff(np.append(firsts, min(len(walk), within)))
    words = np.searchsorted(walk.words, firsts, "right")  # the number of each token's word
    several = np.bincount(words)[words] > 1
    wanted = words == words[several.argmax()] if several.any() else True
    return int(firsts[np.where(wanted, sizes, 0).argmax()])
