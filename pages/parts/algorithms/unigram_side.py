"""A training of Unigram as a side of a film, which shows the step bar and what each round did.

The film of Unigram has no merges. The tokens of a word do not follow from those of the round before, so the page draws
the words, not the film.
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
    """A run of Unigram, with a round for each step."""

    token_count = word_count = 0  # no token or word can be chosen in the film

    def __init__(self, run: UnigramRun) -> None:
        """Wrap a run; the rest is computed when it is needed."""
        self.run, self.steps = run, run.steps

    @cached_property
    def digest(self) -> str:
        """The cache key of the run, which differs for any two runs."""
        run, digest = self.run, sha256(repr((self.run.settings, self.run.pretokens, self.run.seed)).encode())
        digest.update(np.ascontiguousarray(run.pretoken_counts))
        return digest.hexdigest()[:20]

    def facts(self) -> str:
        """Return the facts of all steps as JSON: the steps are rounds, and there are no merges."""
        none = packed(np.zeros(0, np.int64))
        arrays = dict.fromkeys(("hues", "left", "right", "counts", "tied"), none)
        others = {"base": [], "kinds": HUES, "glyph": "", "marks": MARKS, "timeline": [], "unit": "round"}
        return json.dumps(arrays | others)

    def words(self, rows: Sequence[int]) -> list[list[Any]]:
        """Return no words: the page draws them."""
        return []

    def chunk(self, number: int) -> dict[str, Any]:
        """Return the frames of `CHUNK` rounds, each with a sentence about what it did."""
        first = CHUNK * number
        frames = [self._frame(step) for step in range(first, min(first + CHUNK, self.steps + 1))]
        return {"frames": frames, "words": []}

    def _frame(self, number: int) -> dict[str, Any]:
        tokens = int(self.run.rounds[number].uses.sum())
        sentence = unigram_rounds.round_sentence(self.run, number)
        return {"said": [sentence], "tie": [], "ahead": [], "tokens": tokens, "changed": 0}

    def focus(self, step: int, pair: Sequence[int] | None, word: int | None) -> None:
        """Do nothing: no pair or word can be chosen in the film."""
