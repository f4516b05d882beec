"""The vocabulary that a visitor chose. It is published, trained here, in a file, or on the Hub."""

from __future__ import annotations

import streamlit as st

from bpe_core import FormatError, HubError, PatternError, Settings, SettingsError
from bpe_core.files import hub
from bpe_core.published import PUBLISHED, PublishedError
from pages.parts.page import last_training
from pages.parts.state import state
from pages.parts.state.tokenizer_keys import TRAINED, in_file
from pages.parts.state.train_state import Train
from pages.parts.texts.corpora import example
from pages.parts.texts.examples import EXAMPLES
from pages.parts.trainings.runs import run_of
from pages.parts.trainings.training_jobs import StillTraining
from pages.parts.ui import sentences
from pages.parts.vocabularies import opened_vocabularies, page_vocabulary
from pages.parts.vocabularies.opened_vocabularies import NOT_OPEN, NothingOpened
from pages.parts.vocabularies.page_vocabulary import PageVocabulary

PLAIN = Settings("gpt2", vocab_size=1000)  # the settings of a vocabulary that is trained on an example


def vocabulary_of(chosen: str) -> PageVocabulary:
    """Return the vocabulary with a key.

    The vocabulary is published, trained on an example, trained on the Train page, in a file, or on the Hub. If there is
    no vocabulary to return, raise `PublishedError`, `HubError`, `FormatError`, `SettingsError`, `PatternError`,
    `StillTraining` or `NothingOpened`.
    """
    if chosen.startswith(hub.PREFIX) or in_file(chosen):
        return opened_vocabularies.vocabulary(chosen)
    if chosen in PUBLISHED:
        if page_vocabulary.is_loaded(chosen):
            return page_vocabulary.published(chosen)
        with st.spinner(f"Loading {PUBLISHED[chosen].title} …"):
            return page_vocabulary.published(chosen)
    if chosen == TRAINED:
        text, how = last_training.text_and_settings()
        run, glyph = run_of(text, how), state.read(Train).glyph
        return page_vocabulary.of_run(chosen, "the Train page", run, text.name, glyph)
    text, run = example(chosen), run_of(example(chosen), PLAIN)
    return page_vocabulary.of_run(chosen, f"“{text.name}”", run, text.name)


def vocabulary_or_why(key: str) -> tuple[PageVocabulary | None, str]:
    """Return the vocabulary with a key, and why there is none: a vocabulary and "", or None and a sentence."""
    try:
        return vocabulary_of(key), ""
    except (PublishedError, HubError) as error:
        return None, str(error)
    except FormatError as error:
        return None, sentences.problem(error)
    except (SettingsError, PatternError) as error:
        return None, f"The Train page's settings cannot be trained with. {sentences.problem(error)}"
    except NothingOpened:
        return None, NOT_OPEN
    except StillTraining:
        return None, "The Train page is still training: open it to see how far it is."


def vocabulary_or_stand_in(key: str) -> tuple[PageVocabulary, str]:
    """Return a vocabulary and a sentence: the vocabulary with a key and "".

    If there is no such vocabulary, return `stand_in()` and a sentence that says why.
    """
    found, why = vocabulary_or_why(key)
    if found is not None:
        return found, ""
    other = stand_in()
    return other, f"{why} Showing {other.title} instead."


def stand_in() -> PageVocabulary:
    """Return the vocabulary to show if the chosen one cannot be loaded: GPT-2's, or one trained on an example."""
    try:
        return page_vocabulary.published("gpt2")
    except PublishedError:
        name = next(iter(EXAMPLES))
        run = run_of(example(name), PLAIN)
        return page_vocabulary.of_run(name, f"“{EXAMPLES[name].title}”", run, EXAMPLES[name].title)
