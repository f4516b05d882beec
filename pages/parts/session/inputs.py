"""What a page works on: the corpus, the settings, the held-out text and the vocabulary that its values choose."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import streamlit as st

from bpe_core import Run, Settings
from bpe_core.published import PUBLISHED, PublishedError
from bpe_core.settings import ForcedPairError
from pages.parts.session import branches, corpora, state, vocabularies
from pages.parts.session.corpora import EXAMPLES, Corpus, CorpusError, example, pasted
from pages.parts.session.links import (
    CUSTOM,
    FITTING,
    ITSELF,
    OPENED,
    PARAMS,
    PASTE,
    SETTINGS,
    TRAINED,
    UPLOAD,
    of_side,
)
from pages.parts.session.runs import run_of
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import sentences

PLAIN = Settings("gpt2", vocab_size=1000)  # what an example is trained with for the Playground


class NothingOpened(Exception):  # noqa: N818 (not an error: the file is to be opened)
    """The chosen vocabulary is that of a file, and none has been opened."""


def corpus(page: str) -> Corpus:
    """The page's corpus; raises `CorpusError` where there is none yet."""
    chosen = state.get(page, "corpus")
    if chosen == PASTE:
        return pasted(state.get(page, "text"))
    if chosen == UPLOAD:
        upload = state.recall("upload")
        if upload is None:
            raise CorpusError("Choose a file to train on.")
        return upload
    return example(chosen)


def keep_upload(upload: Corpus | None) -> None:
    """Keep an uploaded text for the session, or forget it."""
    state.remember("upload", upload)


def settings(page: str, side: str = "") -> Settings:
    """The settings of the page, or of one side of it; raises `SettingsError` where they cannot be trained with."""

    def value(name: str) -> Any:
        held = next((known for known in (of_side(side, name), name) if known in PARAMS[page]), None)
        return state.get(page, held) if held else SETTINGS[name].default

    return Settings(
        normalizers=tuple(value("normalizers")),
        pretokenizer=value("pretokenizer"),
        alphabet=value("alphabet"),
        word_marker=value("marker"),
        tie_rule=value("ties"),
        vocab_size=value("vocabulary"),
        min_count=value("least"),
        special_tokens=tuple(dict.fromkeys(value("specials").split())),
        pattern=value("pattern") if value("pretokenizer") == CUSTOM else "",
        forced=branches.parse(value("chosen")),
    )


def held_out(page: str) -> Corpus:
    """The text that the page tries its vocabularies on; the corpus where there is no other."""
    chosen = state.get(page, "held")
    if chosen == FITTING:
        return corpora.held_out(state.get(page, "corpus")) or corpus(page)
    if chosen == PASTE:
        return pasted(state.get(page, "held-text")) if state.get(page, "held-text").strip() else corpus(page)
    return corpus(page) if chosen == ITSELF else example(chosen)


def vocabulary(page: str, name: str = "tokenizer") -> Vocabulary:
    """The vocabulary that the value `name` chooses.

    Raises `PublishedError`, `CorpusError`, `SettingsError`, `PatternError` or `NothingOpened` where it cannot be had.
    """
    chosen = state.get(page, name)
    if chosen == OPENED:
        opened = state.recall("file tokenizer")
        if opened is None:
            raise NothingOpened
        return opened
    if chosen in PUBLISHED:
        if vocabularies.is_loaded(chosen):
            return vocabularies.published(chosen)
        with st.spinner(f"Loading {PUBLISHED[chosen].title} …"):
            return vocabularies.published(chosen)
    if chosen == TRAINED:
        text, how = corpus("train"), settings("train")
        run = run_of(text, how)
        return vocabularies.trained(chosen, "the Train page", run, text.name, state.get("train", "glyph"))
    text, run = example(chosen), run_of(example(chosen), PLAIN)
    return vocabularies.trained(chosen, f"“{text.name}”", run, text.name)


def open_files(files: Mapping[str, bytes], cut: str | None) -> None:
    """Make the tokenizer in some files the opened one; raises `FormatError`, and the one before stays."""
    asked = cut, tuple((name, sha256(content).digest()) for name, content in files.items())
    if state.recall("file asked for") != asked:
        state.remember("file tokenizer", vocabularies.opened(OPENED, files, cut))
        state.remember("file asked for", asked)


def stand_in() -> Vocabulary:
    """The vocabulary to go on with where the chosen one cannot be had: GPT-2's, or one trained on an example."""
    try:
        return vocabularies.published("gpt2")
    except PublishedError:
        name = next(iter(EXAMPLES))
        run = run_of(example(name), PLAIN)
        return vocabularies.trained(name, f"“{EXAMPLES[name]}”", run, EXAMPLES[name])


def give_up_choices(page: str, error: Exception) -> None:
    """Drop the choices of pairs where one does not fit the settings any more, and start again without them."""
    if isinstance(error, ForcedPairError):
        state.give_up(page, "chosen", f"{sentences.problem(error)} The run goes on without your choices.")
        st.rerun()


def say_retrained(page: str, run: Run) -> None:
    """Say so where other settings or another text made another run than the one before."""
    before = state.recall(f"{page}.run")
    state.remember(f"{page}.run", run)
    if before is not None and before is not run:
        st.toast(f"Trained anew: {run.steps:,} merges.")
