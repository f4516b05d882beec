"""The stages of a training: one, or two that split the text in different ways.

The second stage goes on from the tokens of the first stage. Each stage has a record of its own.

    settings       gpt2, vocabulary size 10,000, across words from 5,000
    first stage    gpt2, vocabulary size 5,000                       starts from bytes
    second stage   lines, vocabulary size 10,000                     starts from the first stage's tokenizer
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from bpe_core import arguments, by_name
from bpe_core.by_name import GivenTokenizer
from bpe_core.corpus.counting import Progress, WordCounts, count_words
from bpe_core.corpus.sources import SourceCounts, checked, count_sources, together
from bpe_core.corpus.text_files import Text, Texts, whole_texts
from bpe_core.corpus.text_files import corpus as corpus_of
from bpe_core.record import start_tokens as starts
from bpe_core.record.run import Run, Stage, within_words
from bpe_core.settings import GIVEN, STARTS, ForcedPairError, Settings, SettingsError
from bpe_core.text.alphabet import flatten
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.training.loops import trainer_for

Counted = tuple[WordCounts, SourceCounts | None]
Counting = Callable[[Settings], Counted]  # from the settings of a stage to its words, their counts and their sources


def trained_on_counts(
    counts: Mapping[str, int],
    by_source: Mapping[str, Mapping[str, int]],
    settings: Settings,
    progress: Progress | None,
    start: GivenTokenizer | None,
) -> Run:
    """Train on counted pretokens. `by_source`: the counts of several sources, which take the place of `counts`."""
    counted: Counted
    if by_source:
        counted = together(tuple(checked(by_source)), [*map(WordCounts.of, by_source.values())])
    else:
        counted = WordCounts.of(counts), None
    return _Training(lambda _: counted, settings, progress).run(start)


def trained_on_texts(
    texts: Texts | Mapping[str, Texts],
    settings: Settings,
    progress: Progress | None,
    workers: int,
    dask: str,
    start: GivenTokenizer | None,
) -> Run:
    """Count the pretokens of texts, or of the texts of several sources, and train on them."""
    given = checked(texts) if isinstance(texts, Mapping) else {"": texts}
    sources = {name: corpus_of(each) for name, each in given.items()}
    if settings.then_across_words_from:  # a training in two stages reads the texts twice
        sources = {name: [*whole_texts(each)] for name, each in sources.items()}
    known = [found for each in sources.values() if (found := _known(each)) is not None]
    numbers = tuple(map(len, known)) if len(known) == len(sources) else ()

    def count(stage: Settings) -> Counted:
        if not isinstance(texts, Mapping):
            return count_words(sources[""], stage, progress, workers, dask), None
        words, by_source = count_sources(sources, stage, progress, workers, dask)
        return words, by_source._replace(texts=numbers)

    return _Training(count, settings, progress, tuple(chain(*known)) if numbers else None).run(start)


def _known(texts: Text | Iterable[Text]) -> tuple[str, ...] | None:
    """Return the texts of a corpus, if they are in memory."""
    if isinstance(texts, str):
        return (texts,)
    found = tuple(texts) if isinstance(texts, (list, tuple)) else None
    if found and not all(issubclass(kind, str) for kind in set(map(type, found))):
        return None  # the text of a file is not stored
    return found


@dataclass(frozen=True)
class _Training:
    """A training of one stage or of two. `texts`: the corpus, if known."""

    count: Counting
    settings: Settings
    progress: Progress | None = None
    texts: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Raise an error for a value that is no progress."""
        arguments.function(self.progress, "progress")

    def run(self, start: GivenTokenizer | None) -> Run:
        """Train, and return the run of all stages."""
        settings, start = _begun(self.settings, start)
        if start is not None:
            starts.stage_settings(settings, start)  # raises before all else if the vocabulary is too small
        if not settings.then_across_words_from:
            return Run(settings, (self._stage(settings, start),))
        begun, first = self._within_words(settings, start)
        apart = {} if start is None else start.special_tokens  # new special tokens come after all merges
        across = replace(starts.across_words(begun, settings.then_split_by), special_tokens=apart)
        done = first.steps if first else 0
        forced = {step - done: pair for step, pair in settings.forced.items() if step > done}
        try:
            second = self._stage(replace(settings, forced=forced), across)
        except ForcedPairError as error:  # the error's step is counted in the second stage
            step = done + error.step
            raise ForcedPairError.of(settings.forced[step], step) from None
        return Run(settings, (first, second) if first else (second,))

    def _within_words(self, settings: Settings, start: Tokenizer | None) -> tuple[Tokenizer, Stage | None]:
        """Return the tokenizer that the second stage starts from, and the record of the first stage.

        There is no first stage (None) if the start already has `then_across_words_from` tokens. Raises `SettingsError`
        if the start has more tokens than that.
        """
        size, base = settings.then_across_words_from, start.vocab_size if start is not None else 0
        if start is not None and base == size:
            return start, None
        try:
            first = self._first_stage(within_words(settings, size - base), start)
        except SettingsError as error:
            if error.least is None:
                raise
            reason = str(error).removeprefix("vocab_size")
            raise SettingsError(f"then_across_words_from{reason}") from None
        return first.tokenizer(), first

    def _first_stage(self, settings: Settings, start: Tokenizer | None) -> Stage:
        """Return the record of the first stage. The second stage handles forced pairs after the end of the first."""
        try:
            return self._stage(settings, start)
        except ForcedPairError as error:
            before = {step: pair for step, pair in settings.forced.items() if step < error.step}
            first = self._stage(replace(settings, forced=before), start)
            if first.steps >= error.step:
                raise
            return first

    def _stage(self, settings: Settings, start: Tokenizer | None) -> Stage:
        """Train one stage, and return its record."""
        across = settings.then_across_words_from
        settings = starts.stage_settings(settings, start) if start is not None else settings
        (words, counts), by_source = self.count(settings)
        if across:
            starts.check_size(words)
        if start is not None:
            flat = starts.symbols_from(words, start)
            room = settings.vocab_size - len(flat.tokens) - len(settings.special_tokens) + len(start.special_tokens)
        else:
            flat, room = flatten(words, settings.alphabet, settings.word_marker), None
        lifetimes = trainer_for(flat, counts, settings, room).run(self.progress)
        begun = replace(start) if start is not None else None  # a copy without cached values
        return Stage(settings, words, counts, flat, lifetimes, self.texts, begun, by_source)


def _begun(settings: Settings, start: GivenTokenizer | None) -> tuple[Settings, Tokenizer | None]:
    """Return the settings, and the tokenizer to start from, if any.

    With a `start`, the settings have `start=GIVEN`, or the name of a vocabulary that ships.
    """
    if start is not None:
        key = _shipped(start) if settings.start == "none" else None
        if key in STARTS:
            settings, start = replace(settings, start=key), None  # type: ignore[arg-type]  # a key of `STARTS`
        else:
            start = by_name.opened(start)
    if start is None:
        if settings.start == GIVEN:
            raise SettingsError("start is 'given', and no tokenizer is: call train(…, start=tokenizer)")
        start = by_name.opened(settings.start) if settings.start != "none" else None
    elif settings.start in ("none", GIVEN):
        settings = replace(settings, start=GIVEN)
    else:
        raise SettingsError(f"there are two starts: the setting {settings.start!r} and a tokenizer; give one")
    return settings, start if start is None else starts.usable(start)


def _shipped(start: GivenTokenizer) -> str | None:
    """Return the name of the vocabulary that ships, if the start is one by its name."""
    row = by_name.published(start) if isinstance(start, str) else None
    return row.name if row else None
