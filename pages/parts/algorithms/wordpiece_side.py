"""A run of WordPiece as a side of a film: its pairs by score, and next to them by count, as BPE chooses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bpe_core.models.wordpiece import PairScore, WordPieceRun
from bpe_core.record.frames import PAIRS, Frame
from pages.parts.algorithms import wordpiece_sentence
from pages.parts.algorithms.model_tables import GLYPH
from pages.parts.film.run_side import RunSide
from pages.parts.views.sentences import fraction

PARTS = ("timeline", "said", "corpus", "pairs", "merges")
LABEL = 150  # pixels for the calculation of a score
CHARTS = (
    {"title": "By score", "unit": "count / (left · right)", "order": "best scores", "room": LABEL},
    {"title": "By count, as BPE", "unit": "times seen", "order": "most frequent"},
)


class WordPieceSide(RunSide):
    """A run of WordPiece. It chose its merges by score; counts and lifetimes are as in any run."""

    run: WordPieceRun

    def __init__(self, run: WordPieceRun) -> None:
        """Wrap a run; the rest is computed when it is needed."""
        super().__init__(run, GLYPH)

    def _facts(self) -> dict[str, Any]:
        return super()._facts() | {
            "charts": CHARTS,
            "equal": "of the same score",
            "continues": True,
            "decides": "the score decides",
        }

    def _frame(self, frame: Frame) -> dict[str, Any]:
        """Return a frame with the pairs by score as `bars`, and by count as `others`; both mark the next merge."""
        step, scores = frame.step, self.run.scores(frame.step, PAIRS)
        ahead = self._ahead(step)
        return super()._frame(frame) | {
            "bars": self._bars(step, scores),
            "others": [[[a, b, n, "next" if (a, b) == ahead else "other"] for a, b, n, _ in frame.pairs]],
            "said": wordpiece_sentence.step_sentence(self.run, step),
            "ahead": wordpiece_sentence.next_sentence(self.run, step, scores, frame.pairs),
            "tie": [],  # the sentence about the step has it
            "tied": [],  # a visitor cannot choose another pair: the order of the text decides ties
        }

    def _bars(self, step: int, scores: Sequence[PairScore]) -> list[list[Any]]:
        """Return [left id, right id, score, role, label] for each pair; `scores`: the best first."""
        ahead, best = self._ahead(step), self.run.chosen(step + 1).score if step < self.run.steps else None
        bars = []
        for pair in scores:
            ids = self.run.ids[pair.left], self.run.ids[pair.right]
            role = "next" if ids == ahead else "tied" if pair.score == best else "other"
            bars.append([*ids, float(pair.score), role, fraction(pair)])
        return bars

    def _word(self, step: int, row: int) -> dict[str, Any]:
        """Return the pairs of a word, with their scores in the whole corpus, and how many they are."""
        run, counts, uses = self.run, self._pairs_of(step, row), self.run.token_uses(step)
        scores = [
            PairScore(run.tokens[a], run.tokens[b], count, int(uses[a]), int(uses[b]))
            for (a, b), count in counts.items()
        ]
        best = sorted(scores, key=lambda pair: pair.score, reverse=True)[:PAIRS]
        return {"bars": self._bars(step, best), "pairs": len(counts)}
