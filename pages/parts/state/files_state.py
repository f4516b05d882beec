"""The values of Files, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass

from pages.parts.state import values
from pages.parts.state.page_states import WithOthers, WithText, corpus_value
from pages.parts.state.values import value


@dataclass(frozen=True)
class Files(WithOthers, WithText):
    """The state of Files.

    `price`: the typed price of a million tokens. `limit`: the most tokens that a row should have. `column`: the column
    of tables that counts. `opened`: how many files were opened; a link or a reload has the number and not the files.
    `folder`: the folder that is entered; "" for none. `row`: the row whose text is shown; -1 for none.
    """

    PAGE = "files"
    NEEDS_WORD = False
    corpus: str = corpus_value("keepers-dog")
    view: str = value("count", "View", values.key)
    price: str = value("", "price per million", values.amount)
    limit: int = values.number(8192, 1, values.LARGEST, "limit of tokens")
    column: str = values.text(100, "column")
    opened: int = values.number(0, 0, values.LARGEST, "number of opened files")
    folder: str = values.unlinked("")
    row: int = values.unlinked(-1)
