"""The vocabulary that a visitor chose: published, trained here, in a file or on the Hub."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

import streamlit as st

from bpe_core import FormatError, HubError, PatternError, Settings, SettingsError
from bpe_core.files import hub
from bpe_core.published import PUBLISHED, PublishedError
from pages.parts.session import last_training, state, vocabularies
from pages.parts.session.budget import BUDGET
from pages.parts.session.corpora import example
from pages.parts.session.examples import EXAMPLES
from pages.parts.session.page_states import Train
from pages.parts.session.runs import run_of
from pages.parts.session.tokenizer_keys import OPENED, TRAINED
from pages.parts.session.trainings import StillTraining
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import sentences

PLAIN = Settings("gpt2", vocab_size=1000)  # the settings of a vocabulary that is trained on an example


class NothingOpened(Exception):  # noqa: N818 (not an error: the visitor has yet to open a file)
    """The chosen vocabulary is in a file, and no file is open."""


def vocabulary_of(chosen: str) -> Vocabulary:
    """Return the vocabulary with a key: published, trained on an example or on the Train page, in a file or on the Hub.

    If that is not possible, raise `PublishedError`, `HubError`, `FormatError`, `SettingsError`, `PatternError`,
    `StillTraining` or `NothingOpened`.
    """
    if chosen.startswith(hub.PREFIX):
        return opened().get(chosen) or _fetched(chosen.removeprefix(hub.PREFIX))
    if chosen.startswith(OPENED):
        if chosen not in opened():
            raise NothingOpened
        return opened()[chosen]
    if chosen in PUBLISHED:
        if vocabularies.is_loaded(chosen):
            return vocabularies.published(chosen)
        with st.spinner(f"Loading {PUBLISHED[chosen].title} …"):
            return vocabularies.published(chosen)
    if chosen == TRAINED:
        text, how = last_training.trained()
        run, glyph = run_of(text, how), state.read(Train).glyph
        return vocabularies.trained(chosen, "the Train page", run, text.name, glyph)
    text, run = example(chosen), run_of(example(chosen), PLAIN)
    return vocabularies.trained(chosen, f"“{text.name}”", run, text.name)


def opened() -> Mapping[str, Vocabulary]:
    """Return the vocabularies from files and from the Hub, by key. The last one from a file is also under `OPENED`."""
    found: Mapping[str, Vocabulary] = state.recall("opened tokenizers", {})
    return found


def _fetched(name: str) -> Vocabulary:
    """Fetch, remember and return the vocabulary of a model on the Hub."""
    with st.spinner(f"Fetching {sentences.plain(name)} from the Hugging Face Hub …"):
        found = vocabularies.on_the_hub(name)
    _keep(found)
    return found


def open_files(files: Mapping[str, bytes], cut: str | None) -> Vocabulary:
    """Open, remember and return the vocabulary in some files; raise `FormatError` if that fails.

    `cut`: the pretokenizer, for files that do not say how text is split.
    """
    contents = tuple((name, sha256(content).digest()) for name, content in files.items())
    known = {vocabulary.content: vocabulary for vocabulary in opened().values()}
    found = known.get((cut, contents)) or vocabularies.opened(files, cut, (cut, contents))
    if opened().get(found.name, found) is not found:  # another file of the same name
        number = len(opened())
        found = replace(found, name=f"{found.name} {number}", title=f"{found.title} ({number})")
    _keep(found)
    state.remember("opened tokenizers", {**opened(), OPENED: found})
    return found


def _keep(found: Vocabulary) -> None:
    """Remember an opened vocabulary. Forget the oldest ones that exceed the budget."""
    others = [each for name, each in opened().items() if name not in (OPENED, found.name)]
    latest = {each.name: each for each in [*others, found][-BUDGET.opened_tokenizers :]}
    last = opened().get(OPENED)
    state.remember("opened tokenizers", latest | ({OPENED: last} if last and last.name in latest else {}))


def vocabulary_or_why(key: str) -> tuple[Vocabulary | None, str]:
    """Return the vocabulary with a key and "", or None and a sentence that says why there is none."""
    try:
        return vocabulary_of(key), ""
    except (PublishedError, HubError) as error:
        return None, str(error)
    except FormatError as error:
        return None, sentences.problem(error)
    except (SettingsError, PatternError) as error:
        return None, f"The Train page's settings cannot be trained with. {sentences.problem(error)}"
    except NothingOpened:
        return None, "The tokenizer's file is not open here: open it again, since neither a link nor a reload keeps it."
    except StillTraining:
        return None, "The Train page is still training: open it to see how far it is."


def vocabulary_or_stand_in(key: str) -> tuple[Vocabulary, str]:
    """Return the vocabulary with a key and "", or `stand_in()` and a sentence that says why."""
    found, why = vocabulary_or_why(key)
    if found is not None:
        return found, ""
    other = stand_in()
    return other, f"{why} Showing {other.title} instead."


def stand_in() -> Vocabulary:
    """Return the vocabulary to show if the chosen one cannot be loaded: GPT-2's, or one trained on an example."""
    try:
        return vocabularies.published("gpt2")
    except PublishedError:
        name = next(iter(EXAMPLES))
        run = run_of(example(name), PLAIN)
        return vocabularies.trained(name, f"“{EXAMPLES[name].title}”", run, EXAMPLES[name].title)
