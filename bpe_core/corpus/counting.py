"""Counting pretokens: the counts are all that training needs of a corpus.

words    to | be | or | not        in the order in which they are first seen, as UTF-8
counts    2 |  2 |  1 |   1

Texts are split and counted in arrays (see `pretoken_arrays`): a long text alone, short texts many at a time. A single
short text is counted as strings. Both ways give the same words in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from bpe_core.corpus.text_batches import batches
from bpe_core.corpus.text_files import Text, TextFile
from bpe_core.corpus.workers import in_order, workers_for
from bpe_core.processes import give_memory_back
from bpe_core.settings import Settings
from bpe_core.text.alphabet import encode_text
from bpe_core.text.arrays import Counts
from bpe_core.text.byte_strings import ByteStrings, byte_strings, joined
from bpe_core.text.normalizers import normalized_each
from bpe_core.text.pretoken_arrays import SHORT, pretoken_arrays
from bpe_core.text.rules import Pretokenizer
from bpe_core.text.special_tokens import between

FEW = 1 << 16  # words; tables wait until they have more than this together, and are then added up


class WordCounts(NamedTuple):
    """Different words, and how often each occurs."""

    words: ByteStrings
    counts: Counts

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> WordCounts:
        """Return the words of a mapping, in its order.

        >>> WordCounts.of({"to": 2, "be": 1}).words.to_list()
        [b'to', b'be']
        """
        words = byte_strings([*map(encode_text, counts)])
        return cls(words, np.fromiter(counts.values(), np.int64, len(counts)))

    def as_dict(self) -> dict[str, int]:
        """Return word → count."""
        return dict(zip(self.words.texts(), self.counts.tolist(), strict=True))


def counted(pretokens: ByteStrings) -> WordCounts:
    """Count pretokens.

    >>> from bpe_core.text.byte_strings import byte_strings
    >>> counted(byte_strings([b"to", b"be", b"to"])).as_dict()
    {'to': 2, 'be': 1}
    """
    return WordCounts(*pretokens.counted())


def added_up(tables: Sequence[WordCounts]) -> WordCounts:
    """Add up several tables; the words are in the order in which the tables first have them.

    >>> from bpe_core.text.byte_strings import byte_strings
    >>> one, other = (counted(byte_strings(words)) for words in ([b"a"], [b"b", b"a"]))
    >>> added_up([one, other]).as_dict()
    {'a': 2, 'b': 1}
    """
    words, which = joined(table.words for table in tables).numbered()
    counts = np.zeros(len(words), np.int64)
    np.add.at(counts, which, np.concatenate([np.zeros(0, np.int64), *(table.counts for table in tables)]))
    return WordCounts(words, counts)


def total(tables: Iterable[WordCounts]) -> WordCounts:
    """Add up any number of tables, in a few passes over all their words.

    >>> total(iter([])).as_dict()
    {}
    """
    tables = iter(tables)
    sums = [next(tables, added_up([]))]  # the sum so far, then the tables that wait to be added to it
    waiting = 0  # words of the tables that wait
    for table in tables:
        sums.append(table)
        waiting += len(table.words)
        if waiting > max(FEW, len(sums[0].words)):
            sums, waiting = [added_up(sums)], 0
    return sums[0] if len(sums) == 1 else added_up(sums)


GIVE_BACK_EVERY = 64  # batches

Progress = Callable[[str, int, int], None]


def count_text(text: str, pretokenizer: Pretokenizer) -> Counter[str]:
    """Count the pretokens of one text, in the order in which they are first seen.

    >>> from bpe_core.text.pretokenizers import PRETOKENIZERS
    >>> count_text("to be, to be", PRETOKENIZERS["gpt2"])
    Counter({' be': 2, 'to': 1, ',': 1, ' to': 1})
    """
    if len(text) <= SHORT or not pretokenizer.classes:
        return Counter(pretokenizer.strings(text))
    return Counter(counted(pretoken_arrays([text], pretokenizer)).as_dict())


def count_batch(batch: Sequence[str], settings: Settings) -> WordCounts:
    """Count the pretokens of texts; each text is normalized alone. Special tokens never merge, so they are left out.

    >>> count_batch(["low low <end> lower", "low"], Settings("whitespace", special_tokens=("<end>",))).as_dict()
    {'low': 3, 'lower': 1}
    """
    return counted(pretoken_arrays(_ordinary(batch, settings), settings.splitter))


def _ordinary(texts: Sequence[str], settings: Settings) -> Sequence[str]:
    """Return the texts between special tokens, normalized."""
    return normalized_each(between(texts, settings.special_tokens), settings.normalizers)


def count_words(
    texts: Text | Iterable[Text],
    settings: Settings,
    progress: Progress | None = None,
    workers: int = 1,
    dask: str = "",
) -> WordCounts:
    """Count the different pretokens of a corpus, in the order in which they are first seen.

    Texts are counted in batches (see `text_batches`); only a few batches are in memory at a time. `workers`: how many
    threads count. `dask`: the address of a cluster whose workers count in place of threads. Neither `workers` nor
    `dask` changes the result. `progress` gets 0 as the total if the size of the corpus is not known.

    >>> count_words("low low lower", Settings(pretokenizer="whitespace")).words.to_list()
    [b'low', b'lower']
    """
    if isinstance(texts, str) and len(texts) <= SHORT and not dask:
        return WordCounts.of(Counter(chain.from_iterable(map(settings.splitter.strings, _ordinary([texts], settings)))))
    texts = [texts] if isinstance(texts, Text) else texts
    size, done = (size_of(texts) if progress else None) or 0, 0

    def counted_batches() -> Iterator[WordCounts]:
        nonlocal done
        for number, (table, share) in enumerate(in_order(batches(texts, settings), count_batch, settings, crew), 1):
            done += share
            if progress:
                progress("counting", done, size)
            if number % GIVE_BACK_EVERY == 0:
                give_memory_back()
            yield table

    with workers_for(workers, dask) as crew:
        return total(counted_batches())


def count_pretokens(
    texts: Text | Iterable[Text], settings: Settings, progress: Progress | None = None, workers: int = 1, dask: str = ""
) -> dict[str, int]:
    """Count the different pretokens of a corpus as `count_words` does, and return a dictionary.

    >>> count_pretokens("low low lower", Settings(pretokenizer="whitespace"))
    {'low': 2, 'lower': 1}
    """
    return count_words(texts, settings, progress, workers, dask).as_dict()


def size_of(texts: Iterable[Text]) -> int | None:
    """Return the size of all texts, in characters for a text, in bytes for a file; None if a size is not known.

    >>> size_of(["low", ""]), size_of(iter(["low"]))
    (3, None)
    """
    if not isinstance(texts, (list, tuple)) or any(isinstance(text, TextFile) and text.stream for text in texts):
        return None
    return sum(text.size if isinstance(text, TextFile) else len(text) for text in texts)
