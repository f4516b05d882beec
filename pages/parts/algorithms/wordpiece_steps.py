"""WordPiece's training at one step: the scores beside the counts, and why one pair is joined and not another."""

from __future__ import annotations

import pandas as pd

from bpe_core.display.html import chip
from bpe_core.display.token_text import token_text
from bpe_core.models.wordpiece import PairScore, WordPieceRun
from pages.parts.algorithms.model_tables import GLYPH
from pages.parts.views.sentences import stopped, times
from pages.parts.views.tables import Window

BARS = 8
HISTORY = 200
IN_PRACTICE = (
    "In practice: the score favours rare symbols that only occur together. Hugging Face's WordPieceTrainer goes by the "
    "count instead, as BPE does; the mark and the longest match are what it shares with this."
)


def fraction(pair: PairScore) -> str:
    """A score as it is worked out.

    >>> fraction(PairScore(b"j", b"u", 1, 1, 3)), fraction(PairScore(b"m", b"p", 1, 1, 1))
    ('1 / (1 · 3) = 0.333', '1 / (1 · 1) = 1')
    """
    value = f"{float(pair.score):.3g}"
    return f"{pair.count:,} / ({pair.left_count:,} · {pair.right_count:,}) = {value}"


def _named(pair: PairScore) -> str:
    return f"{token_text(pair.left, GLYPH)}  {token_text(pair.right, GLYPH)}"


def by_score(run: WordPieceRun, step: int, top: int = BARS) -> pd.DataFrame:
    """The pairs with the best scores after `step` merges; `role` says which is joined next, and which tie with it."""
    rows = []
    for rank, pair in enumerate(run.scores(step, top), 1):
        best = rows[0]["score"] if rows else float(pair.score)
        joins = rank == 1 and step < run.steps
        role = "next" if joins else "tied" if float(pair.score) == best and step < run.steps else "other"
        rows.append(
            {"rank": rank, "pair": _named(pair), "score": float(pair.score), "label": fraction(pair), "role": role}
        )
    frame = pd.DataFrame(rows, columns=["rank", "pair", "score", "label", "role"])
    return frame.assign(hex=frame["pair"])


def by_count(run: WordPieceRun, step: int, top: int = BARS) -> pd.DataFrame:
    """The most frequent pairs after `step` merges; `role` says which of them, if any, the score chooses."""
    following = run.merges[step][:2] if step < run.steps else None
    rows = []
    for rank, (left, right, count) in enumerate(run.pair_counts(step, top), 1):
        named = f"{token_text(left, GLYPH)}  {token_text(right, GLYPH)}"
        rows.append((rank, named, count, "next" if (left, right) == following else "other", named))
    return pd.DataFrame(rows, columns=["rank", "pair", "count", "role", "hex"])


def history(run: WordPieceRun, step: int, rows: int | None = HISTORY) -> Window:
    """The merges up to `step`, the latest first, with the counts that made the score."""
    table = []
    for k in list(range(step, 0, -1))[:rows]:
        pair, merge = run.chosen(k), run.merges[k - 1]
        halves = (token_text(half, GLYPH) for half in merge[:3])
        table.append((k, *halves, pair.count, pair.left_count, pair.right_count, float(pair.score), merge.tied - 1))
    columns = ["step", "left", "right", "token", "count", "count of left", "count of right", "score", "tied with"]
    return Window(pd.DataFrame(table, columns=columns), step)


def sentence(run: WordPieceRun, step: int) -> str:
    """What this step joined, what comes next, and why it is not the most frequent pair."""
    said = [_joined(run, step)] if step else []
    if step == run.steps:
        said.append(stopped(run))
    else:
        pair = run.chosen(step + 1)
        said.append(f"Next: {_pair(pair)}, score {_score(pair)}. {_why(run, step, pair)}")
    return f'<p class="sentence">{" ".join(said)}</p>'


def _pair(pair: PairScore) -> str:
    return f'<span class="pair">{chip(pair.left, 0, GLYPH)} {chip(pair.right, 0, GLYPH)}</span>'


def _score(pair: PairScore) -> str:
    return f'<span class="pair">{fraction(pair)}</span>'


def _joined(run: WordPieceRun, step: int) -> str:
    merge, pair = run.merges[step - 1], run.chosen(step)
    made = chip(merge.token, 0, GLYPH, mark="new")
    said = f"Step {step:,} joined {_pair(pair)} to {made}, score {_score(pair)}."
    if merge.tied > 1:
        others = "1 other pair" if merge.tied == 2 else f"{merge.tied - 1:,} other pairs"
        said += f" {others} had that score; the one seen first was joined."
    return said


def _why(run: WordPieceRun, step: int, pair: PairScore) -> str:
    """Why the pair with the best score is not the one with the highest count, or that it is."""
    left, right, count = run.pair_counts(step, 1)[0]
    if count == pair.count:
        return "No pair is more frequent."
    uses = run.token_uses(step)
    frequent = PairScore(left, right, count, int(uses[run.ids[left]]), int(uses[run.ids[right]]))
    said = f"By count it would be {_pair(frequent)}, seen {times(count)}"
    if frequent.score == pair.score:
        return f"{said}; its score is the same, {_score(frequent)}, and the pair seen first is joined."
    return f"{said}; but its halves are frequent too: {_score(frequent)}."
