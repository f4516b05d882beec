"""Data frames of a run, for the tables and charts of the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from bpe_core import Run
from bpe_core.pictures.shared.token_text import has, shortened, token_text
from bpe_core.record.frames import role_of
from bpe_core.record.record import PairCount
from bpe_core.text.alphabet import encode_text

BARS = 15  # pairs in a chart
WINDOW = 200  # rows of a table on the screen


class Window(NamedTuple):
    """The rows of a table that the screen shows, and how many rows the table has."""

    rows: pd.DataFrame
    total: int


class TokenWindow(NamedTuple):
    """Rows of a table of tokens, and two counts.

    The counts: how many rows the whole table has, and how many merged tokens the corpus no longer uses.
    """

    rows: pd.DataFrame
    total: int
    unused: int


def merge_history(run: Run, step: int, glyph: str) -> pd.DataFrame:
    """Return the first `step` merges, in the order of the steps, and what chose them if a person chose any."""
    rows = [
        (k, *(token_text(half, glyph) for half in merge[:3]), *merge[3:])
        for k, merge in enumerate(run.merges[:step], 1)
    ]
    frame = pd.DataFrame(rows, columns=["step", "left", "right", "token", "count", "tied with"])
    frame["tied with"] -= 1
    if chosen := run.settings.forced:
        frame["chosen by"] = ["hand" if k in chosen else "rule" for k in frame["step"]]
    return frame


def pair_rows(
    pairs: Iterable[PairCount], role_of: Callable[[PairCount], str], glyph: str = "", most: int | None = None
) -> pd.DataFrame:
    """Return a row for each pair, in the given order: rank, pair, count, role.

    `most`: how many characters of each half of a pair are shown; None to show all characters.
    """
    rows = [(rank, _named(pair, glyph, most), pair.count, role_of(pair)) for rank, pair in enumerate(pairs, 1)]
    return pd.DataFrame(rows, columns=["rank", "pair", "count", "role"])


def _named(pair: PairCount, glyph: str, most: int | None = None) -> str:
    halves = (token_text(half, glyph) for half in pair[:2])
    return "  ".join(f"{half[:most]}…" if most and len(half) > most + 1 else half for half in halves)


def _role_in(run: Run, step: int) -> Callable[[PairCount], str]:
    """Return a function that gives the role of a pair after `step` merges."""
    following = run.merges[step] if step < run.steps else None
    best, ahead = (following.count, following[:2]) if following else (None, None)
    return lambda pair: role_of(pair[:2], pair.count == best, ahead)


def pair_counts(run: Run, step: int, glyph: str, top: int = BARS) -> pd.DataFrame:
    """Return the most frequent pairs after `step` merges. Pairs that are tied come in the order of the tie rule."""
    return pair_rows(run.pair_counts(step, top), _role_in(run, step), glyph)


def pair_window(run: Run, step: int, glyph: str, find: str = "") -> Window:
    """Return the pairs that contain `find`, counted after `step` merges. The most frequent pairs come first."""
    stage, own = run.at(step)
    pairs, total = stage.pair_counts(own, None if find else WINDOW), stage.history.occurring(own)
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


def vocabulary(run: Run, step: int, glyph: str, find: str = "", rows: int | None = WINDOW) -> TokenWindow:
    """Return the tokens that contain `find`, and how often the corpus uses each token, after `step` merges.

    The newest tokens come first. `rows`: the largest number of rows for the screen, where long tokens are shortened;
    None for a file, which has all tokens in full length. A base symbol has no step on the screen, and step 0 in a file.
    """
    tokens, base, uses = run.tokens, run.base, run.token_uses(step)
    newest_first = range(base + step - 1, -1, -1)
    ids = [i for i in newest_first if tokens[i] and (not find or has(tokens[i], find, glyph))]
    cell, most = (shortened, 120) if rows else (token_text, None)  # on the screen tokens are shortened
    table = [
        (
            i,
            cell(tokens[i], glyph),
            _bytes(run, tokens[i][:most]),
            max(i - base + 1, 0),
            int(uses[i]),
            "new" if step and i == base + step - 1 else "" if uses[i] else "not used" if i < base else "no longer used",
        )
        for i in ids[:rows]
    ]
    found = pd.DataFrame(table, columns=["id", "token", "bytes", "step", "uses", "note"])
    if rows:
        found["step"] = found["step"].astype("Int64").mask(found["step"] == 0)
    return TokenWindow(found, len(ids), int(np.count_nonzero(uses[base:] == 0)))


def _bytes(run: Run, token: bytes) -> str:
    """Return a token's bytes in hex. The byte FF, with which the engine writes the word marker, becomes "marker"."""
    shown = token.hex(" ").upper()
    return shown if run.word_marker == "none" else shown.replace("FF", "marker")


def _sampled(last: int, points: int) -> np.ndarray:
    """Return at most `points` of the steps 0 to `last`. The steps are evenly spaced, and include 0 and `last`."""
    return np.unique(np.linspace(0, last, min(last + 1, points)).astype(int))


def curves(run: Run, points: int = 200) -> pd.DataFrame:
    """Return the number of tokens in the corpus and the bytes per token, for at most `points` steps of a run."""
    steps = _sampled(run.steps, points)
    tokens = run.corpus_tokens[steps]
    size = sum(len(encode_text(word)) * n for word, n in zip(run.pretokens, run.pretoken_counts.tolist(), strict=True))
    per_token = size / np.maximum(tokens, 1)
    return pd.DataFrame({"step": steps, "tokens in the corpus": tokens, "bytes per token": per_token})


def word_table(run: Run, step: int, glyph: str) -> pd.DataFrame:
    """Return the count of every word, and the word's tokens after `step` merges."""
    rows = [(count, " ".join(token_text(token, glyph) for token in tokens)) for tokens, count in run.words(step)]
    return pd.DataFrame(rows, columns=["count", "tokens"])
