"""Counting a corpus of several sources: each word keeps its count in each source.

words           the | न | def           the different words of all sources, in the order in which they are first seen
English          5  | 0 |  1
Hindi            0  | 4 |  0
Python           1  | 0 |  7
together         6  | 4 |  8            what a training goes by
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from bpe_core.corpus.counting import Progress, count_words, size_of
from bpe_core.corpus.text_files import Text
from bpe_core.corpus.word_counts import WordCounts
from bpe_core.settings import Settings
from bpe_core.text.arrays import Counts
from bpe_core.text.byte_strings import joined

MOST_SOURCES = 256  # the table of counts has a row for each source
MOST_NAME = 100  # characters
Part = TypeVar("Part")


class SourceError(ValueError):
    """Sources that cannot be trained on; the message says why."""


class SourceCounts(NamedTuple):
    """How often each word occurs in each source.

    `names`: the names of the sources. `counts`: a row for each source and a column for each word of the corpus.
    `texts`: how many texts each source has, if the texts are known.
    """

    names: tuple[str, ...]
    counts: Counts
    texts: tuple[int, ...] = ()


def checked(sources: Mapping[str, Part]) -> Mapping[str, Part]:
    """Return the sources; raise `SourceError` if there are none or too many, or if a name is not usable.

    >>> checked({"": "some text"})
    Traceback (most recent call last):
        ...
    bpe_core.corpus.source_counts.SourceError: a source has a name of 1 to 100 characters, and not ''
    """
    if not sources:
        raise SourceError("there are no sources: give at least one, such as {'English': text}")
    if len(sources) > MOST_SOURCES:
        raise SourceError(f"{len(sources):,} sources are too many; a training takes up to {MOST_SOURCES}")
    for name in sources:
        if not isinstance(name, str) or not 0 < len(name) <= MOST_NAME:
            raise SourceError(f"a source has a name of 1 to {MOST_NAME} characters, and not {name!r:.110}")
    return sources


def count_sources(
    sources: Mapping[str, Text | Iterable[Text]],
    settings: Settings,
    progress: Progress | None = None,
    workers: int = 1,
    dask: str = "",
) -> tuple[WordCounts, SourceCounts]:
    """Count the words of each source, and all of them together. The parameters are those of `count_words`.

    >>> words, by_source = count_sources({"one": "low low", "two": "lower low"}, Settings("whitespace"))
    >>> words.as_dict(), by_source.counts.tolist()
    ({'low': 3, 'lower': 1}, [[2, 0], [1, 1]])
    """
    sizes = [size_of([text] if isinstance(text, Text) else text) for text in sources.values()] if progress else []
    done, size = 0, sum(sizes) if all(sizes) else 0
    tables = []

    def of_all(phase: str, part: int, _: int) -> None:
        if progress:
            progress(phase, done + part, size)

    for number, texts in enumerate(sources.values()):
        tables.append(count_words(texts, settings, of_all if progress else None, workers, dask))
        done += sizes[number] if progress else 0
    return together(tuple(sources), tables)


def together(names: tuple[str, ...], tables: Sequence[WordCounts]) -> tuple[WordCounts, SourceCounts]:
    """Return the words of several sources with their counts in all, and with their counts in each source.

    >>> one, two = WordCounts.of({"to": 2}), WordCounts.of({"be": 1, "to": 5})
    >>> words, by_source = together(("one", "two"), [one, two])
    >>> words.as_dict(), by_source.counts.tolist()
    ({'to': 7, 'be': 1}, [[2, 0], [5, 1]])
    """
    words, which = joined(table.words for table in tables).numbered()
    counts = np.zeros((len(tables), len(words)), np.int64)
    begin = 0
    for row, table in zip(counts, tables, strict=True):
        row[which[begin : begin + len(table.counts)]] = table.counts  # the words of a table differ
        begin += len(table.counts)
    return WordCounts(words, counts.sum(0)), SourceCounts(names, counts)
