"""The sources of a corpus: how a text marks them, and how often each word occurs in each source.

=== source: English ===         a line says where a source begins
The cat drinks tea.
=== source: Hindi ===
बिल्ली दूध पीती है।

words           the | न | def           the different words of all sources, in the order in which they are first seen
English          5  | 0 |  1
Hindi            0  | 4 |  0
Python           1  | 0 |  7
together         6  | 4 |  8            what a training goes by
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import NamedTuple, TypeVar

import numpy as np

from bpe_core.corpus.counting import Progress, WordCounts, count_words, size_of
from bpe_core.corpus.text_files import Text
from bpe_core.settings import Settings
from bpe_core.text.alphabet import without_surrogates
from bpe_core.text.arrays import Counts
from bpe_core.text.byte_strings import joined

MOST_SOURCES = 256  # the table of counts has a row for each source
LONGEST_NAME = 100  # characters
MOST_MARKED = 12  # sources that a text marks; there is a colour for each
LONGEST_MARKED = 40  # characters of a name that a text gives
BEGINNING = "(beginning)"  # the name of the text before the first line of this kind
Part = TypeVar("Part")
_LINE = re.compile(r"^=== source: (\S.*?) ===[ \t]*\r?(?:\n|\Z)", re.MULTILINE)


def marked_sources(text: str) -> dict[str, str] | None:
    r"""Return the sources of a text by name, without the lines that mark them; None if there is no such line.

    Two sources with one name are one source. Of more than `MOST_MARKED` sources, the last ones become one. Names are
    as `distinct_names` writes them.

    >>> marked_sources("=== source: en ===\ntea\n=== source: hi ===\nचाय\n")
    {'en': 'tea\n', 'hi': 'चाय\n'}
    >>> marked_sources("no such line")
    """
    before, *marked = _LINE.split(text)
    if not marked:
        return None
    found = {BEGINNING: before} if before.strip() else {}
    for name, part in zip(marked[::2], marked[1::2], strict=True):
        found[name] = found.get(name, "") + part
    names, texts = [*found], [*found.values()]
    if len(found) > MOST_MARKED:
        names[MOST_MARKED - 1 :] = [f"{len(found) - MOST_MARKED + 1:,} others"]
        texts[MOST_MARKED - 1 :] = ["".join(texts[MOST_MARKED - 1 :])]
    return dict(zip(distinct_names(names), texts, strict=True))


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return the names of sources, cut to `LONGEST_MARKED` characters and without lone surrogates.

    Names that are alike then get a number.

    >>> distinct_names(["notes.txt", "letter.txt", "notes.txt"])
    ['notes.txt 1', 'letter.txt', 'notes.txt 2']
    """
    short = [without_surrogates(name[:LONGEST_MARKED], "\ufffd") for name in names]
    found: list[str] = []
    for name in short:
        if short.count(name) > 1:
            numbered = (f"{name[: LONGEST_MARKED - len(end)]}{end}" for end in (f" {number}" for number in count(1)))
            name = next(each for each in numbered if each not in found and each not in short)
        found.append(name)
    return found


def marked(sources: dict[str, str]) -> str:
    r"""Return one text with all sources, each after the line that marks it.

    >>> marked({"en": "tea", "hi": "चाय"})
    '=== source: en ===\ntea\n=== source: hi ===\nचाय\n'
    """
    return "".join(f"=== source: {name} ===\n{text.removesuffix(chr(10))}\n" for name, text in sources.items())


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
    bpe_core.corpus.sources.SourceError: a source has a name of 1 to 100 characters, and not ''
    """
    if not sources:
        raise SourceError("there are no sources: give at least one, such as {'English': text}")
    if len(sources) > MOST_SOURCES:
        raise SourceError(f"{len(sources):,} sources are too many; a training takes up to {MOST_SOURCES}")
    for name in sources:
        if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
            raise SourceError(f"a source has a name of 1 to {LONGEST_NAME} characters, and not {name!r:.110}")
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
    done, size = 0, 0 if None in sizes else sum(filter(None, sizes))
    tables = []

    def of_all(phase: str, part: int, _: int) -> None:
        if progress:
            progress(phase, done + part, size)

    for number, texts in enumerate(sources.values()):
        tables.append(count_words(texts, settings, of_all if progress else None, workers, dask))
        done += (sizes[number] or 0) if progress else 0
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
