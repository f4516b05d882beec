"""The choice of a tokenizer. It is published, the Train page's, in a file, or trained on an example."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial

import streamlit as st

from bpe_core import PRETOKENIZERS, PatternError
from bpe_core.files import FormatError
from bpe_core.published import PUBLISHED
from pages.parts.server import uploads
from pages.parts.server.inside_streamlit import DeletedFile, UploadedFile
from pages.parts.server.limits import LIMITS
from pages.parts.state import state
from pages.parts.state.page_states import PageState
from pages.parts.state.tokenizer_keys import OPENED, TRAINED
from pages.parts.texts.examples import EXAMPLES
from pages.parts.ui import elements, sentences
from pages.parts.vocabularies import opened_vocabularies
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

FILES = (
    "Files: tokenizer.json, vocab.json + merges.txt, .model, .tiktoken, tekken.json or .gguf; and "
    "what models have beside them, such as tokenizer_config.json"
)
TOKENIZERS = {
    **{name: row.title for name, row in PUBLISHED.items()},
    TRAINED: "Trained on the Train page",
    **{name: f"Trained on: {row.title}" for name, row in EXAMPLES.items()},
}

ANOTHER = {OPENED: "Another: open a tokenizer …"}  # a choice that opens a box or a menu to open one


def offered(chosen: Collection[str]) -> dict[str, str]:
    """Return the titles of the tokenizers to choose from, by key.

    A tokenizer that was trained on an example is offered only if its key is in `chosen`: a link has chosen it.
    """
    return {key: title for key, title in TOKENIZERS.items() if key not in EXAMPLES or key in chosen}


@contextmanager
def problems_shown() -> Iterator[None]:
    """Draw why a tokenizer failed, if one fails within this context."""
    try:
        yield
    except (FormatError, PatternError) as error:
        st.html(elements.problem(sentences.problem(error)))


def assumptions_shown(*vocabularies: PageVocabulary) -> None:
    """Draw a sentence for each thing that is assumed about tokenizers because their files do not say it.

    They are in one container that is always there, so what is below keeps its place, and with it its fragment. Of
    several tokenizers, each sentence names its own.
    """
    shown = {each.name: each for each in vocabularies}
    with st.container(gap="xxsmall"):
        for vocabulary in shown.values():
            whose = f"{vocabulary.title}: " if len(shown) > 1 else ""
            for sentence in vocabulary.tokenizer.assumptions:
                st.html(elements.note(f"{whose}{sentence}"))


def files_to_open(
    page: type[PageState], on_change: Callable[[type[PageState]], None] | None = None
) -> tuple[dict[str, bytes], str | None]:
    """Draw the choice of a tokenizer's files. If the files do not say how text is split, also draw that choice.

    The second choice is between pretokenizers. Return `chosen_files(page)`. The files may have any names: the format is
    recognised by the contents. `on_change`: a function that is called with the page when a choice changes.
    """
    st.file_uploader(
        FILES, accept_multiple_files=True, max_upload_size=LIMITS.file_mb, key=f"{page.PAGE}.files",
        on_change=on_change, args=(page,),
    )  # fmt: skip
    if any(not isinstance(file, UploadedFile) for file in _files(page)):
        st.html(elements.problem(uploads.why_missing()))
    if opened_vocabularies.split_can_be_chosen(chosen_files(page)[0]):
        changed = partial(on_change, page) if on_change else None
        split_menu("Pretokenizer, which the files do not say", f"{page.PAGE}.cut", changed)
    return chosen_files(page)


def split_menu(label: str, key: str, on_change: Callable[[], None] | None) -> None:
    """Draw the choice of a pretokenizer for a tokenizer whose files do not say it."""
    st.selectbox(
        label, list(PRETOKENIZERS), index=None, placeholder="Choose one",
        format_func=lambda name: PRETOKENIZERS[name].title, key=key, on_change=on_change,
    )  # fmt: skip


def chosen_files(page: type[PageState]) -> tuple[dict[str, bytes], str | None]:
    """Return the choices made in `files_to_open`: the contents of the files, by file name, and a pretokenizer.

    The pretokenizer is a key; None if none was chosen.
    """
    files = {file.name: file.getvalue() for file in _files(page) if isinstance(file, UploadedFile)}
    cut = state.sent(f"{page.PAGE}.cut")
    return files, cut if isinstance(cut, str) and opened_vocabularies.split_can_be_chosen(files) else None


def _files(page: type[PageState]) -> list[UploadedFile | DeletedFile]:
    """Return the chosen files. If the server does not have a file, a `DeletedFile` stands for that file."""
    found = state.sent(f"{page.PAGE}.files")
    return found if isinstance(found, list) else []
