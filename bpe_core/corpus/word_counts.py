"""Tables of words and counts, and their sum.

words    to | be | or | not        in the order in which they are first seen, as UTF-8
counts    2 |  2 |  1 |   1
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bpe_core.text.alphabet import encode_text
from bpe_core.text.arrays import Counts
from bpe_core.text.byte_strings import ByteStrings, byte_strings, joined

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
