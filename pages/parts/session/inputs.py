"""What a page works on besides your text: the settings, the held-out text and the tokenizer that its values choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any, TypeVar

import streamlit as st

from bpe_core import FormatError, HubError, PatternError, Run, Settings, SettingsError
from bpe_core.files import hub
from bpe_core.published import PUBLISHED, PublishedError
from bpe_core.settings import CUSTOM, ForcedPairError
from pages.parts.session import corpora, state, typed, vocabularies, your_text
from pages.parts.session.budget import BUDGET
from pages.parts.session.corpora import Corpus, example
from pages.parts.session.examples import EXAMPLES
from pages.parts.session.links import (
    DEFAULT_PATTERN,
    FITTING,
    ITSELF,
    PARAMS,
    PASTE,
    SETTINGS,
    in_page,
    in_settings,
    of_side,
)
from pages.parts.session.runs import run_of
from pages.parts.session.tokenizer_keys import OPENED, TRAINED
from pages.parts.session.trainings import StillTraining
from pages.parts.session.vocabularies import Vocabulary
from pages.parts.views import sentences

PLAIN = Settings("gpt2", vocab_size=1000)  # what an example is trained with for the Playground


Made = TypeVar("Made")


class NothingOpened(Exception):  # noqa: N818 (not an error: the file is to be opened)
    """The chosen vocabulary is that of a file, and none has been opened."""


def settings(page: str, side: str = "", values: Mapping[str, Any] | None = None) -> Settings:
    """The settings of the page, or of one side of it; raises `SettingsError` where they cannot be trained with.

    `values`: those of the page by name, where they are not the ones of now (see `last_right`).
    """
    of_page = values if values is not None else _values(page)

    def value(name: str) -> Any:
        return of_page.get(of_side(side, name), of_page.get(name, SETTINGS[name].default))

    values = {name: in_settings(name, value(name)) for name in SETTINGS}
    return Settings(**(values if values["pretokenizer"] == CUSTOM else values | {"pattern": ""}))


def values_of(chosen: Settings) -> dict[str, Any]:
    """Return the values of a page that give these settings."""
    values = {name: in_page(name, getattr(chosen, name)) for name in SETTINGS}
    return values | {"pattern": chosen.pattern or DEFAULT_PATTERN}


def _values(page: str) -> dict[str, Any]:
    return {name: state.get(page, name) for name, param in PARAMS[page].items() if not param.live}


def last_right(page: str, train: Callable[[Mapping[str, Any]], Made]) -> tuple[Made, ValueError | None]:
    """What `train` makes of the page's values, or of the last that it could be made of, and what is wrong with these.

    Where the text has more symbols than the vocabulary may have tokens, the vocabulary is made large enough.
    Raises `StillTraining`, and the error itself where the page's defaults cannot be trained with either.
    """
    now, known = _values(page), state.key(page, "last right")
    attempts = [now, state.recall(known), {name: PARAMS[page][name].default for name in now}]
    wrong: ValueError | None = None
    for number, values in enumerate(attempts, 1):
        try:
            made = train(values) if values else None
        except (SettingsError, PatternError) as error:
            give_up_choices(page, error)
            wrong = wrong or error
            if least := getattr(error, "least", None):
                words = len(set(your_text.corpus(page).text.split()))
                attempts.insert(max(number, 2), values | {"vocab_size": corpora.roomy_size(least, words)})
            continue
        if made is not None:
            if wrong is None:
                state.remember(known, now)
            return made, wrong
    raise wrong


def held_out(page: str) -> Corpus:
    """The text that the page tries its vocabularies on; the corpus where there is no other."""
    chosen = state.get(page, "held")
    if chosen == FITTING and (like := corpora.held_out(your_text.example_shown(page))):
        return like
    if chosen in (FITTING, PASTE) and (text := typed.text_of(page, "held_text")).strip():
        return Corpus("a text of your own", text[: BUDGET.typed_characters])
    return your_text.corpus(page) if chosen in (FITTING, ITSELF, PASTE) else example(chosen)


def vocabulary_of(chosen: str) -> Vocabulary:
    """The vocabulary of a key: a published one, an example's, the Train page's, one in a file or on the Hub.

    Raises `PublishedError`, `HubError`, `FormatError`, `SettingsError`, `PatternError` or `NothingOpened` where it
    cannot be had.
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
        text, how = trained()
        run, glyph = run_of(text, how), state.get("train", "glyph")
        return vocabularies.trained(chosen, "the Train page", run, text.name, glyph)
    text, run = example(chosen), run_of(example(chosen), PLAIN)
    return vocabularies.trained(chosen, f"“{text.name}”", run, text.name)


