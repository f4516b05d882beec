"""Which tokenizer a page shows: a published one, the Train page's, one in a file, or one trained on an example."""

from __future__ import annotations

import streamlit as st

from bpe_core import PRETOKENIZERS, PatternError, SettingsError
from bpe_core.files import FormatError
from bpe_core.published import PUBLISHED, PublishedError
from pages.parts.session import inputs, links, vocabularies
from pages.parts.session.budget import BUDGET
from pages.parts.session.examples import EXAMPLES
from pages.parts.session.trainings import StillTraining
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import sentences

TOKENIZERS = {
    **{name: row.title for name, row in PUBLISHED.items()},
    links.TRAINED: "Trained on the Train page",
    links.OPENED: "Open a file",
    **{name: f"Trained on: {row.title}" for name, row in EXAMPLES.items()},
}


def chosen_vocabulary(page: str, name: str) -> Vocabulary | None:
    """The vocabulary that the value `name` chooses; None, and one sentence on the screen, where it cannot be had."""
    try:
        return inputs.vocabulary(page, name)
    except PublishedError as error:
        st.error(str(error))
    except (SettingsError, PatternError) as error:
        st.error(f"The Train page's settings cannot be trained with. {sentences.problem(error)}")
    except inputs.NothingOpened:
        meanwhile = {"against": "Nothing is compared"}.get(name, "This is GPT-2")
        st.caption(f"{meanwhile} until the file of a tokenizer is opened.")
    except StillTraining:
        st.info("The Train page is still training: open it to see how far it is. Until then this is GPT-2.")
    return None


def open_tokenizer(page: str) -> None:
    """Open the files of a tokenizer; what is wrong with them is said here, and the one opened before stays."""
    chosen = st.file_uploader(
        "tokenizer.json, vocab.json + merges.txt, .tiktoken or minbpe .model",
        accept_multiple_files=True,
        max_upload_size=BUDGET.file_mb,
        key=f"{page}.files",
    )
    files = {file.name: file.getvalue() for file in chosen}
    if not files:
        return
    cut = None
    if vocabularies.lacks_cut(files):
        options = {None: "As it is known for such a file", **{key: row.title for key, row in PRETOKENIZERS.items()}}
        label = "Pretokenizer, where the file does not say it"
        cut = st.selectbox(label, list(options), format_func=options.get, key=f"{page}.cut")
    try:
        with st.spinner("Opening …"):
            inputs.open_files(files, cut)
    except FormatError as error:
        st.error(sentences.plain(sentences.problem(error)))
