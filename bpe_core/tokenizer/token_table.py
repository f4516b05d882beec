"""The tokens of a text as arrays: where each stands in the text's bytes, its id, the step that made it.

For long texts, where an object for each token would be slow. The text "a hugs" cut at white
space, where u + g is merged at step 1 (its token has the id 256):

    bytes           0   1   2   3   4   5          the space at byte 1 is dropped
    symbols         a       h   u   g   s
    merged_at       ∞       ∞   ∞   1   ∞          of the boundary before each symbol

    after step 1    a       h   ug      s
    starts          0       2   3       5
    ends            1       3   5       6
    ids             97     104  256    115
    made            0       0   1       0          the largest merged_at inside the token; 0: a base symbol
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bpe_core.text.alphabet import MARKER, encode_text
from bpe_core.tokenizer.boundaries import SPACED, Boundaries, Stretch
from bpe_core.tokenizer.encoder import UNKNOWN
from bpe_core.tokenizer.tokenizer import Tokenizer


@dataclass(frozen=True, eq=False)
class TokenTable:
    """One entry a token: byte offsets `starts` and `ends`, `ids`, and `made`: the step that made it, 0 for a symbol."""

    starts: np.ndarray
    ends: np.ndarray
    ids: np.ndarray
    made: np.ndarray

    def __len__(self) -> int:
        """How many tokens there are."""
        return len(self.ids)


def token_table(tokenizer: Tokenizer, found: Boundaries, step: int) -> TokenTable:
    """The tokens after `step` merges of the text whose boundaries were `found`, as it was normalized.

    >>> from bpe_core import Settings, train
    >>> from bpe_core.tokenizer.boundaries import BoundaryFinder
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> table = token_table(tok, BoundaryFinder(tok).find("hugs"), 1)
    >>> table.ids.tolist(), table.starts.tolist(), table.made.tolist()
    ([104, 256, 115], [0, 1, 3], [0, 1, 0])
    """
    starts, ends, base = _symbols(tokenizer, found)
    stands = found.merged_at > step
    first = np.flatnonzero(stands)
    if not len(first):
        return TokenTable(starts, ends, base, base)
    made = np.maximum.reduceat(np.where(stands, 0, found.merged_at), first)
    last = np.append(first[1:], len(stands)) - 1
    ids = np.where(made > 0, np.append(0, tokenizer.made_ids)[made], base[first])
    return TokenTable(starts[first], ends[last], ids, made)


Columns = tuple[np.ndarray, np.ndarray, np.ndarray]  # of base symbols: first byte, end, id


def _symbols(tokenizer: Tokenizer, found: Boundaries) -> Columns:
    """(first byte, end, id) of every base symbol of the text."""
    raw = encode_text(found.text)
    offsets = np.flatnonzero((np.frombuffer(raw, np.uint8) & 0xC0) != 0x80)  # the first byte of every character
    offsets = np.append(offsets, len(raw))
    parts = [_symbols_of(tokenizer, found.text, raw, offsets, stretch) for stretch in found.stretches]
    none = [np.zeros(0, np.int64)] * 3
    starts, ends, ids = (np.concatenate(column) for column in zip(*(parts or [none]), strict=True))
    return starts, ends, ids


def _symbols_of(tokenizer: Tokenizer, text: str, raw: bytes, offsets: np.ndarray, stretch: Stretch) -> Columns:
    """The same for the characters of one stretch; `raw`: the text's bytes, `offsets`: where its characters begin."""
    start, end, _, special = stretch
    first, behind = int(offsets[start]), int(offsets[end])
    if special >= 0:
        return np.array([first]), np.array([behind]), np.array([special])
    if tokenizer.alphabet == "bytes":
        places = np.arange(first, behind)
        columns = places, places + 1, _byte_ids(tokenizer)[np.frombuffer(raw[first:behind], np.uint8)]
    elif tokenizer.byte_ids:
        columns = _in_characters_or_bytes(tokenizer, text[start:end], first)
    else:
        known = [tokenizer.base_ids.get(encode_text(char), UNKNOWN) for char in text[start:end]]
        columns = offsets[start:end], offsets[start + 1 : end + 1], np.array(known, np.int64)
    if special == SPACED:
        columns = _with_symbol(columns, first, tokenizer.base_ids[b" "], in_front=True)
    if tokenizer.word_marker != "none":
        in_front, marker = tokenizer.word_marker == "start", tokenizer.base_ids.get(MARKER, UNKNOWN)
        columns = _with_symbol(columns, first if in_front else behind, marker, in_front)
    return columns


def _in_characters_or_bytes(tokenizer: Tokenizer, text: str, at: int) -> Columns:
    """The symbols of a text whose unknown characters are written as bytes; `at`: the offset of its first byte."""
    rows = []
    for raw in map(encode_text, text):
        known = tokenizer.base_ids.get(raw)
        if known is None:
            rows += [(at + i, at + i + 1, tokenizer.byte_ids[byte]) for i, byte in enumerate(raw)]
        else:
            rows.append((at, at + len(raw), known))
        at += len(raw)
    starts, ends, ids = np.array(rows, np.int64).reshape(-1, 3).T
    return starts, ends, ids


def _byte_ids(tokenizer: Tokenizer) -> np.ndarray:
    """The id of each byte value."""
    return np.array([tokenizer.base_ids.get(bytes([value]), UNKNOWN) for value in range(256)], np.int64)


def _with_symbol(columns: Columns, at: int, symbol: int, in_front: bool) -> Columns:
    """The symbols and one more that covers none of the text: a word marker, or a space put before the text."""
    added = (at, at, symbol)
    starts, ends, ids = (
        np.append(value, column) if in_front else np.append(column, value)
        for value, column in zip(added, columns, strict=True)
    )
    return starts, ends, ids
