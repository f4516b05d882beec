"""Ids in a typed or pasted text, and their tokens."""

from __future__ import annotations

import re

from bpe_core import Tokenizer
from bpe_core.kinds import whole_number


def read_ids(text: str) -> list[int]:
    """Return the ids in a text, between spaces, commas or brackets; raises `ValueError` for any other word.

    >>> read_ids("[15496, 995]  50256")
    [15496, 995, 50256]
    >>> read_ids("12, x")
    Traceback (most recent call last):
        ...
    ValueError: “x” is not an id: write whole numbers, with spaces or commas between them.
    """
    ids = []
    for word in re.split(r"[\s,;\[\]()]+", text.strip(" \t\r\n[](),;")):
        if word and (number := whole_number(word)) is None:
            raise ValueError(f"“{word[:40]}” is not an id: write whole numbers, with spaces or commas between them.")
        ids += [number] if word else []
    return ids


def tokens_of(tokenizer: Tokenizer, ids: list[int]) -> list[bytes]:
    """Return the bytes of each id; raises `ValueError` for an id that the vocabulary does not have."""
    known = range(len(tokenizer.tokens)), set(tokenizer.special_tokens.values())
    strange = next((i for i in ids if not any(i in ids_of for ids_of in known)), None)
    if strange is not None:
        largest = max([len(tokenizer.tokens) - 1, *known[1]])
        raise ValueError(f"Id {strange:,} is not in this vocabulary: its ids end at {largest:,}.")
    return [tokenizer.token_bytes(i) for i in ids]