def opened() -> Mapping[str, Vocabulary]:
    """The vocabularies of files and of models on the Hub by their keys; the last file's has the key `OPENED` too."""
    return state.recall("opened tokenizers", {})


def _fetched(name: str) -> Vocabulary:
    """The vocabulary of a model on the Hub, which is remembered with those in files."""
    with st.spinner(f"Fetching {sentences.plain(name)} from the Hugging Face Hub …"):
        found = vocabularies.on_the_hub(name)
    _keep(found)
    return found


def open_files(files: Mapping[str, bytes], cut: str | None) -> Vocabulary:
    """Open the tokenizer in some files; raises `FormatError`, and those opened before stay, the latest few."""
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
    """Remember an opened vocabulary, and of the others the latest."""
    others = [each for name, each in opened().items() if name not in (OPENED, found.name)]
    kept = {each.name: each for each in [*others, found][-BUDGET.opened_tokenizers :]}
    last = opened().get(OPENED)
    state.remember("opened tokenizers", kept | ({OPENED: last} if last and last.name in kept else {}))


def vocabulary_or_why(key: str) -> tuple[Vocabulary | None, str]:
    """The vocabulary of a key, or None and a sentence that says why it cannot be had."""
    try:
        return vocabulary_of(key), ""
    except (PublishedError, HubError) as error:
        return None, str(error)
    except FormatError as error:
        return None, sentences.problem(error)
    except (SettingsError, PatternError) as error:
        return None, f"The Train page's settings cannot be trained with. {sentences.problem(error)}"
    except NothingOpened:
        return None, "No file of a tokenizer is open: choose one, since files do not travel in a link."
    except StillTraining:
        return None, "The Train page is still training: open it to see how far it is."


def vocabulary_or_stand_in(key: str) -> tuple[Vocabulary, str]:
    """The vocabulary of a key, or another one and a sentence that says why."""
    found, why = vocabulary_or_why(key)
    if found is not None:
        return found, ""
    other = stand_in()
    return other, f"{why} Showing {other.title} instead."


def stand_in() -> Vocabulary:
    """The vocabulary to go on with where the chosen one cannot be had: GPT-2's, or one trained on an example."""
    try:
        return vocabularies.published("gpt2")
    except PublishedError:
        name = next(iter(EXAMPLES))
        run = run_of(example(name), PLAIN)
        return vocabularies.trained(name, f"“{EXAMPLES[name].title}”", run, EXAMPLES[name].title)


def give_up_choices(page: str, error: Exception) -> None:
    """Where a chosen pair does not fit the settings any more, start again with those chosen for the steps before it."""
    if isinstance(error, ForcedPairError):
        chosen = in_settings("forced", state.get(page, "forced"))
        kept = {step: pair for step, pair in chosen.items() if step < error.step}
        left = "with only your earlier choices" if kept else "without your choices"
        state.give_up(page, "forced", f"{sentences.problem(error)} The run goes on {left}.", in_page("forced", kept))
        st.rerun()


def has_trained() -> bool:
    """Whether the Train page has trained in this session."""
    return state.recall("trained") is not None


def trained() -> tuple[Corpus, Settings]:
    """What the Train page trained last; before it has, what it begins with."""
    return state.recall("trained") or (your_text.page_example("train"), settings("train"))


def take_over_training(text: Corpus, values: Mapping[str, Any]) -> None:
    """Make a link's training the Train page's latest, and its values, by name, those that the page opens with.

    Raises `SettingsError` where they cannot be trained with.
    """
    first = {name: PARAMS["train"][name].default for name in SETTINGS}
    state.remember("trained", (text, settings("train", values=first | values)))
    for name, value in values.items():
        state.put("train", name, value)


def keep_trained(text: Corpus, run: Run) -> None:
    """Make this training the one that other pages offer as the Train page's, whatever text is typed there."""
    state.remember("trained", (text, run.settings))


def film_of(text: Corpus, run: Run) -> tuple:
    """What tells one training from another, the learner's own choices aside: those are made at a step."""
    return text.digest, replace(run.settings, forced={})
