"""Opening the files of a tokenizer: what is opened is shown, and what was open before stays where that fails."""

from __future__ import annotations

import streamlit as st

from bpe_core import PRETOKENIZERS
from bpe_core.files import FormatError
from pages.parts.session import inputs, state, vocabularies
from pages.parts.session.budget import BUDGET
from pages.parts.views import elements, sentences

KINDS = "tokenizer.json, vocab.json + merges.txt, .tiktoken or minbpe .model"


def opening(page: str) -> None:
    """A menu with a place for the files; what is wrong with them is said under it."""
    with st.popover("Open a tokenizer"):
        st.file_uploader(
            KINDS, accept_multiple_files=True, max_upload_size=BUDGET.file_mb, key=f"{page}.files",
            on_change=_open, args=(page,),
        )  # fmt: skip
        if vocabularies.lacks_cut(_files(page)):
            options = {None: "As it is known for such a file", **{key: row.title for key, row in PRETOKENIZERS.items()}}
            st.selectbox(
                "Split by, where the file does not say it", list(options), format_func=options.get, key=f"{page}.cut",
                on_change=_open, args=(page,),
            )  # fmt: skip


def problem(page: str) -> None:
    """Say why the last files could not be opened."""
    if said := state.recall(f"{page}.unopened"):
        st.html(elements.problem(said))


def _files(page: str) -> dict[str, bytes]:
    return {file.name: file.getvalue() for file in state.recall(f"{page}.files") or ()}


def _open(page: str) -> None:
    """Open the files and show them: as the page's tokenizer, or beside it where several are shown."""
    files = _files(page)
    state.remember(f"{page}.unopened", None)
    if not files:
        return
    try:
        opened = inputs.open_files(files, state.recall(f"{page}.cut"))
    except FormatError as error:
        state.remember(f"{page}.unopened", sentences.problem(error))
        return
    if state.get(page, "view") == "side-by-side":
        state.put(page, "against", list(dict.fromkeys([*state.get(page, "against"), opened.name])))
    else:
        state.put(page, "tokenizer", opened.name)
