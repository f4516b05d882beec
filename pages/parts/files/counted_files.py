"""Figures of counted files: by file and folder, by length of row, the longest and densest rows. Nothing is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from bpe_core.counting import Counts
from pages.parts.ui.theme import MOST_BARS

LISTED = 100
LEAST_DENSE = 20  # characters; of shorter rows the density says nothing
QUANTILES = {"half": 0.5, "90%": 0.9, "99%": 0.99, "all": 1.0}


def entries(counts: Counts, folder: str) -> pd.DataFrame:
    """Return the files and folders in a folder with their tokens, the largest first. A folder's name ends with "/".

    `folder`: "", or a path that ends with "/". The column `files` says how many files an entry has.
    """
    inside = [file for file in counts.files if file.name.startswith(folder)]
    names = [_first(file.name[len(folder) :]) for file in inside]
    frame = pd.DataFrame({"entry": names, "tokens": [file.all_tokens() for file in inside], "files": 1})
    summed = frame.groupby("entry", as_index=False, sort=False).sum()
    return summed.sort_values(["tokens", "entry"], ascending=[False, True], ignore_index=True)


def entered(counts: Counts, folder: str) -> tuple[str, pd.DataFrame]:
    """Return the entered folder, and what is in it: see `entries`. A folder that has only a folder is passed through.

    `folder`: "" is entered in its place if no file is in it.
    """
    if not any(file.name.startswith(folder) for file in counts.files):
        folder = ""
    found = entries(counts, folder)
    while len(found) == 1 and found["entry"][0].endswith("/"):
        folder += found["entry"][0]
        found = entries(counts, folder)
    return folder, found


def _first(path: str) -> str:
    """Return the first part of a path.

    >>> _first("docs/a.md"), _first("a.md")
    ('docs/', 'a.md')
    """
    before, slash, _ = path.partition("/")
    return before + slash


def drawn(found: pd.DataFrame) -> pd.DataFrame:
    """Return the rows for a chart: the largest `MOST_BARS`; all others are one row, whose `entry` begins with "…"."""
    if len(found) <= MOST_BARS:
        return found
    others = found[MOST_BARS - 1 :]
    rest = {"entry": f"… {len(others):,} others", "tokens": others["tokens"].sum(), "files": others["files"].sum()}
    return pd.concat([found[: MOST_BARS - 1], pd.DataFrame([rest])], ignore_index=True)


def table(counts: Counts, titles: Sequence[str]) -> pd.DataFrame:
    """Return a row for each file: its name, its tokens under each tokenizer, and the sizes of its rows."""
    each = range(len(titles))
    rows = [(file.name, *map(file.all_tokens, each), file.characters, file.rows) for file in counts.files]
    return pd.DataFrame(rows, columns=["file", *titles, "characters of rows", "rows"])


def lengths(counts: Counts, tokenizer: int = 0) -> pd.DataFrame:
    """Return how many rows have how many tokens, with the columns from, to, rows: at least `from`, less than `to`.

    Two bins together end at twice the tokens at which they begin: 8 to 11, 11 to 16, 16 to 22.
    """
    found = counts.lengths(tokenizer)
    most = int(found.max()) if len(found) else 0
    edges = np.unique([0, *np.floor(2 ** np.arange(0, 2 * (most + 1).bit_length() / 2 + 1, 0.5)).astype(int)])
    edges = edges[: np.searchsorted(edges, most, "right") + 1]
    rows, _ = np.histogram(found, edges)
    return pd.DataFrame({"from": edges[:-1], "to": edges[1:], "rows": rows})


def quantiles(counts: Counts, titles: Sequence[str]) -> pd.DataFrame:
    """Return the tokens that these shares of the rows do not exceed; a row for each tokenizer."""
    shares = [*QUANTILES.values()]
    rows = [dict(zip(QUANTILES, counts.quantiles(shares, i), strict=False)) for i in range(len(titles))]
    return pd.DataFrame(rows, index=pd.Index(titles, name="tokenizer"))


def longest(counts: Counts) -> pd.DataFrame:
    """Return the rows with the most tokens: see `_listed`."""
    return _listed(counts, counts.tokens[0].array().astype(np.float64))


def densest(counts: Counts) -> pd.DataFrame:
    """Return the rows with the most tokens for their characters: see `_listed`. Short rows are left out."""
    tokens, characters = counts.tokens[0].array().astype(np.float64), counts.characters.array()
    return _listed(counts, np.where(characters >= LEAST_DENSE, tokens / np.maximum(characters, 1), -1.0))


def _listed(counts: Counts, order: np.ndarray) -> pd.DataFrame:
    """Return the rows for which `order` is largest and not negative. `index`: of the row among all rows."""
    most = min(LISTED, len(order))
    first = np.argpartition(-order, most - 1)[:most] if most else np.zeros(0, int)
    found = first[np.argsort(-order[first], kind="stable")]
    rows = []
    for index in found[order[found] >= 0].tolist():
        file, number = counts.place(index)
        tokens, characters = counts.tokens[0][index], counts.characters[index]
        rows.append((index, file.name, number, tokens, characters, 1000 * tokens / max(characters, 1)))
    return pd.DataFrame(rows, columns=["index", "file", "row", "tokens", "characters", "per 1,000 characters"])


def limit_sentence(counts: Counts, limit: int, title: str) -> str:
    """Return how many rows are longer than a limit."""
    return f"{counts.longer_said(limit)} of {title}."
