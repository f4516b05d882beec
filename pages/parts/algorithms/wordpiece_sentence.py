"""The sentences about a step of WordPiece, as pieces: what it joined, what comes next, and why not BPE's choice."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from bpe_core.display.token_text import token_text
from bpe_core.models.wordpiece import PairScore, WordPieceRun
from bpe_core.record.frames import FramePair
from pages.parts.algorithms.model_tables import GLYPH
from pages.parts.film.sentence import Piece
from pages.parts.views.sentences import counted, fraction, stopped, times

IN_PRACTICE = (
    "In practice: the score favours rare symbols that only occur together. Hugging Face's WordPieceTrainer goes by the "
    "count instead, as BPE does: only the ## and the longest match are WordPiece's."
)


def step_sentence(run: WordPieceRun, step: int) -> list[Piece]:
    """Return what a step joined, its score, and how many other pairs had that score."""
    if not step:
        return ["Before any merge: every word is split into single symbols."]
    film, pair, tied = run.film, run.chosen(step), int(run.ties[step - 1])
    halves = [[int(film.left[step - 1])], " + ", [int(film.right[step - 1])]]
    head = [f"Step {step:,} joined ", *halves, " → ", [run.base + step - 1, "new"], f", score {fraction(pair)}."]
    if tied < 2:
        return head
    others = counted(tied - 1, "other pair")
    return [*head, f" {others} had that score; the one seen first in the text was joined."]


def next_sentence(
    run: WordPieceRun, step: int, scores: Sequence[PairScore], by_count: Sequence[FramePair]
) -> list[Piece]:
    """Return what the next step joins, and why it is not the most frequent pair; or why there is no next step.

    `scores`, `by_count`: the pairs after `step` merges, the best score first, and the highest count first.
    """
    if step == run.steps:
        return [stopped(run)]
    pair = scores[0]
    halves = [[run.ids[pair.left]], " + ", [run.ids[pair.right]]]
    return ["Next: ", *halves, f", score {fraction(pair)}. ", *_why(run, step, pair, by_count[0])]


def _why(run: WordPieceRun, step: int, pair: PairScore, frequent: FramePair) -> list[Piece]:
    if frequent.count == pair.count:
        return ["No pair is more frequent."]
    left, right, count, _ = frequent
    uses = run.token_uses(step)
    other = PairScore(run.tokens[left], run.tokens[right], count, int(uses[left]), int(uses[right]))
    head = ["The most frequent pair, ", [left], " + ", [right], f", is seen {times(count)}, "]
    if other.score == pair.score:
        return [*head, "and has the same score; the pair seen first in the text is joined."]
    halves = f"{other.left_count:,} and {times(other.right_count)}"
    return [*head, f"but its halves {halves}, so its score is only {fraction(other)}."]


def history(run: WordPieceRun) -> pd.DataFrame:
    """Return all merges with the counts of their scores, for a file."""
    columns = ["step", "left", "right", "token", "count", "count of left", "count of right", "score", "tied with"]
    rows = []
    for step, merge in enumerate(run.merges, 1):
        pair = run.chosen(step)
        halves = (token_text(half, GLYPH) for half in merge[:3])
        rows.append((step, *halves, *pair[2:], float(pair.score), merge.tied - 1))
    return pd.DataFrame(rows, columns=columns)
