"""Training: from a text, or from counted pretokens, to a `Run`, the record of the training.

A training has one stage, or two: see `stages`. What a training needs is imported when one begins. So a program that
imports `train` and does not use it begins as fast as without.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from bpe_core.arguments import is_whole
from bpe_core.settings import Settings, SettingsError

if TYPE_CHECKING:
    from bpe_core.by_name import GivenTokenizer
    from bpe_core.corpus.counting import Progress
    from bpe_core.corpus.text_files import Texts
    from bpe_core.record.run import Run
    from bpe_core.tokenizer.tokenizer import Tokenizer

USUAL = Settings()
MOST_SYMBOLS = 1 << 62  # symbols of a corpus: a pair is counted in 64 bits


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

    >>> from bpe_core import Settings, train_counts
    >>> train_counts({"hug": 10, "pug": 5}, Settings(vocab_size=257)).merges[0]
    Merge(left=b'u', right=b'g', token=b'ug', count=15, tied=1)
    """
    if not isinstance(counts, Mapping):
        raise TypeError(f"counted words are a mapping such as a Counter, and this is {type(counts).__name__}")
    by_source = {name: part for name, part in counts.items() if isinstance(part, Mapping)}
    symbols = 0
    for table in [*by_source.values()] if by_source and len(by_source) == len(counts) else [counts]:
        for word, count in table.items():
            if not isinstance(word, str) or not is_whole(count) or count < 1:
                raise ValueError(f"a word is a str and its count is 1 or more; this is {word!r:.60}: {count!r:.30}")
            symbols += (4 * len(word) + 1) * int(count)  # at most, with a marker
    if symbols > MOST_SYMBOLS:
        raise ValueError(f"the counted words have up to {symbols:.2g} symbols, and {MOST_SYMBOLS:.2g} can be counted")
    check_settings(settings)
    if settings.then_across_words_from:
        raise SettingsError("then_across_words_from needs the text, and counted words do not say which of them touch")
    from bpe_core.record import stages

    return stages.trained_on_counts(counts, by_source, settings, progress, start)  # type: ignore[arg-type]  # of no source


def check_settings(settings: object) -> None:
    """Raise `TypeError` for a value that is no `Settings`."""
    if not isinstance(settings, Settings):
        raise TypeError(f"settings are a Settings, such as Settings(vocab_size=300); this is {type(settings).__name__}")


def train(
    texts: Texts | Mapping[str, Texts],
    settings: Settings = USUAL,
    progress: Progress | None = None,
    workers: int = 1,
    dask: str = "",
    start: GivenTokenizer | None = None,
) -> Run:
    """Train on one text or several. Errors and `progress`: as for `train_counts`.

    A `Path` or a `TextFile` is read in blocks and may be larger than memory. A file that is neither UTF-8 nor marked as
    UTF-16 or UTF-32 raises `TextError`. A text that looks like the name of a file, such as "story.txt", raises
    `TextError` as well; to train on such a text, give it in a tuple. `workers`: how many threads count the pretokens.
    `dask`: the address of a cluster whose workers count in place of threads. Neither `workers` nor `dask` changes the
    run.

    `start`: a tokenizer from whose tokens training starts, or what `load` takes; `Run.settings` then has
    `start="given"`, or the name of a vocabulary that ships. The tokens of the tokenizer keep their ids and its merges
    their ranks; the new merges rank after them. The text is split as the tokenizer splits it, whatever the settings
    say, and `vocab_size` includes the tokenizer's tokens. A tokenizer that has no merges or rules of its own raises
    `MergesError`, and one that drops text `SettingsError`. With `Settings.then_across_words_from` the training has two
    stages: see `Run`.

    `texts` may also be several sources, each a name with its text or texts: `{"English": texts, "Hindi": texts}`. The
    training is the same as on all texts in this order. `Run.sources`, `Run.birth`, `Run.merge_sources` and
    `Run.pair_sources` then have their counts by source. Raises `SourceError` for too many sources or an empty name.

    >>> from bpe_core import Settings, load, train
    >>> train({"English": "low low lower", "French": "loi"}, Settings("whitespace", vocab_size=258)).birth(b"low")
    {'English': 3, 'French': 0}
    >>> train("a parrot, two parrots", Settings(vocab_size=50258), start=load("gpt2")).merges[0]
    Merge(left=b' par', right=b'rot', token=b' parrot', count=1, tied=2)
    >>> train("aaaa", Settings("none", vocab_size=300)).words(1)
    [((b'aa', b'aa'), 1)]
    """
    check_settings(settings)
    if type(workers) is not int or workers < 1:
        raise ValueError(f"workers is how many threads count, a whole number from 1, and is {workers!r:.30}")
    from bpe_core.record import stages

    return stages.trained_on_texts(texts, settings, progress, workers, dask, start)


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
