"""Words with their counts as columns, and the sum of several such tables.

words    to | be | or | not        in the order in which they are first seen, as UTF-8
counts    2 |  2 |  1 |   1
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from bpe_core.text.pretoken_arrays import strings_of

FEW = 1 << 16  # words that wait to be added up


class WordCounts(NamedTuple):
    """Different words, an array of binaries, and how often each occurs."""

    words: pa.Array
    counts: np.ndarray

    def as_dict(self) -> dict[str, int]:
        """Word → count."""
        return dict(zip(strings_of(self.words), self.counts.tolist(), strict=True))


def counted(pretokens: pa.ChunkedArray) -> WordCounts:
    """Count pretokens.

    >>> counted(pa.chunked_array([[b"to", b"be"], [b"to"]], pa.large_binary())).as_dict()
    {'to': 2, 'be': 1}
    """
    found = pretokens.value_counts()
    return WordCounts(found.field("values"), found.field("counts").to_numpy())


def added_up(tables: Sequence[WordCounts]) -> WordCounts:
    """One table of several, in their order.

    >>> one, other = (counted(pa.chunked_array([words], pa.large_binary())) for words in ([b"a"], [b"b", b"a"]))
    >>> added_up([one, other]).as_dict()
    {'a': 2, 'b': 1}
    """
    words = pa.chunked_array([table.words for table in tables], pa.large_binary()).combine_chunks().dictionary_encode()
    counts = np.zeros(len(words.dictionary), np.int64)
    np.add.at(counts, words.indices.to_numpy(), np.concatenate([np.zeros(0, np.int64), *(t.counts for t in tables)]))
    return WordCounts(words.dictionary, counts)


def total(tables: Iterable[WordCounts]) -> WordCounts:
    """The sum of any number of tables; the time is that of a few passes over all their words.

    >>> total(iter([])).as_dict()
    {}
    """
    tables = iter(tables)
    sums, waiting = [next(tables, added_up([]))], 0  # and those that wait to be added to the first, with so many words
    for table in tables:
        sums.append(table)
        waiting += len(table.words)
        if waiting > max(FEW, len(sums[0].words)):
            sums, waiting = [added_up(sums)], 0
    return sums[0] if len(sums) == 1 else added_up(sums)
