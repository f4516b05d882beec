"""The values of Compare, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from bpe_core.settings import Alphabet, PretokenizerKey
from pages.parts.state import values
from pages.parts.state.chosen_settings import ChosenSettings
from pages.parts.state.links import LINK_LENGTH
from pages.parts.state.page_states import WithFilm, WithText, WithView, corpus_value
from pages.parts.state.values import value
from pages.parts.texts.examples import EXAMPLES

# The keys of the held-out texts that are no examples.
FITTING, ITSELF, LAST, PASTE = "fitting", "itself", "last-fifth", "paste"
SideName = Literal["left", "right"]
SIDES: tuple[SideName, SideName] = ("left", "right")


@dataclass(frozen=True)
class Side(ChosenSettings):
    """The settings of one of the two trainings. `NOT_OF_A_SIDE`: the settings that a side does not have."""

    pretokenizer: PretokenizerKey = "whitespace"
    alphabet: Alphabet = "characters"


NOT_OF_A_SIDE = ("vocab_size", "special_tokens", "forced")
RIGHT = Side(pretokenizer="gpt2")


@dataclass(frozen=True)
class Compare(WithFilm, WithView, WithText):
    """The state of Compare. Both trainings (its sides) share the vocabulary size. Each has settings of its own.

    `held_out`: the key of the held-out text (see `held_out.texts`). `held_text`: your own held-out text.
    """

    PAGE = "compare"
    FOLLOWS_TYPING = True
    corpus: str = corpus_value("my-dog")
    left: Side = values.inner(Side(), without=NOT_OF_A_SIDE)
    right: Side = values.inner(RIGHT, without=NOT_OF_A_SIDE)
    vocab_size: int = values.setting("vocab_size", 300)
    held_out: str = values.one_of(FITTING, [FITTING, ITSELF, LAST, *EXAMPLES, PASTE], "Held-out text", name="held")
    held_text: str = values.text(LINK_LENGTH, "your held-out text")
    all_words: bool = values.yes_or_no(False, "All words")  # chosen above the views
    spaces: bool = values.yes_or_no(False, "Spaces")
    unit: str = values.one_of("tokens", ("tokens", "characters each"), "Unit")
    view: str = value("merges", "View", values.key)
    find: str = values.text(100, "Find")

    def chosen(self, name: SideName) -> Side:
        """Return the settings of one side, unchecked."""
        side = self.left if name == "left" else self.right
        return replace(side, vocab_size=self.vocab_size)
