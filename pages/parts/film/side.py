"""What a film needs of a training. A recorded run of BPE is one (`run_side`); others can be filmed the same way."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

CHUNK = 16  # steps whose frames travel together


class Side(Protocol):
    """One training as the film shows it. What it gives is made of JSON's values.

    `digest`: another one for another training or another way of writing its tokens.
    """

    digest: str
    steps: int

    def facts(self) -> str:
        """What holds for all steps, as JSON and made once: the merges, the base tokens, the timeline."""

    def words(self, rows: Sequence[int]) -> list[list[Any]]:
        """Words with their lifetimes, as `packed_word` makes them."""

    def chunk(self, number: int) -> dict[str, Any]:
        """The frames of steps `CHUNK * number` and the ones after it, and the words that they name."""

    def focus(self, step: int, pair: Sequence[int] | None, word: int | None) -> dict[str, Any] | None:
        """More on a chosen pair (token ids) or a chosen word (its row) at a step."""


def packed(array: np.ndarray) -> dict[str, str]:
    """An array of whole numbers as base64 of its smallest kind: {"kind": "u1" | "i4" | "f8", "base64": …}.

    >>> packed(np.array([1, 2]))
    {'kind': 'u1', 'base64': 'AQI='}
    """
    largest = int(array.max(initial=0))
    kind = "u1" if largest < 2**8 else "i4" if largest < 2**31 else "f8"
    return {"kind": kind, "base64": b64encode(array.astype(f"<{kind}").tobytes()).decode("ascii")}
