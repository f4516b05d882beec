"""The film of a WordPiece training: the pairs by score, and beside them the pairs by count, as BPE would choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bpe_core.models.wordpiece import PairScore, WordPieceRun
from bpe_core.models.wordpiece_tokenizer import CONTINUING
from bpe_core.pictures.film import film_sentences
from bpe_core.pictures.film.film_sentences import Part, pair_parts, token_part
from bpe_core.pictures.film.film_side import Bar, RunSide
from bpe_core.pictures.shared.json_form import Json
from bpe_core.pictures.shared.training_in_words import unmerged
from bpe_core.record.frames import PAIRS, Frame, FramePair, frames, role_of
from bpe_core.text.in_words import counted, times

SECTIONS = ("timeline", "sentence", "corpus", "pairs", "merges")  # of the film
LABEL = 150  # pixels for the calculation of a score
CHARTS = (
    {"title": "By score", "unit": "count / (left · right)", "order": "best scores", "room": LABEL},
    {"title": "By count, as BPE", "unit": "times seen", "order": "most frequent"},
)


class WordPieceSide(RunSide):
    """A run of WordPiece as a side of a film. Its merges were chosen by score; counts and lifetimes are as in BPE."""

    record: WordPieceRun

    def __init__(self, run: WordPieceRun) -> None:
        """Prepare the side; nothing is computed yet."""
        super().__init__(run, CONTINUING)

    def _facts(self) -> Json:
        return super()._facts() | {
            "charts": CHARTS,
            "equal": "of the same score",
            "continues": True,
            "decides": "the score decides",
        }

    def _frame(self, frame: Frame) -> Json:
        """Return a frame: `bars` are the pairs by score, `others` the pairs by count. Both mark the next merge."""
        step, scores = frame.step, self.record.scores(frame.step, PAIRS)
        ahead = self.ahead(step)
        return super()._frame(frame) | {
            "bars": self._bars(step, scores),
            "others": [[[a, b, n, role_of((a, b), False, ahead)] for a, b, n, _ in frame.pairs]],
            "sentence": step_sentence(self.record, step),
            "ahead": next_sentence(self.record, step, scores, frame.pairs),
            "tie": [],  # the sentence names the ties
            "tied": [],  # no other pair can be chosen instead: ties follow the text
        }

    def _about_as_long(self, step: int, parts: tuple[tuple[int, int], ...], changed: int) -> list[Part]:
        """Return a step's sentences, as its frame has them. Few steps are asked for, of a training that is small."""
        frame, scores = frames(self.record, step, step)[0], self.record.scores(step, PAIRS)
        return [*step_sentence(self.record, step), " ", *next_sentence(self.record, step, scores, frame.pairs)]

    def _bars(self, step: int, scores: Sequence[PairScore]) -> list[Bar]:
        """Return [left id, right id, score, role, calculation] for each pair of `scores`, the best pair first."""
        ahead, best = self.ahead(step), self.record.chosen(step + 1).score if step < self.record.steps else None
        bars: list[Bar] = []
        for pair in scores:
            ids = self.record.ids[pair.left], self.record.ids[pair.right]
            bars.append([*ids, float(pair.score), role_of(ids, pair.score == best, ahead), fraction(pair)])
        return bars

    def _word(self, step: int, row: int) -> dict[str, Any]:
        """Return each pair of a word with the pair's score in the corpus."""
        run, counts, uses = self.record, self.pairs_of(step, row), self.record.token_uses(step)
        scores = [
            PairScore(run.tokens[a], run.tokens[b], count, int(uses[a]), int(uses[b]))
            for (a, b), count in counts.items()
        ]
        best = sorted(scores, key=lambda pair: pair.score, reverse=True)[:PAIRS]
        return {"bars": self._bars(step, best), "pairs": len(counts)}


def fraction(pair: PairScore) -> str:
    """Return how WordPiece calculates the score of a pair.

    >>> fraction(PairScore(b"j", b"u", 1, 1, 3)), fraction(PairScore(b"m", b"p", 1, 1, 1))
    ('1 / (1 · 3) = 0.333', '1 / (1 · 1) = 1')
    """
    return f"{pair.count:,} / ({pair.left_count:,} · {pair.right_count:,}) = {float(pair.score):.3g}"


def step_sentence(run: WordPieceRun, step: int) -> list[Part]:
    """Return which pair the step joined, the pair's score, and how many other pairs had the same score."""
    if not step:
        return [unmerged(run.settings.splitter.unit)]
    lifetimes, pair, tied = run.lifetimes, run.chosen(step), int(run.ties[step - 1])
    halves = pair_parts(*lifetimes.pair(step))
    made = run.base + step - 1
    head: list[Part] = [
        f"Step {step:,} joined ",
        *halves,
        " → ",
        token_part(made, new=True),
        f", score {fraction(pair)}.",
    ]
    if tied < 2:
        return head
    others = counted(tied - 1, "other pair")
    return [*head, f" {others} had that score; the one seen first in the text was joined."]


def next_sentence(
    run: WordPieceRun, step: int, scores: Sequence[PairScore], by_count: Sequence[FramePair]
) -> list[Part]:
    """Return which pair the next step joins and why not the most frequent pair; or why there is no next step.

    `scores`, `by_count`: the pairs after `step` merges, by score and by count, the best first.
    """
    if step == run.steps:
        return [film_sentences.stopped(run)]
    pair = scores[0]
    halves = pair_parts(run.ids[pair.left], run.ids[pair.right])
    return ["Next: ", *halves, f", score {fraction(pair)}. ", *_why(run, step, pair, by_count[0])]


def _why(run: WordPieceRun, step: int, pair: PairScore, frequent: FramePair) -> list[Part]:
    """Return why the pair with the best score is joined and not the most frequent pair."""
    if frequent.count == pair.count:
        return ["No pair is more frequent."]
    left, right, count, _ = frequent
    uses = run.token_uses(step)
    other = PairScore(run.tokens[left], run.tokens[right], count, int(uses[left]), int(uses[right]))
    head: list[Part] = ["The most frequent pair, ", *pair_parts(left, right), f", is seen {times(count)}, "]
    if other.score == pair.score:
        return [*head, "and has the same score; the pair seen first in the text is joined."]
    halves = f"{other.left_count:,} and {times(other.right_count)}"
    return [*head, f"but its halves {halves}, so its score is only {fraction(other)}."]
