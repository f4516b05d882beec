"""What was worked out for words seen before, bounded in bytes: all is forgotten where it grows too large."""

from __future__ import annotations

from typing import Generic, TypeVar

MOST_BYTES = 1 << 26
ENTRY_BYTES = 200  # about what a short word and its value take beside their contents

Value = TypeVar("Value")


class Memo(dict[str, Value], Generic[Value]):
    """Word → value; reading is reading a dictionary.

    >>> memo = Memo()
    >>> memo.keep("hug", (104, 256), 8 * 2)
    (104, 256)
    >>> memo["hug"], memo.size
    ((104, 256), 219)
    """

    size = 0

    def keep(self, word: str, value: Value, size: int) -> Value:
        """Remember a value of about `size` bytes; what alone takes much of the memo is not remembered."""
        size += len(word) + ENTRY_BYTES
        if size > MOST_BYTES // 64:
            return value
        if self.size + size > MOST_BYTES:
            self.clear()
            self.size = 0
        self.size += size
        self[word] = value
        return value
