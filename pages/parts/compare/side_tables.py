"""Two trainings as rows and data frames: words, merges, vocabularies, blocked pairs, curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from bpe_core import PRETOKENIZERS, PairCount, Pretokenizer
from bpe_core.corpus.counting import count_text
from bpe_core.pictures.shared.token_text import has, shortened, token_text
from bpe_core.record.side_by_side import SideBySide
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.mixed_tokens import mixture
from pages.parts.compare.sides import ComparedRun, Sides, shared_glyph, vocabularies
from pages.parts.ui.tables import WINDOW, Window, pair_rows

POINTS = 200  # the most points of a side's curve
HALF = 20  # characters of half a pair in a chart


def merges(sides: Sides, step: int, find: str = "", rows: int | None = WINDOW) -> Window:
    """Return a row for each step up to `step`: the merge of each side.

    `find`: a text. A step is left out if neither side's token contains the text. `rows`: the most rows, the latest step
    first; None for all rows, the first step first, as a file has them.
    """
    made = [(side, side.stage.merges[: side.at(step)]) for side in sides]
    last = max(len(merges) for _, merges in made)
    steps = [
        k
        for k in (range(last, 0, -1) if rows else range(1, last + 1))
        if any(has(merges[k - 1].token, find, side.glyph) for side, merges in made if k <= len(merges))
    ]
    cell = shortened if rows else token_text  # `shortened` on the screen, `token_text` in a file
    columns: dict[str, Sequence[Any]] = {"step": steps[:rows]}
    for side, merges in made:
        row = [merges[k - 1] if k <= len(merges) else None for k in steps[:rows]]
        columns[side.title] = [cell(merge.token, side.glyph) if merge else "" for merge in row]
        columns[f"{side.title}: count"] = pd.array([merge.count if merge else None for merge in row], "Int64")
        columns[f"{side.title}: tied with"] = pd.array([merge.tied - 1 if merge else None for merge in row], "Int64")
    return Window(pd.DataFrame(columns), len(steps))


def blocked(side: ComparedRun, other: ComparedRun, step: int, pairs: list[PairCount]) -> pd.DataFrame:
    """Return a row of the chart for each pair of `pairs`, the pairs that `side` cannot merge.

    Such a pair has the role "learnt" if the other side, by `step`, has made the token that joins the pair.
    """
    learnt = set(other.made(step))
    return pair_rows(pairs, lambda pair: "learnt" if pair.left + pair.right in learnt else "other", side.glyph, HALF)


def vocabulary_table(sides: Sides, step: int) -> pd.DataFrame:
    """Return a row for each merged token: the sides that have it, its step on each side, the characters it mixes."""
    rows = []
    for where, tokens in vocabularies(sides, step).items():
        for token in tokens:
            steps = [side.step_of(token, step) for side in sides]
            rows.append((token_text(token, shared_glyph(sides)), token.hex(" ").upper(), where, *steps, mixture(token)))
    made = [f"step of {side.title}" for side in sides]
    table = pd.DataFrame(rows, columns=["token", "bytes", "where", *made, "mixes"])
    return table.astype(dict.fromkeys(made, "Int64"))  # Int64 can be NA, for a token that one side lacks


def blocked_table(sides: Sides, step: int) -> pd.DataFrame:
    """Return a row for each pair that one side cannot merge because a pretoken ends between the pair's halves.

    The last column is the step at which the other side made the token that joins the pair, or NA.
    """
    rows = [
        (
            side.title,
            *(token_text(half, side.glyph) for half in pair[:2]),
            *(half.hex(" ").upper() for half in pair[:2]),
            pair.count,
            other.step_of(pair.left + pair.right, step),
        )
        for side, other in zip(sides, sides[::-1], strict=True)
        for pair in side.stage.blocked_pairs(side.at(step))
    ]
    columns = ["side", "left", "right", "left bytes", "right bytes", "count", "learnt by the other at step"]
    return pd.DataFrame(rows, columns=columns).astype({columns[-1]: "Int64"})


def word_table(sides: Sides, both: SideBySide, step: int) -> pd.DataFrame:
    """Return all words of each side that the other side splits differently."""
    rows = [
        (side.title, count, " ".join(token_text(token, side.glyph) for token in tokens))
        for side, differing in zip(sides, both.differing(step), strict=True)
        for tokens, count in side.stage.words(side.at(step), differing.tolist())
    ]
    return pd.DataFrame(rows, columns=["side", "count", "tokens"])


def growth(sides: Sides, points: int | None = POINTS) -> pd.DataFrame:
    """Return what the held-out text costs at the steps of each side: a row for each side and step.

    `points`: the most steps of a side, which are evenly spread; None for all steps.
    """
    tables = []
    for side in sides:
        last = side.stage.steps
        steps = np.linspace(0, last, min(last + 1, points or last + 1)).astype(int)
        tables.append(_growth(side, np.unique(steps).tolist()))
    return pd.concat(tables, ignore_index=True)


def growth_now(sides: Sides, step: int) -> pd.DataFrame:
    """Return two rows of `growth`: one for each side, at the side's current step."""
    return pd.concat([_growth(side, [side.at(step)]) for side in sides], ignore_index=True)


def _growth(side: ComparedRun, steps: list[int]) -> pd.DataFrame:
    rows = [
        (side.title, step, side.stage.base + step, cost.tokens, cost.each, cost.lost, side.cost.whole[step])
        for step, cost in zip(steps, map(side.cost.at, steps), strict=True)
    ]
    columns = ["side", "step", "vocabulary", "tokens", "characters each", "characters lost", "words in one token"]
    return pd.DataFrame(rows, columns=columns)


def overview(text: str, chosen: Mapping[str, Pretokenizer]) -> pd.DataFrame:
    """Return a row for each pretokenizer: how many pretokens it makes of a text, and what it throws away.

    `chosen`: the pretokenizer of each side, by the side's name. A custom pretokenizer gets a row too.
    """
    splitters = list(dict.fromkeys([*PRETOKENIZERS.values(), *chosen.values()]))
    rows = []
    for splitter in splitters:
        counts = count_text(text, splitter)
        total = counts.total()
        characters = sum(len(piece) * count for piece, count in counts.items())
        lost = "nothing" if characters == len(text) else counted(len(text) - characters, "character")
        shown = " and ".join(name for name, side in chosen.items() if side == splitter)
        each = round(characters / max(total, 1), 2)
        rows.append((splitter.title, shown, total, len(counts), each, lost))
    columns = ["pretokenizer", "shown", "pretokens", "different", "characters a pretoken", "thrown away"]
    return pd.DataFrame(rows, columns=columns)
