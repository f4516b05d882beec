"""The tokens of a text as arrays: where each stands in the text's bytes, its id, the step that made it.

For long texts, where an object per token would be slow; `alignment` compares two such tables.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bpe_core.text.alphabet import MARKER, encode_text
from bpe_core.tokenizer.boundaries import SPACED, Boundaries
from bpe_core.tokenizer.encoder import UNKNOWN
from bpe_core.tokenizer.tokenizer import Tokenizer


@dataclass(frozen=True, eq=False)
class TokenTable:
    """One entry a token: byte offsets `starts` and `ends`, `ids`, and `made`, the step (0: in the base alphabet)."""

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


def _symbols(tokenizer: Tokenizer, found: Boundaries) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(first byte, end, id) of every base symbol."""
    text = found.text
    raw = encode_text(text)
    places = np.flatnonzero((np.frombuffer(raw, np.uint8) & 0xC0) != 0x80)  # where characters begin
    places = np.append(places, len(raw))
    starts, ends, ids = [], [], []
    for start, end, _, special in found.stretches:
        a, b = int(places[start]), int(places[end])
        if special >= 0:
            columns = np.array([a]), np.array([b]), np.array([special])
        elif tokenizer.alphabet == "bytes":
            offsets = np.arange(a, b)
            columns = offsets, offsets + 1, _byte_ids(tokenizer)[np.frombuffer(raw[a:b], np.uint8)]
        elif tokenizer.byte_ids:
            columns = _in_characters_or_bytes(tokenizer, text[start:end], a)
        else:
            base = tokenizer.base_ids
            known = [base.get(encode_text(char), UNKNOWN) for char in text[start:end]]
            columns = places[start:end], places[start + 1 : end + 1], np.array(known, np.int64)
        if special == SPACED:
            columns = tuple(
                np.append(value, c) for value, c in zip((a, a, tokenizer.base_ids[b" "]), columns, strict=True)
            )
        if special < 0 and tokenizer.word_marker != "none":
            columns = _with_marker(columns, tokenizer, a, b)
        for column, values in zip((starts, ends, ids), columns, strict=True):
            column.append(values)
    empty = [np.zeros(0, np.int64)]
    return np.concatenate(starts or empty), np.concatenate(ends or empty), np.concatenate(ids or empty)


def _in_characters_or_bytes(tokenizer: Tokenizer, text: str, at: int) -> tuple[np.ndarray, ...]:
    """The symbols of a text whose unknown characters are written in bytes; `at`: the place of its first byte."""
    rows = []
    for raw in map(encode_text, text):
        known = tokenizer.base_ids.get(raw)
        if known is None:
            rows += [(at + i, at + i + 1, tokenizer.byte_ids[byte]) for i, byte in enumerate(raw)]
        else:
            rows.append((at, at + len(raw), known))
        at += len(raw)
    return tuple(np.array(rows, np.int64).reshape(-1, 3).T)


def _byte_ids(tokenizer: Tokenizer) -> np.ndarray:
    return np.array([tokenizer.base_ids.get(bytes([value]), UNKNOWN) for value in range(256)], np.int64)


def _with_marker(columns: tuple[np.ndarray, ...], tokenizer: Tokenizer, a: int, b: int) -> tuple[np.ndarray, ...]:
    """The word marker as a symbol that covers none of the text."""
    at_start = tokenizer.word_marker == "start"
    place, marker_id = (a if at_start else b), tokenizer.base_ids.get(MARKER, UNKNOWN)
    added = (place, place, marker_id)
    return tuple(
        np.append(value, column) if at_start else np.append(column, value)
        for value, column in zip(added, columns, strict=True)
    )
