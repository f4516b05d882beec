"""Training: from a text, or from counted pretokens, to a `Run`, the record of the training.

A training has one stage, or two: the second stage splits the text in another way, and goes on from the tokens of the
first stage. Each stage has a record of its own.

    settings       gpt2, vocabulary size 10,000, across words from 5,000
    first stage    gpt2, vocabulary size 5,000                       starts from bytes
    second stage   lines, vocabulary size 10,000                     starts from the first stage's tokenizer
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from bpe_core import arguments, by_name
from bpe_core.by_name import GivenTokenizer
from bpe_core.corpus.counting import Progress, WordCounts, count_words
from bpe_core.corpus.sources import SourceCounts, checked, count_sources, together
from bpe_core.corpus.text_files import Text, Texts, whole_texts
from bpe_core.corpus.text_files import corpus as corpus_of
from bpe_core.record import start_tokens as starts
from bpe_core.record.run import Run, Stage
from bpe_core.settings import GIVEN, STARTS, ForcedPairError, Settings, SettingsError
from bpe_core.text.alphabet import flatten
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.training.loops import trainer_for

USUAL = Settings()
Counted = tuple[WordCounts, SourceCounts | None]
Counting = Callable[[Settings], Counted]  # from the settings of a stage to its words, their counts and their sources


def train_counts(
    counts: Mapping[str, int] | Mapping[str, Mapping[str, int]],
    settings: Settings,
    progress: Progress | None = None,
    start: GivenTokenizer | None = None,
) -> Run:
    """Train on counted pretokens, in the order of the mapping. `start`: as for `train`.

    `counts` may also be the counts of several sources, by name: see `train`.

    Raises `SettingsError` if the vocabulary is smaller than the alphabet. `progress(phase, done, total)` is called
    again and again; it may raise an error to cancel the training.

    >>> train_counts({"hug": 10, "pug": 5}, Settings(vocab_size=257)).merges[0]
    Merge(left=b'u', right=b'g', token=b'ug', count=15, tied=1)
    """
    if not isinstance(counts, Mapping):
        raise TypeError(f"counted words are a mapping such as a Counter, and this is {type(counts).__name__}")
    by_source = {name: part for name, part in counts.items() if isinstance(part, Mapping)}
    for table in [*by_source.values()] if by_source and len(by_source) == len(counts) else [counts]:
        for word, count in table.items():
            if not isinstance(word, str) or not isinstance(count, (int, np.integer)) or count < 1:
                raise ValueError(f"a word is a str and its count is 1 or more; this is {word!r:.60}: {count!r:.30}")
    check_settings(settings)
    if settings.then_across_words_from:
        raise SettingsError("then_across_words_from needs the text, and counted words do not say which of them touch")
    counted: Counted
    if by_source:
        counted = together(tuple(checked(by_source)), [*map(WordCounts.of, by_source.values())])
    else:
        counted = WordCounts.of(counts), None  # type: ignore[arg-type]  # a mapping of counts
    return _Training(lambda _: counted, settings, progress).run(start)


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
        size, base = settings.then_across_words_from, len(starts.base_tokens(start)) if start is not None else 0
        if start is not None and base == size:
            return start, None
        forced = {step: pair for step, pair in settings.forced.items() if step <= size - base}
        own = {"vocab_size": size, "then_across_words_from": 0, "then_split_by": "line", "forced": forced}
        try:
            chosen = replace(settings, **own)  # type: ignore[arg-type]  # one value of each field's type
            first = self._first_stage(chosen, start)
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


def check_settings(settings: object) -> None:
    """Raise `TypeError` for a value that is no `Settings`."""
    if not isinstance(settings, Settings):
        raise TypeError(f"settings are a Settings, such as Settings(vocab_size=300); this is {type(settings).__name__}")


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
    return settings, start if start is None else starts.usable(start.plain())


def _shipped(start: GivenTokenizer) -> str | None:
    """Return the name of the vocabulary that ships, if the start is one by its name."""
    row = by_name.published(start) if isinstance(start, str) else None
    return row.name if row else None


def train(
    texts: Texts | Mapping[str, Texts],
    settings: Settings = USUAL,
    progress: Progress | None = None,
    workers: int = 1,
    dask: str = "",
    start: GivenTokenizer | None = None,
) -> Run:
    """Train on one text or several. Errors and `progress`: as for `train_counts`.

    A `Path` or a `TextFile` is read in blocks and may be larger than memory. A file that is not UTF-8 raises
    `TextError`. A text that looks like the name of a file, such as "story.txt", raises `TextError` as well; to train on
    such a text, give it in a tuple. `workers`: how many threads count the pretokens. `dask`: the address of a cluster
    whose workers count in place of threads. Neither `workers` nor `dask` changes the run.

    `start`: a tokenizer from whose tokens training starts, or what `load` takes; `Run.settings` then has
    `start="given"`, or the name of a vocabulary that ships. The tokens of the tokenizer keep their ids and its merges
    their ranks; the new merges rank after them. The text is split as the
    tokenizer splits it, whatever the settings say, and `vocab_size` includes the tokenizer's tokens. A tokenizer that
    has no merges, drops text or has rules of its own raises `SettingsError`. With `Settings.then_across_words_from` the
    training has two stages: see `Run`.

    `texts` may also be several sources, each a name with its text or texts: `{"English": texts, "Hindi": texts}`. The
    training is the same as on all texts in this order. `Run.sources`, `Run.birth`, `Run.merge_sources` and
    `Run.pair_sources` then have their counts by source. Raises `SourceError` for too many sources or an empty name.

    >>> train({"English": "low low lower", "French": "loi"}, Settings("whitespace", vocab_size=258)).birth(b"low")
    {'English': 3, 'French': 0}
    >>> from bpe_core import load
    >>> train("a parrot, two parrots", Settings(vocab_size=50258), start=load("gpt2")).merges[0]
    Merge(left=b' par', right=b'rot', token=b' parrot', count=1, tied=2)
    >>> train("aaaa", Settings("none", vocab_size=300)).words(1)
    [((b'aa', b'aa'), 1)]
    """
    check_settings(settings)
    if type(workers) is not int or workers < 1:
        raise ValueError(f"workers is how many threads count, a whole number from 1, and is {workers!r:.30}")
    given = checked(texts) if isinstance(texts, Mapping) else {"": texts}
    sources = {name: corpus_of(each) for name, each in given.items()}
    known = [found for each in sources.values() if (found := _known(each)) is not None]
    numbers = tuple(map(len, known)) if len(known) == len(sources) else ()
    if settings.then_across_words_from:  # a training in two stages reads the texts twice
        sources = {name: [*whole_texts(each)] for name, each in sources.items()}

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


def train_with_index(
    texts: str | Iterable[str] | Mapping[str, str],
    settings: Settings,
    progress: Progress | None = None,
    start: Tokenizer | None = None,
) -> Run:
    """Train on texts, and then compute the pair counts of all steps. No text is taken for the name of a file."""
    given: Mapping[str, Texts] | tuple[str, ...]
    if isinstance(texts, Mapping):
        given = {name: (text,) for name, text in texts.items()}
    else:
        given = (texts,) if isinstance(texts, str) else tuple(texts)
    run = train(given, settings, progress, start=start)
    if progress:
        progress("indexing", 0, 1)
    _ = run.ties  # needs the counts of all pairs, the slow part of the first look at a step
    return run
