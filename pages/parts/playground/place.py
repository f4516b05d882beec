"""A token within a text: which one a symbol belongs to after so many merges, and what stands beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.boundaries import Boundaries
from bpe_core.tokenizer.token_table import token_table
from pages.parts.session.vocabularies import Vocabulary


@dataclass(frozen=True, eq=False)
class Place:
    """A token within a text: the one that holds symbol `at`, after `step` merges."""

    text: str
    vocabulary: Vocabulary
    boundaries: Boundaries
    at: int
    step: int

    @cached_property
    def _firsts(self) -> np.ndarray:
        """The first symbol of every token."""
        return np.flatnonzero(self.boundaries.merged_at > self.step)

    @cached_property
    def _table(self) -> tuple[list[int], list[int], list[int]]:
        table = token_table(self.vocabulary.tokenizer, self.boundaries, self.step)
        return table.ids.tolist(), table.starts.tolist(), table.ends.tolist()

    @property
    def count(self) -> int:
        """How many tokens the text has."""
        return len(self._firsts)

    @property
    def number(self) -> int:
        """Which token of the text it is."""
        return int(np.searchsorted(self._firsts, self.at, "right")) - 1

    @property
    def span(self) -> tuple[int, int]:
        """Its first symbol, and the one after its last."""
        number = self.number
        last = number + 1 == len(self._firsts)
        return self.first_symbol(number), len(self.boundaries.merged_at) if last else self.first_symbol(number + 1)

    def first_symbol(self, number: int) -> int:
        """Where a token begins."""
        return int(self._firsts[number])

    def token_id(self, number: int) -> int | None:
        """The id of a token of the text; None outside it."""
        ids = self._table[0]
        return ids[number] if 0 <= number < len(ids) else None

    def token(self, number: int) -> bytes:
        """The bytes of a token of the text; an unknown character's own."""
        ids, starts, ends = self._table
        if ids[number] < 0:
            return encode_text(self.text)[starts[number] : ends[number]]
        return self.vocabulary.tokenizer.token_bytes(ids[number])


def most_interesting(found: Boundaries, step: int, within: int = 400) -> int:
    """The symbol where the token of most merges begins, near the start of the text: what is chosen at first.

    -1 for an empty text.
    """
    firsts = np.flatnonzero(found.merged_at[:within] > step)
    if not len(firsts):
        return -1
    sizes = np.diff(np.append(firsts, min(len(found.merged_at), within)))
    return int(firsts[sizes.argmax()])
