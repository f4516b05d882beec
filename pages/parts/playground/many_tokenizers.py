"""One text under several tokenizers: a row each, compared with the first. Values in, values out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bpe_core.tokenizer.walk import TokenTable
from pages.parts.session.vocabularies import Vocabulary

SHOWN = 400  # tokens of a row on the screen; every figure counts all


@dataclass(frozen=True, eq=False)
class Row:
    """A text under one vocabulary, with all its merges."""

    name: str
    table: TokenTable

    @property
    def raw(self) -> bytes:
        """The text as the vocabulary sees it."""
        return self.table.walk.raw

    @property
    def bytes_per_token(self) -> float:
        """How much text a token carries; 0 without tokens."""
        return len(self.raw) / len(self.table) if len(self.table) else 0.0


def row_of(vocabulary: Vocabulary, text: str, specials: bool = True, name: str = "") -> Row:
    """The text under a vocabulary with all its merges; `PatternError` where its pattern takes too long."""
    walk = vocabulary.tokenizer.encode(text, specials).walk
    return Row(name or vocabulary.title, walk.tokens(vocabulary.steps))


def differs(row: Row, first: Row) -> np.ndarray:
    """For each token of a row whether the first row has none over the same bytes; none where they see other texts."""
    if row is first or row.raw != first.raw:
        return np.zeros(len(row.table), bool)
    spans, others = (np.stack([r.table.starts, r.table.ends]) for r in (row, first))
    size = len(row.raw) + 1
    return ~np.isin(spans[0] * size + spans[1], others[0] * size + others[1])


def drawn(row: Row, first: Row) -> dict[str, Any]:
    """A row as the browser draws it."""
    count = len(row.table)
    marked = differs(row, first).tolist()
    tokens = [[row.table.token(n).hex(), int(row.table.ids[n]), marked[n]] for n in range(min(count, SHOWN))]
    words = f"{row.bytes_per_token:.2f} bytes per token"
    if row is not first:
        words += f", {difference(row, first)}"
        if row.raw != first.raw:
            words += "; it normalizes the text, so the splits cannot be compared"
    return {
        "name": row.name,
        "figures": {"tokens": count, "words": words},
        "tokens": tokens,
        "more": max(0, count - SHOWN),
    }


def difference(row: Row, first: Row) -> str:
    """How many tokens more or fewer than the first.

    For example "12 more (+8.0%)".
    """
    one, other = len(first.table), len(row.table)
    if one == other:
        return "the same number"
    share = f" ({(other - one) / one:+.1%})" if one else ""
    return f"{abs(other - one):,} {'more' if other > one else 'fewer'}{share}"


def table(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The figures of all rows, a dictionary a row."""
    first = rows[0]
    return [
        {
            "tokenizer": row.name,
            "tokens": len(row.table),
            "bytes per token": round(row.bytes_per_token, 3),
            "difference to the first": len(row.table) - len(first.table),
            "split in another way": int(differs(row, first).sum()),
        }
        for row in rows
    ]
