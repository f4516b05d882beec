"""One text under several tokenizers, as data for a view with a row for each tokenizer.

Every row is compared with the first row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_core.pictures.shared.style import TOKEN_STYLE
from bpe_core.pictures.shared.view import View, source
from bpe_core.text.in_words import listed, lost_pieces, percent
from bpe_core.tokenizer.walk import TokenTable
from bpe_core.tokenizer.word_symbols import bytes_written

TOKEN_ROWS = View(
    "rows/rows.js", source("rows/rows.html"), TOKEN_STYLE + source("shared/controls.css", "shared/rows.css")
)
SHOWN = 400  # tokens of a row on the screen


@dataclass(frozen=True, eq=False)
class TokenizerRow:
    """A text, encoded by one vocabulary with all of the vocabulary's merges."""

    name: str
    table: TokenTable
    glyph: str = ""

    @property
    def raw(self) -> bytes:
        """The text in UTF-8, as the vocabulary normalizes it."""
        return self.table.walk.raw

    @property
    def lost(self) -> int:
        """How many pieces of the text the vocabulary cannot write."""
        return self.table.walk.pieces_lost

    @property
    def bytes_per_token(self) -> float:
        """The average number of bytes of a token; 0 for no tokens.

        A piece of the text that the vocabulary cannot write counts as a token without bytes.
        """
        return bytes_written(self.table.walk) / len(self.table) if len(self.table) else 0.0


def differs(row: TokenizerRow, first: TokenizerRow, most: int | None = None) -> NDArray[np.bool_]:
    """Return for each token of a row whether the first row has no token over the same bytes.

    All values are False if the two vocabularies normalize the text differently, since offsets cannot be compared then.
    `most`: how many tokens of the row to compare, from the first; None for all.
    """
    if row is first or row.raw != first.raw:
        return np.zeros(len(row.table), bool)[:most]
    size = np.int64(len(row.raw) + 1)
    spans, others = (r.table.starts * size + r.table.ends for r in (row, first))
    others = np.append(np.sort(others), -1)  # almost always in order already; `np.isin` sorts more, which takes long
    spans = spans[:most]
    differing: NDArray[np.bool_] = others[np.searchsorted(others[:-1], spans)] != spans
    return differing


def drawn(row: TokenizerRow, first: TokenizerRow) -> dict[str, Any]:
    """Return a tokenizer's row as JSON for the browser. Mark the tokens that the first row does not have."""
    count, table = len(row.table), row.table
    marked, lost = differs(row, first, SHOWN).tolist(), table.lost[:SHOWN].tolist()
    shown = range(min(count, SHOWN))
    words = [f"{_two_places(row.bytes_per_token)} bytes per token", lost_pieces(row.lost)]
    if row is not first:
        words.append(difference(row, first))
        if row.raw != first.raw:
            words.append("the two normalize the text differently, so their splits are not compared")
    return {
        "name": row.name,
        "figures": {"tokens": count, "words": "; ".join(filter(None, words))},
        "tokens": [[table.drawn(n).hex(), int(table.ids[n]), marked[n], lost[n]] for n in shown],
        "glyph": row.glyph,
        "lost_name": table.walk.vocabulary.lost_name,
        "more": max(0, count - SHOWN),
    }


def _two_places(number: float) -> Decimal:
    """Round a number to two places, as the browser does in the view of tokens.

    >>> f"{3.125:.2f}", str(_two_places(3.125))
    ('3.12', '3.13')
    """
    return Decimal(number).quantize(Decimal("0.01"), ROUND_HALF_UP)


def difference(row: TokenizerRow, first: TokenizerRow) -> str:
    """Return how many tokens a row has more or fewer than the first row, as in "12 more (+8.0%)".

    If either vocabulary cannot write the whole text, the numbers of tokens are not compared.
    """
    if row.lost:
        return "its number is not compared, since it is not of the whole text"
    if first.lost:
        return f"not compared, since {first.name} loses a part of the text"
    one, other = len(first.table), len(row.table)
    if one == other:
        return "the same number"
    more = other > one
    share = f" ({'+' if more else '-'}{percent(abs(other - one), one)})" if one else ""
    return f"{abs(other - one):,} {'more' if more else 'fewer'}{share}"


def finding(rows: Sequence[TokenizerRow]) -> str:
    """Return a sentence on which vocabularies need the fewest tokens, and which the most.

    A vocabulary is left out if it cannot write the whole text, or normalizes the text in another way than the first
    vocabulary. With fewer than two others there is no sentence: "".

    >>> from bpe_core import load
    >>> def of(text):
    ...     walks = {name: load(name).encode(text).walk for name in ("gpt2", "o200k_base", "qwen")}
    ...     return finding([TokenizerRow(name, walk.tokens(10**6)) for name, walk in walks.items()])
    >>> print(of("hello"), of("привет"), sep="\\n")
    All need the same number of tokens. Try a text in another language.
    o200k_base needs the fewest tokens. gpt2 needs the most: 250% more.
    """
    whole = [row for row in rows if not row.lost and row.raw == rows[0].raw]
    if len(whole) < 2 or not whole[0].raw:
        return ""
    least, most = (pick(len(row.table) for row in whole) for pick in (min, max))
    if least == most:
        return "All need the same number of tokens. Try a text in another language."
    few, many = ([row.name for row in whole if len(row.table) == count] for count in (least, most))
    more = percent(most - least, least)
    needs, need = ("needs" if len(names) == 1 else "need" for names in (few, many))
    return f"{listed(few)} {needs} the fewest tokens. {listed(many)} {need} the most: {more} more."


def rows_table(rows: Sequence[TokenizerRow]) -> list[dict[str, Any]]:
    """Return a dictionary for each tokenizer's row, with its number of tokens and its differences to the first row."""
    first = rows[0]
    return [
        {
            "tokenizer": row.name,
            "tokens": len(row.table),
            "bytes per token": round(row.bytes_per_token, 3),
            "pieces lost": row.lost,
            "difference to the first": "" if row.lost or first.lost else len(row.table) - len(first.table),
            "split in another way": int(differs(row, first).sum()),
        }
        for row in rows
    ]
