"""The classes that several pages' states inherit. A page's own state is in the page's folder, as in `train_state`.

A page reads its state at the start of a run and of every fragment's run (`state.read`), uses its fields, and saves
every change at once (`state.save`). The declaration of a field says everything about the field's value: see `values`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from bpe_core.kinds import choice
from pages.parts.chats import chat_values
from pages.parts.state import values
from pages.parts.state.links import LINK_LENGTH, OWN
from pages.parts.state.values import LARGEST, value
from pages.parts.texts.corpora import YOUR_TEXT
from pages.parts.texts.examples import EXAMPLES
from pages.parts.vocabularies import tokenizer_keys

SideName = Literal["left", "right"]
SIDES: tuple[SideName, SideName] = ("left", "right")
WINDOWS = ("4096", "8192", "32768", "128000", "200000", "1000000")  # context windows, in tokens


@dataclass(frozen=True)
class PageState:
    """The state of a page: what its widgets and views show. `PAGE`: the page's name in the session."""

    PAGE: ClassVar[str] = ""


def corpus_value(example: str) -> Any:
    """Declare the field for the choice of a text. `example`: the key of the example that the page begins with."""
    known = choice(*EXAMPLES, OWN)

    def read(given: str) -> str:
        return OWN if given in ("paste", "upload") else known.read(given)

    return value(example, "example", read, shared=True)


def start_value(side: SideName | Literal[""] = "") -> Any:
    """Declare the field for what a training starts from, such as a tokenizer: see `tokenizer_keys.start`."""
    return values.setting("start", "none", side, tokenizer_keys.start, set_here=True)


@dataclass(frozen=True)
class WithText(PageState):
    """The state of a page about a text: an example, or the visitor's own text ("your text").

    `corpus`: the key of an example, or `OWN` for the text in the field `text`. `text_name`: the name of the file that
    your text is from. `text_problem`: why the last file could not be opened; "" if there was no problem.
    """

    corpus: str = corpus_value(next(iter(EXAMPLES)))
    text: str = values.text(LINK_LENGTH, "your text", shared=True)
    text_name: str = values.unlinked(YOUR_TEXT, shared=True, stays=False)
    text_problem: str = values.unlinked("", shared=True, stays=False)


@dataclass(frozen=True)
class WithFilm(PageState):
    """The state of a page with a film, which shows a training step by step.

    `step`: the film's step. `version`: a number that rises when the page sets the step (`film_player.go`); the film
    adopts that step once. `shown`: a key of the film's training.
    """

    step: int = values.number(0, 0, LARGEST, "step", live=True)
    version: int = values.unlinked(0)
    shown: Any = values.unlinked(None, stays=False)


@dataclass(frozen=True)
class WithTokens(WithText):
    """The state of a page with the view of a text's tokens.

    `token`: the index of the first symbol of the chosen token; -1 for none. `subject`: the text and the vocabulary in
    the view. `changes`: how often the subject changed. `request`: the number of the view's last request.
    """

    step: int = values.number(LARGEST, 0, LARGEST, "step", live=True)
    ids: str = values.one_of("yes", ("yes", "list", "no"), "Ids", live=True)
    marks: bool = values.yes_or_no(True, "Show spaces as · and line ends as ⏎", live=True)
    window: str = values.one_of("128000", WINDOWS, "context window", live=True)
    price: str = value("", "price per million", values.amount, live=True)
    letters: bool = values.yes_or_no(False, "Letters", live=True)
    letter: str = value("r", "letter to count", values.letter, live=True)
    token: int = values.number(-1, 0, LARGEST, "token", live=True)
    subject: Any = values.unlinked(None, stays=False)
    changes: int = values.unlinked(0)
    request: int = values.unlinked(0)


@dataclass(frozen=True)
class WithChat(PageState):
    """The state of a page that shows a chat. All such pages share the chat.

    `turns`: the turns as JSON. `chat_template`: a key of `CHAT_TEMPLATES`, `FITTING` or `OWN_TEMPLATE`.
    `own_template`: a pasted template. `answer`: whether the beginning of an answer ends the chat. `chat_changes`: how
    often turns were added, removed or pasted. `pasting_template`, `pasting_turns`: whether the menu with the box to
    paste into is open.
    """

    turns: str = value(chat_values.FIRST, "your chat", chat_values.read, live=True, shared=True, most=LINK_LENGTH)
    chat_template: str = value(chat_values.FITTING, "Chat template", values.key, live=True, shared=True, set_here=True)
    own_template: str = value(
        "", "your chat template", chat_values.read_template, live=True, shared=True, set_here=True, most=LINK_LENGTH
    )
    answer: bool = values.yes_or_no(True, "Begin the answer", live=True, shared=True)
    chat_changes: int = values.unlinked(0, shared=True)
    pasting_template: bool = values.unlinked(False, widget=True)
    pasting_turns: bool = values.unlinked(False, widget=True)


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


def training_value() -> Any:
    """Declare the field `training`.

    Texts get room in a link in the order of their fields. So each page declares this field at its own place.
    """
    return values.text(LINK_LENGTH, "the text that the vocabulary was trained on", live=True)


@dataclass(frozen=True)
class Start(WithTokens):
    """The state of the start page."""

    PAGE = "start"
    corpus: str = corpus_value("bytes-into-words")


def of_side(side: str, name: str) -> str:
    """Return the name that a setting has on one side of a comparison.

    >>> of_side("left", "alphabet"), of_side("", "alphabet")
    ('left_alphabet', 'alphabet')
    """
    return f"{side}_{name}" if side else name
