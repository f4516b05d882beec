"""The film of a start, the tokenizer that a training begins with. It shows the merges that the text needs."""

from __future__ import annotations

import numpy as np

from bpe_core.pictures.film.film_sentences import (
    NAMED,
    Part,
    counted_words,
    next_sentence,
    pair_parts,
    token_part,
)
from bpe_core.pictures.film.film_side import RunSide
from bpe_core.pictures.shared.json_form import Json, packed
from bpe_core.pictures.shared.training_in_words import unmerged
from bpe_core.record.frames import Frame
from bpe_core.record.start_merges import StartMerges
from bpe_core.text.in_words import times


class StartSide(RunSide):
    """The tokenizer that a training starts from, as a side of a film. `title`: its name, such as "GPT-2"."""

    record: StartMerges

    def __init__(self, run: StartMerges, title: str, glyph: str, steps: int | None = None) -> None:
        """Prepare the side; nothing is computed yet."""
        super().__init__(run, glyph, steps)
        self.title = title

    def _facts(self) -> Json:
        facts, ones = super()._facts(), packed(np.ones(self.steps, np.int64))  # ranks decide, so there are no ties
        along = {name: [point | {"ties": 0.0} for point in points] for name, points in facts["along"].items()}
        own = {"tied": ones, "yours": [], "along": along, "summary": [], "decides": f"in the order of {self.title}"}
        return {**facts, **own}

    def _frame(self, frame: Frame) -> Json:
        bars = [[*pair[:3], "next" if pair.role == "next" else "other"] for pair in frame.pairs]
        said, follows = step_sentence(self.record, frame, self.title), ahead(self.record, frame.step, self.title)
        return {**super()._frame(frame), "bars": bars, "sentence": said, "ahead": follows, "tie": [], "tied": []}


def step_sentence(run: StartMerges, frame: Frame, title: str) -> list[Part]:
    """Return which merge of the tokenizer `title` the step makes, and in which words."""
    if not frame.step:
        return [f"{unmerged(run.settings.splitter.unit)} The merges of {title} that this text needs follow."]
    lifetimes, step = run.lifetimes, frame.step
    left, right, count = (int(column[step - 1]) for column in (lifetimes.left, lifetimes.right, lifetimes.counts))
    head: list[Part] = [f"Merge {run.ranks[step - 1]:,} of {title} joined ", *pair_parts(left, right), " → "]
    words = counted_words(run, frame.parts, count, frame.changed, NAMED)
    return [*head, token_part(run.base + step - 1, new=True), f", here {times(count)}: ", *words, "."]


def ahead(run: StartMerges, step: int, title: str) -> list[Part]:
    """Return which merge the next step makes, or that the text needs no other merge."""
    if step == run.steps:
        return [f"These are the merges of {title} that this text needs; from its tokens, training goes on."]
    return next_sentence(run, step)
