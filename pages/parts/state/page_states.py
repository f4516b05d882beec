"""The classes that several pages' states inherit. A page's own state is beside it, as in `train_state`.

A page reads its state at the start of a run and of every fragment's run (`state.read`), uses its fields, and saves
every change at once (`state.save`). The declaration of a field says everything about the field's value: see `values`.
The values that all pages share are the fields of `Shared`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields
from functools import cache
from typing import ClassVar, cast

from bpe_core.kinds import choice
from pages.parts.state import chat_values, values
from pages.parts.state.links import LINK_LENGTH, OWN
from pages.parts.state.values import LARGEST, value
from pages.parts.texts.corpora import YOUR_TEXT
from pages.parts.texts.examples import EXAMPLES

WINDOWS = ("4096", "8192", "32768", "128000", "200000", "1000000")  # context windows, in tokens


@dataclass(frozen=True)
class PageState:
    """The state of a page: what its widgets and views show. `PAGE`: the page's name in the session."""

    PAGE: ClassVar[str] = ""


def corpus_value(example: str) -> str:
    """Declare the field for the choice of a text. `example`: the key of the example that the page begins with."""
    known = choice(*EXAMPLES, OWN)

    def read(given: str) -> str:
        return OWN if given in ("paste", "upload") else known.read(given)

    return value(example, "example", read)


@dataclass(frozen=True)
class WithText(PageState):
    """The state of a page about a text: an example, or the visitor's own text ("your text").

    `corpus`: the key of an example, or `OWN` for the text in the field `text`. `text_name`: the name of the file that
    your text is from. `text_problem`: why the last file could not be opened; "" if there was no problem.
    """

    corpus: str = corpus_value(next(iter(EXAMPLES)))
    text: str = values.text(LINK_LENGTH, "your text")
    text_name: str = values.unlinked(YOUR_TEXT, stays=False)
    text_problem: str = values.unlinked("", stays=False)


class WithView(PageState):
    """The state of a page with several views, one of which is open. `view`: the key of that view.

    Values have their order in a link from the order of their fields. So each page declares this field at its own place.
    """

    view: str


@dataclass(frozen=True)
class WithFilm(PageState):
    """The state of a page with a film, which shows a training step by step.

    `step`: the film's step. `version`: a number that rises when the page sets the step (`film.go`); the film
    adopts that step once. `shown`: a key of the film's training.
    """

    step: int = values.number(0, 0, LARGEST, "step")
    version: int = values.unlinked(0)
    shown: Hashable = values.unlinked(None, stays=False)


@dataclass(frozen=True)
class WithTokens(WithText):
    """The state of a page with the view of a text's tokens.

    `OPTIONS`: the values that a visitor chooses in the view. A control in the view's markup names its value.

    `ids`: "yes" shows the ids under the tokens, "list" in a list of their own, "no" nowhere. `window`: how many tokens
    a context window has. `price`: the typed price of a million tokens. `letters`: whether the letters of each token
    are written under it. `letter`: the letter to count; "" for none.

    `token`: the index of the first symbol of the chosen token; -1 for none. `subject`: the text and the vocabulary in
    the view. `changes`: how often the subject changed. `request`: the number of the view's last request.
    """

    OPTIONS: ClassVar = ("ids", "marks", "window", "price", "letters", "letter")
    step: int = values.number(LARGEST, 0, LARGEST, "step")
    ids: str = values.one_of("yes", ("yes", "list", "no"), "Ids")
    marks: bool = values.yes_or_no(True, "Show spaces as · and line ends as ⏎")
    window: str = values.one_of("128000", WINDOWS, "context window")
    price: str = value("", "price per million", values.amount)
    letters: bool = values.yes_or_no(False, "Letters")
    letter: str = value("r", "letter to count", values.letter)
    token: int = values.number(-1, 0, LARGEST, "token")
    subject: Hashable = values.unlinked(None, stays=False)
    changes: int = values.unlinked(0)
    request: int = values.unlinked(0)


@dataclass(frozen=True)
class SharedChat(PageState):
    """The values of a chat.

    `turns`: the turns as JSON. `chat_template`: a key of `CHAT_TEMPLATES`, `FITTING` or `OWN_TEMPLATE`.
    `own_template`: a pasted template. `answer`: whether the beginning of an answer ends the chat. `chat_changes`: how
    often turns were added, removed or pasted. `tools`, `documents`: JSON, which no link has. `variables`: what else the
    template is given, by name.
    """

    turns: str = value(chat_values.FIRST, "your chat", chat_values.read, most=LINK_LENGTH)
    chat_template: str = value(chat_values.FITTING, "Chat template", values.key)
    own_template: str = value("", "your chat template", chat_values.read_template, most=LINK_LENGTH)
    answer: bool = values.yes_or_no(True, "Begin the answer")
    chat_changes: int = values.unlinked(0)
    tools: str = values.unlinked("")
    documents: str = values.unlinked("")
    variables: tuple[tuple[str, str | bool], ...] = values.unlinked(())


@dataclass(frozen=True)
class WithChat(SharedChat):
    """The state of a page that shows a chat.

    `pasting_template`, `pasting_turns`: whether the menu with the box to paste into is open.
    """

    pasting_template: bool = values.unlinked(False)
    pasting_turns: bool = values.unlinked(False)


@dataclass(frozen=True)
class Shared(SharedChat, WithText):
    """The values that all pages share. A page has those whose class its state inherits, `WithText` or `SharedChat`.

    `corpus` is "" until the visitor chooses a text: until then each page shows an example of its own.
    """

    corpus: str = ""


def _shared_names(page: type[PageState]) -> list[str]:
    """Return the names of the values that a page shares with other pages."""
    return [each.name for owner in (WithText, SharedChat) if issubclass(page, owner) for each in fields(owner)]


shared_names = cast("Callable[[type[PageState]], list[str]]", cache(_shared_names))


@dataclass(frozen=True)
class WithOpening(PageState):
    """The state of a page that opens tokenizers: see `opening_box`.

    `opening`: whether the box is open. `asked`: the name of a model to fetch from the Hub; None for none.
    `files_before`: the names of the files that were in the box when its files last changed. `unopened`: why the last
    model or file could not be opened; "" if there was no problem.
    """

    opening: bool = values.unlinked(False)
    asked: str | None = values.unlinked(None)
    files_before: tuple[str, ...] = values.unlinked(())
    unopened: str = values.unlinked("")


class WithVocabulary(PageState):
    """The state of a page that may show the Train page's vocabulary.

    `training`: the training of that vocabulary, as JSON (see `last_training`).
    """

    training: str


def training_value() -> str:
    """Declare the field `training`.

    Texts get room in a link in the order of their fields. So each page declares this field at its own place.
    """
    return values.text(LINK_LENGTH, "the text that the vocabulary was trained on")


@dataclass(frozen=True)
class Start(WithTokens):
    """The state of the start page."""

    PAGE = "start"
    corpus: str = corpus_value("bytes-into-words")
