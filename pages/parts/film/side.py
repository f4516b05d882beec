"""What a film needs of a training. A recorded run of BPE is one (`run_side`); others can be filmed the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

CHUNK = 16  # steps whose frames travel together


class Side(Protocol):
    """One training as the film shows it. What it gives is made of JSON's values.

    `digest`: another one for another training or another way of writing its tokens.
    """

    digest: str
    steps: int
    token_count: int  # after all steps
    word_count: int

    def facts(self) -> str:
        """What holds for all steps, as JSON and made once: the merges, the base tokens, the timeline."""

    def words(self, rows: Sequence[int]) -> list[list[Any]]:
        """Words with their lifetimes, [row, count, symbols, lifetimes, symbols that do not travel] each."""

    def chunk(self, number: int) -> dict[str, Any]:
        """The frames of steps `CHUNK * number` and the ones after it, and the words that they name."""

    def focus(self, step: int, pair: Sequence[int] | None, word: int | None) -> dict[str, Any] | None:
        """More on a chosen pair (token ids) or a chosen word (its row) at a step."""
