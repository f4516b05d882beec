"""The film of a Unigram training: the step bar, and what each round did.

Such a training has no merges: a word's tokens do not follow from its tokens one round before, so the film cannot
compute them. The page draws the words instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from bpe_core.models.unigram import UnigramRun
from bpe_core.models.unigram_trainer import LONGEST_TOKEN
from bpe_core.pictures.film.film_side import CHUNK
from bpe_core.pictures.shared.colours import HUES
from bpe_core.pictures.shared.json_form import Json, packed
from bpe_core.pictures.shared.token_text import MARKS
from bpe_core.text.in_words import counted

SECTIONS = ("sentence",)  # of the film


class UnigramSide:
    """A run of Unigram as a side of a film. Each round is a step. No word and no pair can be chosen.

    >>> from bpe_core.models.unigram import train
    >>> from bpe_core.settings import Settings
    >>> side = UnigramSide(train("hug hug hugs pug", Settings("whitespace", "characters", vocab_size=7)))
    >>> [frame["tokens"] for frame in side.chunk(0)["frames"]], side.words([0])
    ([6, 6], [])
    """

    begin = token_count = word_count = 0

    def __init__(self, run: UnigramRun) -> None:
        """Prepare the side; nothing is computed yet."""
        self.run, self.steps = run, run.steps

    @cached_property
    def digest(self) -> str:
        """The cache key of this run."""
        run, digest = self.run, sha256(repr((self.run.settings, self.run.pretokens, self.run.seed)).encode())
        digest.update(run.pretoken_counts.tobytes())
        return digest.hexdigest()[:20]

    def facts(self) -> Json:
        """Return the facts: the training has no merges, and a step is called a round."""
        none = packed(np.zeros(0, np.int64))
        arrays = dict.fromkeys(("hues", "left", "right", "counts", "tied"), none)
        looks = {"base": [], "kinds": HUES, "glyph": "", "marks": MARKS, "along": {}, "unit": "round"}
        return {**arrays, **looks}

    def words(self, rows: Sequence[int]) -> list[list[Any]]:
        """Return an empty list: the page draws the words."""
        return []

    def chunk(self, number: int) -> Json:
        """Return the frames of at most `CHUNK` rounds: a sentence about each round, and no words."""
        first = CHUNK * number
        frames = [self._frame(step) for step in range(first, min(first + CHUNK, self.steps + 1))]
        return {"frames": frames, "words": []}

    def _frame(self, number: int) -> Json:
        tokens = int(self.run.rounds[number].uses.sum())
        return {"sentence": [round_sentence(self.run, number)], "tie": [], "ahead": [], "tokens": tokens, "changed": 0}

    def focus(self, step: int, pair: Sequence[int] | None, word: int | None) -> None:
        """Return None: no word and no pair can be chosen."""


def round_sentence(run: UnigramRun, number: int) -> str:
    """Return sentences about what a round pruned, or, for round 0, what the training begins with."""
    size = len(run.alive(number))
    characters = counted(run.characters, "character")
    if not number:
        longer = f"all that occurs in its words at least twice, up to {LONGEST_TOKEN} characters long"
        besides = f" and {longer}" if size > run.characters else "; nothing longer occurs in its words twice"
        what = f"Before any pruning: {counted(size, 'token')}, the {characters} of the corpus{besides}."
    else:
        gone, changed = len(run.rounds[number].pruned), len(run.changed(number))
        before = len(run.alive(number - 1))
        moved = counted(changed, "word is", "words are") if changed else "No word is"
        what = (
            f"Round {number:,} pruned {gone:,} of {counted(before, 'token')} and fitted the probabilities of the other "
            f"{size:,} anew. {moved} segmented in another way."
        )
    return what + _ended(run, number, size)


def _ended(run: UnigramRun, number: int, size: int) -> str:
    """Return for the last round why training ended; for any other round ""."""
    asked = run.settings.vocab_size
    if number < run.steps:
        return ""
    if size < asked:
        has = counted(size, "token")
        return f" There is nothing to prune: the corpus has only {has} to offer, of the {asked:,} asked for."
    return f" The vocabulary has the {counted(size, 'token')} asked for."
