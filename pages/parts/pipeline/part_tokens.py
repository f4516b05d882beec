"""The parts from pretokenization to ids, as rows of chips and as tables with offsets in the typed text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import pandas as pd
from markupsafe import Markup

from bpe_core import UNKNOWN, Encoding
from bpe_core.pictures.paper import html
from bpe_core.pictures.shared.colours import shades
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.text.alphabet import encode_text
from bpe_core.text.in_words import counted, lost_pieces
from bpe_core.tokenizer.post_processing import FIRST, SECOND, ProcessedToken
from pages.parts.pipeline.normalization import SHOWN
from pages.parts.ui import elements, sentences

NOT_WRITTEN = "The vocabulary cannot write what is struck through."
_BORDER = Markup('<span class="note"> Text B: </span>')


def pretokens(encoding: Encoding, name: str) -> Markup:
    """Return the pretokens as chips, each with the rule that made it."""
    found, text = encoding.pretokens, encoding.normalized.text
    seen = text[: found[SHOWN - 1].end] if len(found) > SHOWN else text
    return _with_note(html.pretokens(seen, found[:SHOWN], f"pretokens of {name}"), "", len(found), "pretokens")


def tokens(encoding: Encoding, name: str, glyph: str) -> Markup:
    """Return the tokens that the model makes of the pretokens, how many tokens there are, and how many are lost."""
    ids, lost = encoding.ids, encoding.lost
    name_of = encoding.walk.vocabulary.lost_name
    chips = html.text_tokens(encoding.drawn[:SHOWN], ids[:SHOWN], glyph, False, lost[:SHOWN], name_of)
    whole = sum(len(word) == 1 for word in encoding.words) - _alone(encoding)
    made, split = counted(len(ids), "token"), counted(len(encoding.words), "pretoken")
    each = counted(whole, "of these is one token", "of these are one token each")
    note = f"{made} for {split}" + ("." if len(encoding.words) == 1 else f"; {each}.")
    drawn = _with_note(html.scroll_region(chips, f"tokens of {name}", ""), note, len(ids), "tokens")
    if pieces := lost_pieces(encoding.pieces_lost):
        drawn += elements.explained(f"[{pieces}].", encoding.tokenizer.model.lost_words or NOT_WRITTEN, name)
    return drawn


def _alone(encoding: Encoding) -> int:
    """Return how many pretokens the model cannot write at all: each is a single unknown token."""
    firsts = accumulate(map(len, encoding.words), initial=0)
    return sum(len(word) == 1 and encoding.lost[at] for word, at in zip(encoding.words, firsts, strict=False))


def processed(rows: Sequence[ProcessedToken], glyph: str, lost_name: str = "unknown") -> Markup:
    """Return the tokens after post-processing; the template's tokens are framed. A type id is shown unless it is 0.

    `lost_name`: see `html.text_tokens`.
    """
    shown = rows[:SHOWN]
    shaded = zip(shown, shades([row.token for row in shown]), strict=True)
    chips = [_chip(row, shade, glyph, lost_name) for row, shade in shaded]
    for at in _borders(shown)[::-1]:
        chips.insert(at, _BORDER)
    region = html.scroll_region(html.joined(chips), "tokens with special tokens")
    return _with_note(region, "", len(rows), "tokens")


def separated(rows: Sequence[ProcessedToken]) -> str:
    """Return what to do if no token separates the two texts.

    Return "" if a token separates the texts, or if there is only one text.
    """
    if not _borders(rows):
        return ""
    return "The model sees no border between the two texts: choose a template with separators, such as [CLS] and [SEP]."


def _chip(row: ProcessedToken, shade: int, glyph: str, lost_name: str) -> Markup:
    named, typed = lost_name if row.lost else "", f"type {row.type_id}" if row.type_id else ""
    under = ", ".join(filter(None, (named, typed)))
    mark = html.UNKNOWN_MARK if row.lost else "" if row.source else "new"
    return html.chip(row.token, shade, glyph, mark=mark, under=under)


def _borders(rows: Sequence[ProcessedToken]) -> list[int]:
    """Return the index of each row with which the second text begins right after a row of the first text."""
    return [at for at, (one, other) in enumerate(pairwise(rows), 1) if (one.source, other.source) == (FIRST, SECOND)]


def _with_note(chips: Markup, note: str, total: int, what: str) -> Markup:
    """Return chips, and a line below them: the note and, if some chips are not shown, how many are shown."""
    lines = [note] if note else []
    if total > SHOWN:
        lines.append(sentences.window(SHOWN, total, what))
    return chips + elements.note(" ".join(lines)) if lines else chips


# --- tables ---


def pretoken_table(encoding: Encoding) -> pd.DataFrame:
    """Return a row for each pretoken: its text, its offsets in characters, and the rule that made it."""
    rows = [
        (token_text(encode_text(text)), *encoding.span_in_text(start, end), rule)
        for text, start, end, rule in encoding.pretokens
    ]
    return pd.DataFrame(rows, columns=["pretoken", "start", "end", "rule"])


def id_table(rows: Sequence[ProcessedToken], glyph: str, lost_name: str = "unknown") -> pd.DataFrame:
    """Return a row for each id: the token, its offsets in characters and, for a pair of texts, its text and type.

    An unknown token has no id, and an added token has no offsets.
    """
    table = [
        (
            (f"{lost_name} for " if row.lost and row.token_id != UNKNOWN else "") + token_text(row.token, glyph),
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
    """Return how many rows of a table have no id; "" if every row has an id.

    >>> without_id(pd.DataFrame({"id": [1, None, 2]}))
    '1 of them has no id.'
    """
    without = int(table["id"].isna().sum())
    return f"{without:,} of them {'has' if without == 1 else 'have'} no id." if without else ""
