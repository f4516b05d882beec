"""The values of Train, typed. A field declares all that is known about its value: see `state.values`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bpe_core.corpus.sources import MOST_MARKED
from bpe_core.pictures.film.word_window import SORTS
from bpe_core.settings import Alphabet, PretokenizerKey, WordMarker, suitable_marker
from bpe_core.text.alphabet import GLYPHS
from pages.parts.state import values
from pages.parts.state.chosen_settings import ChosenSettings
from pages.parts.state.page_states import WithFilm, WithOpening, WithText, WithView, corpus_value
from pages.parts.state.values import changed, value

STAGES = ("start", "first", "last")  # the stages of a training that starts from tokens, or later crosses words


@dataclass(frozen=True)
class Train(WithFilm, WithOpening, ChosenSettings, WithView, WithText):
    """The state of Train.

    `words`: what to search for among the film's words. `sort`: the order of the film's words. `stage`: which stage of
    the training is shown. The step decides, unless the stage is "start"; a step that two stages share is in the stage
    that was shown. `find`: what to search for in the view below the film. `tried`: a text to tokenize. `without`: which
    source is taken out, from 1; 0 for none.
    `marker_chosen`: whether the visitor or a link chose a word marker that does not follow from the split; None until
    the page is open.
    """

    PAGE = "train"
    FOLLOWS_TYPING = True
    corpus: str = corpus_value("newest-widest")
    pretokenizer: PretokenizerKey = "whitespace"
    alphabet: Alphabet = "characters"
    word_marker: WordMarker = "end"
    marker_chosen: bool | None = values.unlinked(None, stays=False)
    stage: str = values.one_of("last", STAGES, "Stage")
    glyph: str = values.one_of("_", GLYPHS, "Marker symbol")
    words: str = values.text(100, "Find in words")
    sort: str | None = values.one_of(None, SORTS, "Sort the words")
    view: str = value("vocabulary", "View", values.key)
    find: str = values.text(100, "Find")
    without: int = values.number(0, 0, MOST_MARKED, "Take a source out")
    tried: str = values.text(100, "text to try", name="try")


def with_split(now: Train, pretokenizer: str) -> Train:
    """Return the state with another split, and with the word marker that suits the split.

    >>> with_split(Train(), "gpt2").word_marker
    'none'
    """
    return with_suitable_marker(changed(now, {"pretokenizer": pretokenizer}))


def with_suitable_marker(now: Train) -> Train:
    """Return the state with the word marker that suits the split, unless the visitor chose a marker."""
    return now if now.marker_chosen else replace(now, word_marker=suitable_marker(now.pretokenizer))
