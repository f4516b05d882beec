"""Runs as data frames: what the tables and charts of the pages show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from bpe_core import Run
from bpe_core.display.token_text import has, shortened, token_text
from bpe_core.record.run import PairCount
from bpe_core.text.alphabet import encode_text

BARS = 15  # pairs in a chart
WINDOW = 200  # rows on the screen; every figure counts all


class Window(NamedTuple):
    """A table's rows on the screen, and how many there are in all."""

    rows: pd.DataFrame
    total: int


def merge_history(run: Run, step: int, glyph: str) -> pd.DataFrame:
    """The merges up to `step`, in their order."""
    rows = [
        (k, *(token_text(half, glyph) for half in merge[:3]), *merge[3:])
        for k, merge in enumerate(run.merges[:step], 1)
    ]
    frame = pd.DataFrame(rows, columns=["step", "left", "right", "token", "count", "tied with"])
    frame["tied with"] -= 1
    return frame


def pair_rows(
    pairs: Iterable[PairCount], role_of: Callable[[PairCount], str], glyph: str = "", most: int | None = None
) -> pd.DataFrame:
    """Pairs for a chart, in their order: rank, pair, count, role. `most`: characters of a half that are shown."""
    rows = [(rank, _named(pair, glyph, most), pair.count, role_of(pair)) for rank, pair in enumerate(pairs, 1)]
    return pd.DataFrame(rows, columns=["rank", "pair", "count", "role"])


def _named(pair: PairCount, glyph: str, most: int | None = None) -> str:
    halves = (token_text(half, glyph) for half in pair[:2])
    return "  ".join(f"{half[:most]}…" if most and len(half) > most + 1 else half for half in halves)


def _role_in(run: Run, step: int) -> Callable[[PairCount], str]:
    """What a pair is after `step` merges: the "next" one to be joined, "tied" with it, or an "other" one."""
    following = run.merges[step] if step < run.steps else None

    def role_of(pair: PairCount) -> str:
        if not following or pair.count != following.count:
            return "other"
        return "next" if pair[:2] == following[:2] else "tied"

    return role_of


def pair_counts(run: Run, step: int, glyph: str, top: int = BARS) -> pd.DataFrame:
    """The most frequent pairs after `step` merges, in the order in which they would be chosen."""
    return pair_rows(run.pair_counts(step, top), _role_in(run, step), glyph)


def pair_window(run: Run, step: int, glyph: str, find: str = "") -> Window:
    """The pairs after `step` merges that have `find` in them, the most frequent first."""
    pairs, total = run.pair_counts(step, None if find else WINDOW), run.history.occurring(step)
    if find:
        drawn = find.casefold()
        pairs = [
            pair
            for pair in pairs
            if drawn in _named(pair, glyph).casefold() or has(pair.left + pair.right, find, glyph)
        ]
        total = len(pairs)
    rows = pair_rows(pairs[:WINDOW], _role_in(run, step), glyph)
    return Window(rows[["pair", "count", "role"]], total)


def vocabulary(run: Run, step: int, glyph: str, find: str = "", rows: int | None = WINDOW) -> Window:
    """The tokens after `step` merges that have `find` in them, the newest first, and how often the corpus uses each."""
    ids = [i for i in range(run.base + step - 1, -1, -1) if has(run.tokens[i], find, glyph)]
    uses = run.token_uses(step)
    cell, most = (shortened, 120) if rows else (token_text, None)  # on the screen, and in a file
    table = [
        (
            i,
            cell(run.tokens[i], glyph),
            _bytes(run, run.tokens[i][:most]),
            max(i - run.base + 1, 0),
            int(uses[i]),
            "new"
            if step and i == run.base + step - 1
            else ""
            if uses[i]
            else "not used"
            if i < run.base
            else "no longer used",
        )
        for i in ids[:rows]
    ]
    return Window(pd.DataFrame(table, columns=["id", "token", "bytes", "step", "uses", "note"]), len(ids))


def _bytes(run: Run, token: bytes) -> str:
    """A token's bytes in hex; the word marker is none of them, whatever stands for it inside the engine."""
    shown = token.hex(" ").upper()
    return shown if run.settings.word_marker == "none" else shown.replace("FF", "marker")


def _sampled(last: int, points: int) -> np.ndarray:
    """At most about `points` of the steps 0 to `last`, both ends among them."""
    return np.unique(np.linspace(0, last, min(last + 1, points)).astype(int))


def timeline(run: Run, points: int = 240) -> pd.DataFrame:
    """The count of each merge and whether it was a tie; of a long run, one merge for each stretch of steps."""
    steps = _sampled(run.steps - 1, points)
    tied = run.ties > 1
    shares = [float(tied[a:b].mean()) for a, b in pairwise([*steps, run.steps])]
    frame = pd.DataFrame({"step": steps + 1, "count": run.film.counts[steps], "ties": shares})
    frame["until"] = np.append(frame["step"].to_numpy()[1:], run.steps + 1)
    end = pd.DataFrame(
        {"step": [run.steps + 1], "count": frame["count"].tail(1), "ties": [0.0], "until": [run.steps + 1]}
    )
    return pd.concat([frame, end], ignore_index=True)


def curves(run: Run, points: int = 200) -> pd.DataFrame:
    """Tokens in the corpus and bytes per token after each step; of a long run, of some steps."""
    steps = _sampled(run.steps, points)
    tokens = run.corpus_tokens[steps]
    size = sum(len(encode_text(word)) * n for word, n in zip(run.pretokens, run.pretoken_counts.tolist(), strict=True))
    return pd.DataFrame(
        {"step": steps, "tokens in the corpus": tokens, "bytes per token": size / np.maximum(tokens, 1)}
        | {"vocabulary": run.base + steps}
    )


def word_table(run: Run, step: int, glyph: str) -> pd.DataFrame:
    """All words with their counts and tokens."""
    rows = [(count, " ".join(token_text(token, glyph) for token in tokens)) for tokens, count in run.words(step)]
    return pd.DataFrame(rows, columns=["count", "tokens"])
