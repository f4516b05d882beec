"""A token within a text: which one a symbol belongs to after so many merges, and what stands beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bpe_core.tokenizer.walk import TokenTable, Walk
from pages.parts.session.vocabularies import Vocabulary


@dataclass(frozen=True, eq=False)
class Place:
    """A token within a text: the one that holds symbol `at`, after `step` merges."""

    vocabulary: Vocabulary
    walk: Walk
    at: int
    step: int

    @cached_property
    def table(self) -> TokenTable:
        """The tokens of the text after the step."""
        return self.walk.tokens(self.step)

    @property
    def number(self) -> int:
        """Which token of the text it is."""
        return int(np.searchsorted(self.table.firsts, self.at, "right")) - 1

    @property
    def span(self) -> tuple[int, int]:
        """Its first symbol, and the one after its last."""
        number = self.number
        last = number + 1 == len(self.table)
        return self.first_symbol(number), len(self.walk) if last else self.first_symbol(number + 1)

    def first_symbol(self, number: int) -> int:
        """Where a token begins."""
        return int(self.table.firsts[number])

    def token_id(self, number: int) -> int | None:
        """The id of a token of the text; None outside it."""
        return int(self.table.ids[number]) if 0 <= number < len(self.table) else None

    def token(self, number: int) -> bytes:
        """The bytes of a token of the text."""
        return self.table.token(number)


def most_interesting(walk: Walk, step: int, within: int = 400) -> int:
    """The symbol where the token that is chosen at first begins: the longest of the first word with several tokens.

    Where no word near the start of the text has several, it is the longest token. -1 for an empty text.
    """
    firsts = np.flatnonzero(walk.merged_at[:within] > step)
    if not len(firsts):
        return -1
    sizes = np.diff(np.append(firsts, min(len(walk), within)))
    words = np.searchsorted(walk.words, firsts, "right")  # of each token, the number of its word
    several = np.bincount(words)[words] > 1
    wanted = words == words[several.argmax()] if several.any() else True
    return int(firsts[np.where(wanted, sizes, 0).argmax()])
