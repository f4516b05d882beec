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
from pages.parts.state import tokenizer_keys, values
from pages.parts.state.links import LINK_LENGTH, OWN
from pages.parts.state.values import LARGEST, value
from pages.parts.texts.corpora import YOUR_TEXT
from pages.parts.texts.examples import EXAMPLES


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
    `NEEDS_WORD`: whether a text without a word counts as empty, as it does on pages that train. `FOLLOWS_TYPING`:
    whether a picture of the page asks by itself for what follows from a typed text, so that the page may hear later.
    """

    NEEDS_WORD: ClassVar[bool] = True
    FOLLOWS_TYPING: ClassVar[bool] = False

    corpus: str = corpus_value(next(iter(EXAMPLES)))
    text: str = values.text(LINK_LENGTH, "your text")
    text_name: str = values.unlinked(YOUR_TEXT, stays=False)
    text_problem: str = values.unlinked("", stays=False)


class WithView(PageState):
    """The state of a page with several views. `view`: the key of the open view.

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


def tokenizer_value(first: str = tokenizer_keys.FAVOURITE, name: str = "") -> str:
    """Declare the field for the choice of a tokenizer.

    `first`: the key of the tokenizer that the page begins with. `name`: the value's name in links; "" for the field's.
    """
    return value(first, "Tokenizer", tokenizer_keys.tokenizer, name=name)


@dataclass(frozen=True)
class WithTokenizer(WithOpening):
    """The state of a page about a tokenizer, which may be the Train page's or an opened one.

    `training`: the training of the Train page's tokenizer, as JSON (see `last_training`).
    """

    tokenizer: str = tokenizer_value()
    training: str = values.text(LINK_LENGTH, "the text that the vocabulary was trained on")


@dataclass(frozen=True)
class WithViewsOfTokenizer(WithTokenizer, WithView):
    """The state of a page with several views of what a tokenizer does."""


@dataclass(frozen=True)
class WithOthers(WithViewsOfTokenizer):
    """The state of a page that compares other tokenizers with its own. `against`: the keys of the others."""

    against: tuple[str, ...] = values.keys(
        tuple(tokenizer_keys.BESIDE),
        "tokenizers side by side",
        tokenizer_keys.tokenizers,
        tokenizer_keys.without_files,
        lambda chosen: tokenizer_keys.tokenizers(" ".join(chosen)),
    )


@dataclass(frozen=True)
class Shared(WithText):
    """The values that all pages share: your text, and the tokenizer.

    `corpus` is "" until the visitor chooses a text: until then each page shows an example of its own. `tokenizer` is ""
    until the visitor chooses one: until then each page begins with its own.
    """

    corpus: str = ""
    tokenizer: str = ""


def _shared_names(page: type[PageState]) -> list[str]:
    """Return the names of the values that a page shares with other pages."""
    text = [each.name for each in fields(WithText)] if issubclass(page, WithText) else []
    return [*text, "tokenizer"] if issubclass(page, WithTokenizer) else text


shared_names = cast("Callable[[type[PageState]], list[str]]", cache(_shared_names))
