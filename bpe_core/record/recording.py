"""Training: from a text, or from counted pretokens, to a `Run`, the record of the training."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

import numpy as np

from bpe_core.corpus.counting import Progress, count_pretokens
from bpe_core.corpus.text_files import Text
from bpe_core.corpus.text_files import corpus as corpus_of
from bpe_core.record.run import Run
from bpe_core.settings import Settings
from bpe_core.text.alphabet import flatten
from bpe_core.training.trainer import Trainer

USUAL = Settings()


def train_counts(counts: Mapping[str, int], settings: Settings, progress: Progress | None = None) -> Run:
    """Train on counted pretokens, in the order of the mapping.

    Raises `SettingsError` if the vocabulary is smaller than the alphabet. `progress(phase, done, total)` is called
    again and again; it may raise an error to cancel the training.

    >>> train_counts({"hug": 10, "pug": 5}, Settings(vocab_size=257)).merges[0]
    Merge(left=b'u', right=b'g', token=b'ug', count=15, tied=1)
    """
    for word, count in counts.items():
        if not isinstance(word, str) or not isinstance(count, (int, np.integer)) or count < 1:
            raise ValueError(f"a word is a str and its count is 1 or more; this is {word!r:.60}: {count!r:.30}")
    return _record(counts, settings, progress)


def _record(
    counts: Mapping[str, int], settings: Settings, progress: Progress | None, texts: tuple[str, ...] | None = None
) -> Run:
    words = tuple(counts)
    flat = flatten(words, settings.alphabet, settings.word_marker)
    film = Trainer(flat, list(counts.values()), settings).run(progress)
    return Run(settings, words, np.fromiter(counts.values(), np.int64, len(counts)), flat, film, texts)


def train(
    texts: Text | os.PathLike[str] | Iterable[Text | os.PathLike[str]],
    settings: Settings = USUAL,
    progress: Progress | None = None,
    workers: int = 1,
    dask: str = "",
) -> Run:
    """Train on one text or several. Errors and `progress`: as for `train_counts`.

    A `Path` or a `TextFile` is read in blocks and may be larger than memory; it raises `TextError` if it is not UTF-8.
    So does a text that looks like the name of a file, such as "story.txt"; to train on such a text, give it in a tuple.
    `workers`: how many threads count the pretokens; `dask`: the address of a cluster whose workers count instead. The
    run is the same.

    >>> train("aaaa", Settings("none", vocab_size=300)).words(1)
    [((b'aa', b'aa'), 1)]
    """
    if not isinstance(settings, Settings):
        raise TypeError(f"settings are a Settings, such as Settings(vocab_size=300); this is {type(settings).__name__}")
    texts = corpus_of(texts)
    known = (texts,) if isinstance(texts, str) else tuple(texts) if isinstance(texts, (list, tuple)) else None
    if known and not all(isinstance(text, str) for text in known):
        known = None  # the text of a file is not stored
    return _record(count_pretokens(texts, settings, progress, workers, dask), settings, progress, known)


def train_with_index(texts: str | Iterable[str], settings: Settings, progress: Progress | None = None) -> Run:
    """Train on texts, whatever they look like, and compute the pair counts of all steps at once."""
    run = train((texts,) if isinstance(texts, str) else tuple(texts), settings, progress)
    if progress:
        progress("indexing", 0, 1)
    run.index()
    return run
