"""What was worked out for words seen before, bounded in bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

MOST_BYTES = 1 << 26
ENTRY_BYTES = 200  # about what a short word and its value take beside their contents

Value = TypeVar("Value")


class Memo(dict[str, Value], Generic[Value]):
    """A cache: word → value, emptied when it passes `MOST_BYTES`.

    >>> memo = Memo()
    >>> memo.keep("hug", (104, 256), 8 * 2)
    (104, 256)
    >>> memo["hug"], memo.size
    ((104, 256), 219)
    """

    size = 0

    def keep(self, word: str, value: Value, size: int) -> Value:
        """Keep a value of about `size` bytes, and return it. A value above 1/64 of the limit is not kept."""
        size += len(word) + ENTRY_BYTES
        if size > MOST_BYTES // 64:
            return value
        if self.size + size > MOST_BYTES:
            self.clear()
            self.size = 0
        self.size += size
        self[word] = value
        return value

    def keep_all(self, words: Sequence[str], values: Sequence[Value], sizes: Sequence[int]) -> None:
        """As `keep` for each word; a batch up to 1/16 of the limit goes in with one update, whatever each value's size.

        >>> memo = Memo()
        >>> memo.keep_all(["hug", "pug"], [1, 2], [8, 8])
        >>> memo["pug"], memo.size
        (2, 422)
        """
        total = sum(map(len, words)) + sum(sizes) + ENTRY_BYTES * len(words)
        if total <= MOST_BYTES // 16 and self.size + total <= MOST_BYTES:
            self.size += total
            self.update(zip(words, values, strict=True))
        else:
            for word, value, size in zip(words, values, sizes, strict=True):
                self.keep(word, value, size)
