"""The pretokens and the ids as tables, with offsets in the text as typed."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from bpe_core import UNKNOWN, Encoding
from bpe_core.display.token_text import token_text
from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.post_processing import SECOND, Row


def pretokens(encoding: Encoding) -> pd.DataFrame:
    """Return a row for each pretoken: its text, its offsets in characters, and the rule that made it."""
    rows = [
        (token_text(encode_text(text)), *encoding.span_in_text(start, end), rule)
        for text, start, end, rule in encoding.pretokens
    ]
    return pd.DataFrame(rows, columns=["pretoken", "start", "end", "rule"])


def ids(rows: Sequence[Row], glyph: str) -> pd.DataFrame:
    """Return a row for each id: its token and its offsets in characters; for a pair of texts also its text and type.

    An unknown token has no id, and an added token has no offsets.
    """
    table = [
        (
            token_text(row.token, glyph),
            None if row.token_id == UNKNOWN else row.token_id,
            row.type_id,
            row.source,
            *((row.start, row.end) if row.source else (None, None)),
        )
        for row in rows
    ]
    frame = pd.DataFrame(table, columns=["token", "id", "type", "text", "start", "end"])
    frame = frame.astype(dict.fromkeys(("id", "type", "start", "end"), "Int64"))
    return frame if SECOND in set(frame["text"]) else frame.drop(columns=["type", "text"])


def without_id(table: pd.DataFrame) -> str:
    """Return how many rows of a table have no id; "" if all have one.

    >>> without_id(pd.DataFrame({"id": [1, None, 2]}))
    '1 of them has no id.'
    """
    without = int(table["id"].isna().sum())
    return f"{without:,} of them {'has' if without == 1 else 'have'} no id." if without else ""
