"""One text with several tokenizers, each compared with the first; and one sentence in eight languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bpe_core.tokenizer.walk import TokenTable
from pages.parts.session.vocabularies import Vocabulary

SHOWN = 400  # tokens of a row on the screen
SENTENCES = {
    "English": "The children read a book under the old tree.",
    "German": "Die Kinder lesen ein Buch unter dem alten Baum.",
    "Spanish": "Los niños leen un libro bajo el viejo árbol.",
    "Russian": "Дети читают книгу под старым деревом.",
    "Arabic": "يقرأ الأطفال كتابًا تحت الشجرة القديمة.",
    "Hindi": "बच्चे पुराने पेड़ के नीचे एक किताब पढ़ते हैं।",
    "Chinese": "孩子们在老树下读一本书。",
    "Swahili": "Watoto wanasoma kitabu chini ya mti mzee.",
}
FIRST = "English"


@dataclass(frozen=True, eq=False)
class Row:
    """A text as one vocabulary encodes it with all its merges."""

    name: str
    table: TokenTable

    @property
    def raw(self) -> bytes:
        """The text in UTF-8, as the vocabulary normalizes it."""
        return self.table.walk.raw

    @property
    def bytes_per_token(self) -> float:
        """The average length of a token; 0 without tokens."""
        return len(self.raw) / len(self.table) if len(self.table) else 0.0


def row_of(vocabulary: Vocabulary, text: str, specials: bool = True, name: str = "") -> Row:
    """Return the row of a vocabulary; raises `PatternError` if its pattern takes too long.

    `name`: the row's name, if not the vocabulary's title.
    """
    walk = vocabulary.tokenizer.encode(text, specials).walk
    return Row(name or vocabulary.title, walk.tokens(vocabulary.steps))


def differs(row: Row, first: Row) -> NDArray[np.bool_]:
    """Return for each token of a row whether the first row has no token over the same bytes.

    All are False if the two vocabularies normalize the text differently, since offsets cannot be compared then.
    """
    if row is first or row.raw != first.raw:
        return np.zeros(len(row.table), bool)
    spans, others = (np.stack([r.table.starts, r.table.ends]) for r in (row, first))
    size = len(row.raw) + 1
    return ~np.isin(spans[0] * size + spans[1], others[0] * size + others[1])


def drawn(row: Row, first: Row) -> dict[str, Any]:
    """Return a row as JSON for the browser, with its differences to the first row."""
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
    """Return how many tokens a row has more or fewer than the first, as in "12 more (+8.0%)"."""
    one, other = len(first.table), len(row.table)
    if one == other:
        return "the same number"
    share = f" ({(other - one) / one:+.1%})" if one else ""
    return f"{abs(other - one):,} {'more' if other > one else 'fewer'}{share}"


def table(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the figures of the rows, a dictionary for each."""
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


def times_english(title: str) -> str:
    """Return the name of the column with a tokenizer's tokens as a multiple of its tokens for English."""
    return f"{title}, English = 1"


def prices(vocabularies: Sequence[Vocabulary]) -> pd.DataFrame:
    """Return a row for each language: how many tokens each tokenizer needs, also as a multiple of those for English."""
    columns: dict[str, list[object]] = {"language": list(SENTENCES), "sentence": list(SENTENCES.values())}
    for vocabulary in vocabularies:
        counts = {language: len(row_of(vocabulary, text).table) for language, text in SENTENCES.items()}
        columns[vocabulary.title] = list(counts.values())
        columns[times_english(vocabulary.title)] = [round(count / counts[FIRST], 2) for count in counts.values()]
    return pd.DataFrame(columns)
