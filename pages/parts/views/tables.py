"""Runs as data frames: what the tables and charts of the pages show."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from bpe_core import Run
from bpe_core.display.token_text import has, shortened, token_text
from bpe_core.text.alphabet import encode_text

BARS = 15  # pairs in a chart
WINDOW = 200  # rows on the screen; every figure counts all
SAMPLE = 3000  # characters of a text whose pretokens are shown


Pair = tuple[bytes, bytes]


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


def pair_counts(run: Run, step: int, glyph: str, top: int = BARS) -> pd.DataFrame:
    """The most frequent pairs after `step` merges, in the order in which they would be chosen.

    `role`: "next" for the pair that the next step joins, "tied" for those it shares its count with, else "other".
    """
    pairs = run.pair_counts(step, top)
    following = run.merges[step] if step < run.steps else None
    rows = []
    for rank, (left, right, count) in enumerate(pairs, 1):
        role = "other"
        if following:
            is_next = (left, right) == (following.left, following.right)
            role = "next" if is_next else "tied" if count == following.count else "other"
        named = f"{token_text(left, glyph)}  {token_text(right, glyph)}"
        rows.append((rank, named, count, role, f"{left.hex()}.{right.hex()}"))
    return pd.DataFrame(rows, columns=["rank", "pair", "count", "role", "hex"])


def pair_window(run: Run, step: int, glyph: str, find: str = "") -> Window:
    """The pairs after `step` merges that have `find` in them, the most frequent first."""
    if find:
        named = pair_counts(run, step, glyph, run.history.occurring(step))
        joined = [bytes.fromhex(pair.replace(".", "")) for pair in named["hex"]]
        drawn = [find.casefold() in pair.casefold() for pair in named["pair"]]
        found = named[[shown or has(pair, find, glyph) for shown, pair in zip(drawn, joined, strict=True)]]
        return Window(found[["pair", "count", "role"]].head(WINDOW), len(found))
    return Window(pair_counts(run, step, glyph, WINDOW)[["pair", "count", "role"]], run.history.occurring(step))


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


def derivation(rows: Iterable[tuple[int, bytes, bytes, bytes, int]], glyph: str) -> pd.DataFrame:
    """The merges that made a token: (step, left, right, token, id)."""
    table = [(step, *(token_text(token, glyph) for token in merge), i) for step, *merge, i in rows]
    return pd.DataFrame(table, columns=["step", "left", "right", "token", "id"])
