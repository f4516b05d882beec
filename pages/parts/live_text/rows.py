"""One text under several tokenizers, a row each: tokens, numbers, and where a row splits the text in another way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from bpe_core.display.colours import HUES
from bpe_core.display.style import TOKEN_STYLE
from bpe_core.display.token_text import MARKS
from bpe_core.live.script import script, source

_mount = st.components.v2.component(
    "token_rows",
    html=source("rows.html"),
    css=TOKEN_STYLE + source("controls.css", "rows.css"),
    js=script("rows.js"),
)


def token_rows(key: str, rows: Sequence[dict[str, Any]], table: Sequence[dict[str, Any]], glyph: str) -> None:
    """Show the rows: name, figures (tokens, words), tokens [[bytes in hex, id, differs]], and how many more there are.

    `table` is what its CSV file says, a dictionary a row.
    """
    facts = {"glyph": glyph, "marks": MARKS, "hues": HUES}
    _mount(key=key, data={"rows": rows, "table": table, "columns": list(table[0]) if table else [], **facts})
