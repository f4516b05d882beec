"""A recorded training of Unigram as a side of a film that shows its step bar and what each round did.

There are no merges in it, and a word's tokens do not follow from those of the round before: the page draws them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from bpe_core.display.colours import HUES
from bpe_core.display.token_text import MARKS
from bpe_core.models.unigram import UnigramRun
from pages.parts.algorithms import unigram_rounds
from pages.parts.film.side import CHUNK
from pages.parts.live_text.payload import packed

PARTS = ("said",)


class UnigramSide:
    """The rounds of a run, one a step."""

    token_count = word_count = 0  # of those that can be chosen

    def __init__(self, run: UnigramRun) -> None:
        """Nothing is worked out yet."""
        self.run, self.steps = run, run.steps

    @cached_property
    def digest(self) -> str:
        """What tells this run from every other."""
        run, digest = self.run, sha256(repr((self.run.settings, self.run.pretokens, self.run.seed)).encode())
        digest.update(np.ascontiguousarray(run.pretoken_counts))
        return digest.hexdigest()[:20]

    def facts(self) -> str:
        """That there are rounds, and no merges."""
        none = packed(np.zeros(0, np.int64))
        arrays = dict.fromkeys(("hues", "left", "right", "counts", "tied"), none)
        looks = {"base": [], "kinds": HUES, "glyph": "", "marks": MARKS, "timeline": [], "unit": "round"}
        return json.dumps(arrays | looks)

    def words(self, rows: Sequence[int]) -> list[list[Any]]:
        """None."""
        return []

    def chunk(self, number: int) -> dict[str, Any]:
        """What each of these rounds did."""
        first = CHUNK * number
        frames = [self._frame(step) for step in range(first, min(first + CHUNK, self.steps + 1))]
        return {"frames": frames, "words": []}

    def _frame(self, number: int) -> dict[str, Any]:
        tokens = int(self.run.rounds[number].uses.sum())
        return {"said": [unigram_rounds.said(self.run, number)], "tie": [], "ahead": [], "tokens": tokens, "changed": 0}

    def focus(self, step: int, pair: Sequence[int] | None, word: int | None) -> None:
        """Nothing can be chosen in it."""
