"""The values of Tokens, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

from pages.parts.state import values
from pages.parts.state.links import LINK_LENGTH
from pages.parts.state.page_states import WithOthers, WithText, corpus_value
from pages.parts.state.values import LARGEST, value
from pages.parts.texts.examples import SENTENCES

WINDOWS = ("4096", "8192", "32768", "128000", "200000", "1000000")  # context windows, in tokens


@dataclass(frozen=True)
class Tokens(WithOthers, WithText):
    """The state of Tokens, the page at `/`.

    `OPTIONS`: the values that a visitor chooses in the view of tokens. A control in the view's markup names its value.

    `step`: how many merges the view of tokens shows. `ids`: "yes" shows the ids under the tokens, "list" in a list of
    their own, "no" nowhere. `window`: how many tokens a context window has. `price`: the typed price of a million
    tokens. `letters`: whether the letters of each token are written under it. `letter`: the letter to count; "" for
    none.

    `token`: the index of the first symbol of the chosen token; -1 for none. `subject`: the text and the vocabulary in
    the view. `changes`: how often the subject changed. `request`: the number of the view's last request.

    `compared`: what Models compares. `sentences`: a sentence in several languages, a line for each language.

    `word`: the word whose letters are shown; "" for the longest word of your text. `end`: a prompt's length in
    characters; -1 for the end that the view finds: the last one that cuts a token if `cut` is true, else the end of the
    text's last space.
    """

    PAGE = "tokens"
    NEEDS_WORD = False
    FOLLOWS_TYPING = True
    OPTIONS: ClassVar = ("ids", "marks", "window", "price", "letters", "letter")
    corpus: str = corpus_value("bytes-into-words")
    specials: bool = values.yes_or_no(True, "Special tokens")
    view: str = value("tokens", "View", values.key)
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
    compared: str = values.one_of("text", ("text", "languages", "scorecard"), "What is compared")
    sentences: str = values.text(LINK_LENGTH, "your list of sentences", default=SENTENCES)
    word: str = values.text(40, "word")
    end: int = values.number(-1, -1, LARGEST, "end of the prompt")
    cut: bool = values.yes_or_no(True, "End inside a token")
