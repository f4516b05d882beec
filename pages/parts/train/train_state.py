"""The values of Train, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core.pictures.film.word_window import SORTS
from bpe_core.settings import AcrossKey, Alphabet, NormalizerKey, PretokenizerKey, WordMarker
from bpe_core.ties import TieRuleKey
from pages.parts.state import values
from pages.parts.state.page_states import WithFilm, WithOpening, WithText, corpus_value, start_value
from pages.parts.state.values import ChosenSettings, value

STAGES = ("start", "first", "last")  # the stages of a training that starts from tokens, or later crosses words


@dataclass(frozen=True)
class Train(WithFilm, WithOpening, ChosenSettings, WithText):
    """The state of Train.

    `words`: what to search for among the film's words. `sort`: the order of the film's words. `stage`: which stage of
    the training is shown. `find`: what to search for in the view below the film. `tried`: a text to tokenize.
    `marker_chosen`: whether the visitor or a link chose a word marker that does not follow from the split; None until
    the page is open.
    """

    PAGE = "train"
    corpus: str = corpus_value("newest-widest")
    pretokenizer: PretokenizerKey = values.setting("pretokenizer", "whitespace", set_here=True)
    alphabet: Alphabet = values.setting("alphabet", "characters", set_here=True)
    word_marker: WordMarker = values.setting("word_marker", "end", set_here=True)
    tie_rule: TieRuleKey = values.setting("tie_rule", "first-seen", set_here=True)
    normalizers: tuple[NormalizerKey, ...] = values.setting("normalizers", (), set_here=True)
    start: str = start_value()  # type: ignore[assignment]  # the start may be a tokenizer that the visitor opened
    then_across_words_from: int = values.setting("then_across_words_from", 0, set_here=True)
    then_split_by: AcrossKey = values.setting("then_split_by", "line", set_here=True)
    marker_chosen: bool | None = values.unlinked(None)
    stage: str = values.one_of("last", STAGES, "Stage")
    glyph: str = values.one_of("_", "_Ġ▁", "Marker symbol")
    words: str = values.text(100, "Find in words", live=True)
    sort: str | None = values.one_of(None, SORTS, "Sort the words", live=True)
    view: str = value("vocabulary", "View", values.key, live=True)
    find: str = values.text(100, "Find", live=True)
    tried: str = values.text(100, "text to try", live=True, name="try")
