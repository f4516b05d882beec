"""The row of the view of files: the files that a visitor opens, and what is asked about them."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.playground.tokenizer_row import others
from pages.parts.server import uploads
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.playground_state import Playground
from pages.parts.ui import controls, elements
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

MOST_TOKENIZERS = 6
STAY = "Files stay on the server until you leave. Of a folder, hidden files and data that is no text are left out."
KEYS = ("playground.files to count", "playground.folder to count")  # of the choosers
CHOOSERS: tuple[tuple[str, Literal[True, "directory"]], ...] = (
    ("Files, tables, .zip", True),
    ("A folder", "directory"),
)


def choosers() -> list[UploadedFile]:
    """Draw the menu with the choice of files and of a folder; return the files of both."""
    found: list[Any] = []
    for name in KEYS:
        sent = state.sent(name)
        found += sent if isinstance(sent, list) else []
    files = [file for file in found if isinstance(file, UploadedFile)]
    with st.popover("Open files", type="secondary" if files else "primary"):
        for name, (label, several) in zip(KEYS, CHOOSERS, strict=True):
            st.file_uploader(
                label, accept_multiple_files=several, max_upload_size=LIMITS.file_mb, key=name, on_change=_begin
            )
        st.html(elements.note(STAY))
    if len(files) < len(found):
        st.html(elements.problem(uploads.why_missing()))
    return files


def _begin() -> None:
    """Leave the entered folder, and the row that is read: they are of other files."""
    state.put(Playground, folder="", row=-1)


def settings() -> list[PageVocabulary]:
    """Draw the menu with the limit, the price and other tokenizers; return the first five of the chosen ones."""
    with controls.menu("Limit, price, tokenizers"):
        st.number_input("Limit of a row, in tokens", min_value=1, step=1, **state.widget(Playground, "limit"))
        controls.line(Playground, "price", "Price of a million tokens", placeholder="price")
        return others()[: MOST_TOKENIZERS - 1]
