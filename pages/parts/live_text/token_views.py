"""The live views of tokens: of a text, of one text under several tokenizers, and the life of one token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpe_core.display.colours import HUES
from bpe_core.display.token_text import MARKS
from bpe_core.live.view import TOKEN_LIFE, TOKEN_ROWS, TOKENS
from pages.parts.live_text.live_view import LiveView

_TOKENS = LiveView("token_view", TOKENS)
_ROWS = LiveView("token_rows", TOKEN_ROWS)
_LIFE = LiveView("token_life", TOKEN_LIFE)
SCRIPTS = (_TOKENS.script, _ROWS.script, _LIFE.script)


def token_view(key: str, data: Mapping[str, Any]) -> None:
    """Show the tokens of a text, which grow with the vocabulary; `data`: see `text_data`."""
    _TOKENS.show(key, data)


def token_rows(key: str, rows: Sequence[Mapping[str, Any]], table: Sequence[Mapping[str, Any]], glyph: str) -> None:
    """Show one text under several tokenizers, a row each, with a mark where a row splits the text in another way.

    A row has its name, figures (tokens, words), tokens [[bytes in hex, id, differs]], and how many more there are.
    `table`: the rows of its CSV file.
    """
    columns = list(table[0]) if table else []
    _ROWS.show(key, {"rows": rows, "table": table, "columns": columns, **_notation(glyph)})


def token_life(key: str, life: Mapping[str, Any], glyph: str) -> None:
    """Show the life of a token.

    `life`: its `id`, how it was `born`, its `tree` (token in hex, step, halves), whether that is `whole`, and `facts`.
    """
    _LIFE.show(key, {**life, **_notation(glyph)})


def _notation(glyph: str) -> dict[str, Any]:
    return {"glyph": glyph, "marks": MARKS, "hues": HUES}
