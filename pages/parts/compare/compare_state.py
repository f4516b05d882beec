"""The values of Compare, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core.settings import AcrossKey, Alphabet, NormalizerKey, PretokenizerKey, WordMarker
from bpe_core.ties import TieRuleKey
from pages.parts.state import values
from pages.parts.state.links import LINK_LENGTH
from pages.parts.state.page_states import SideName, WithFilm, WithText, corpus_value, of_side, start_value
from pages.parts.state.values import DEFAULT_PATTERN, ChosenSettings, value
from pages.parts.texts.examples import EXAMPLES

FITTING, ITSELF, PASTE = "fitting", "itself", "paste"  # the keys of the held-out texts that are no examples


@dataclass(frozen=True)
class Compare(WithFilm, WithText):
    """The state of Compare. Both trainings (its sides) share the vocabulary size. Other settings have a value for each.

    `held_out`: the key of the held-out text (see `held_out.held_out`). `held_text`: your own held-out text.
    """

    PAGE = "compare"
    corpus: str = corpus_value("my-dog")
    left_pretokenizer: PretokenizerKey = values.setting("pretokenizer", "whitespace", "left")
    right_pretokenizer: PretokenizerKey = values.setting("pretokenizer", "gpt2", "right")
    left_pattern: str = values.setting("pattern", DEFAULT_PATTERN, "left")
    right_pattern: str = values.setting("pattern", DEFAULT_PATTERN, "right")
    left_normalizers: tuple[NormalizerKey, ...] = values.setting("normalizers", (), "left")
    right_normalizers: tuple[NormalizerKey, ...] = values.setting("normalizers", (), "right")
    left_alphabet: Alphabet = values.setting("alphabet", "characters", "left")
    right_alphabet: Alphabet = values.setting("alphabet", "characters", "right")
    left_word_marker: WordMarker = values.setting("word_marker", "none", "left")
    right_word_marker: WordMarker = values.setting("word_marker", "none", "right")
    left_tie_rule: TieRuleKey = values.setting("tie_rule", "first-seen", "left")
    right_tie_rule: TieRuleKey = values.setting("tie_rule", "first-seen", "right")
    left_min_count: int = values.setting("min_count", 1, "left")
    right_min_count: int = values.setting("min_count", 1, "right")
    left_start: str = start_value("left")
    right_start: str = start_value("right")
    left_then_across_words_from: int = values.setting("then_across_words_from", 0, "left")
    right_then_across_words_from: int = values.setting("then_across_words_from", 0, "right")
    left_then_split_by: AcrossKey = values.setting("then_split_by", "line", "left")
    right_then_split_by: AcrossKey = values.setting("then_split_by", "line", "right")
    vocab_size: int = values.setting("vocab_size", 300, set_here=True)
    held_out: str = values.one_of(FITTING, [FITTING, ITSELF, *EXAMPLES, PASTE], "Held-out text", live=True, name="held")
    held_text: str = values.text(LINK_LENGTH, "your held-out text")
    all_words: bool = values.yes_or_no(False, "All words")  # chosen above the views
    spaces: bool = values.yes_or_no(False, "Spaces", live=True)
    unit: str = values.one_of("tokens", ("tokens", "characters each"), "Unit", live=True)
    view: str = value("merges", "View", values.key, live=True)
    find: str = values.text(100, "Find", live=True)

    def chosen(self, side: SideName) -> ChosenSettings:
        """Return the settings of one side, unchecked."""
        names = [name for name in values.rows(ChosenSettings) if hasattr(self, of_side(side, name))]
        chosen = {name: getattr(self, of_side(side, name)) for name in names}
        return ChosenSettings(vocab_size=self.vocab_size, **chosen)
