"""The values of Algorithms, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bpe_core import Settings
from bpe_core.settings import PretokenizerKey
from pages.parts.state import values
from pages.parts.state.page_states import WithFilm, WithText, corpus_value
from pages.parts.state.values import DEFAULT_PATTERN, ChosenSettings, value
from pages.parts.texts.corpora import WORD_CHARACTERS
from pages.parts.texts.examples import EXAMPLES

MOST_ENTRIES = 10_000  # the largest vocabulary on the Algorithms page


def _fitting(index: int, declare: Callable[..., Any]) -> Any:
    """Declare a value whose default depends on the example.

    `index`: the index of the default in `Example.algorithms`. `declare`: a function that returns the declared value.
    Its arguments are the default for the example that the page begins with, and the defaults for all examples by key.
    """
    fits = {key: row.algorithms[index] for key, row in EXAMPLES.items() if row.algorithms}
    return declare(fits["cats-eat"], fits)


@dataclass(frozen=True)
class Algorithms(WithFilm, WithText):
    """The state of Algorithms.

    `sentence`: a text to tokenize. `word`: a word to segment. `round`: the round of Unigram's training that is shown.
    """

    PAGE = "algorithms"
    corpus: str = corpus_value("cats-eat")
    pretokenizer: PretokenizerKey = values.setting("pretokenizer", "whitespace")
    pattern: str = values.setting("pattern", DEFAULT_PATTERN)
    vocab_size: int = _fitting(
        0,
        lambda default, fits: values.number(default, 1, MOST_ENTRIES, "Vocabulary size", fits=fits, set_here=True),
    )
    view: str = value("compare", "View", values.key, live=True)
    sentence: str = _fitting(
        1,
        lambda default, fits: values.text(
            1000, "text to tokenize", default=default, fits=fits, live=True, set_here=True
        ),
    )
    round: int = values.number(0, 0, 1000, "round", live=True)
    word: str = _fitting(
        2,
        lambda default, fits: values.text(
            WORD_CHARACTERS, "word", default=default, fits=fits, live=True, set_here=True
        ),
    )

    def settings(self) -> Settings:
        """Return the settings of all models; raise `SettingsError` or `PatternError` if no training can use them."""
        return ChosenSettings(
            self.pretokenizer, "characters", vocab_size=self.vocab_size, pattern=self.pattern
        ).checked()
