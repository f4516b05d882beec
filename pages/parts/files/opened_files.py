"""The row of the view of files: the files that a visitor opens, and what is asked about them."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from bpe_core.counting.other_notations import ENDINGS
from pages.parts.page.tokenizer_row import others
from pages.parts.server import uploads
from pages.parts.server.inside_streamlit import UploadedFile
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.files_state import Files
from pages.parts.ui import controls, elements
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

MOST_TOKENIZERS = 6
STAY = "Files stay on the server until you leave. Of a folder, hidden files and data that is no text are left out."
NOT_OPEN = "The files that were opened are not here: open them again, since neither a link nor a reload keeps them."
KEYS = ("files.files to count", "files.folder to count")  # of the choosers
CHOOSERS: tuple[tuple[str, Literal[True, "directory"]], ...] = (
    ("Files, tables, .zip", True),
    ("A folder", "directory"),
)


def choosers() -> list[UploadedFile]:
    """Draw the menu with the choice of files and of a folder; return the files of both."""
    files = _files()
    # With other files the menu gets another key, so that it closes and shows what they have.
    key = f"files.open {len(_sent())}"
    with st.popover("Open files", type="secondary" if files else "primary", key=key):
        for name, (label, several) in zip(KEYS, CHOOSERS, strict=True):
            st.file_uploader(
                label, accept_multiple_files=several, max_upload_size=LIMITS.file_mb, key=name, on_change=_begin
            )
        st.html(elements.note(STAY))
    if len(files) < len(_sent()):
        st.html(elements.problem(uploads.why_missing()))
    elif not files and state.read(Files).opened:
        st.html(elements.problem(NOT_OPEN))
    return files


def _begin() -> None:
    """Leave the entered folder, and the row that is read: they are of other files. Open Notations if all are data."""
    names = [file.name.lower() for file in _files()]
    as_data = {"view": "notations"} if names and all(name.endswith(ENDINGS) for name in names) else {}
    state.put(Files, folder="", row=-1, opened=len(names), **as_data)


def _files() -> list[UploadedFile]:
    """Return the files in both choosers that the server has."""
    return [file for file in _sent() if isinstance(file, UploadedFile)]


def _sent() -> list[Any]:
    """Return what browsers sent for both choosers: a file that the server lacks is no `UploadedFile`."""
    sent = (state.sent(name) for name in KEYS)
    return [file for files in sent if isinstance(files, list) for file in files]


def settings() -> list[PageVocabulary]:
    """Draw the menu with the limit, the price and other tokenizers; return the first five of the chosen ones."""
    with controls.menu("Limit, price, tokenizers"):
        st.number_input("Limit of a row, in tokens", min_value=1, step=1, **state.widget(Files, "limit"))
        controls.line(Files, "price", "Price of a million tokens", placeholder="price in $")
        return others(Files, "visible")[: MOST_TOKENIZERS - 1]
