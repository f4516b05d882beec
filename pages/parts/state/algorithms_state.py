"""The values of Algorithms, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core import Settings
from bpe_core.settings import PretokenizerKey
from pages.parts.state import values
from pages.parts.state.chosen_settings import DEFAULT_PATTERN, ChosenSettings
from pages.parts.state.page_states import WithFilm, WithText, WithView, corpus_value
from pages.parts.state.values import value
from pages.parts.texts.corpora import WORD_CHARACTERS
from pages.parts.texts.examples import EXAMPLES

MOST_ENTRIES = 10_000  # the largest vocabulary on the Algorithms page


# The values that suit each example, by the example's key.
_SIZES = {key: row.algorithms[0] for key, row in EXAMPLES.items() if row.algorithms}
_SENTENCES = {key: row.algorithms[1] for key, row in EXAMPLES.items() if row.algorithms}
_WORDS = {key: row.algorithms[2] for key, row in EXAMPLES.items() if row.algorithms}
FIRST = "cats-eat"  # the example that the page begins with


@dataclass(frozen=True)
class Algorithms(WithFilm, WithView, WithText):
    """The state of Algorithms.

    `sentence`: a text to tokenize. `word`: a word to segment. `round`: the round of Unigram's training that is shown.
    """

    PAGE = "algorithms"
    corpus: str = corpus_value(FIRST)
    pretokenizer: PretokenizerKey = values.setting("pretokenizer", "whitespace")
    pattern: str = values.setting("pattern", DEFAULT_PATTERN)
    vocab_size: int = values.number(_SIZES[FIRST], 1, MOST_ENTRIES, "Vocabulary size", fits=_SIZES)
    view: str = value("compare", "View", values.key)
    sentence: str = values.text(1000, "text to tokenize", _SENTENCES[FIRST], fits=_SENTENCES)
    round: int = values.number(0, 0, 1000, "round")
    word: str = values.text(WORD_CHARACTERS, "word", _WORDS[FIRST], fits=_WORDS)

    def settings(self) -> Settings:
        """Return the settings of all models; raise `SettingsError` or `PatternError` if no training can use them."""
        return ChosenSettings(
            self.pretokenizer, "characters", vocab_size=self.vocab_size, pattern=self.pattern
        ).checked()
