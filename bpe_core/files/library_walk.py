"""The walk of a text whose tokens a library has found.

Tokens that merges make, and whose bytes are the text's, are looked into; any other token is one symbol. Tokens over the
same character are looked at together, as a group:

    text       ␠ t h e ␠ 🦜        the tokens ␠the, ␠, F0 9F, A6 9C
    groups     |------|-|---|      a group has as many bytes as the text that ends where it does
    symbols    ␠ t h e ␠ F0 …      merged_at: ∞ 5 9 2 | ∞ | ∞ 8 | ∞ 8

Where a normalizer has made other letters of the same size, as "the" of "The", the symbols stand over those typed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bpe_core.files.libraries import Found
from bpe_core.text.flat_arrays import starts_of
from bpe_core.tokenizer.encoding_arrays import Rows
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.walk import Walk
from bpe_core.tokenizer.walking import symbols_of_tokens

Made = Callable[[int], object]
_CONTINUES, _SPACE = 0x80, 0x20


def library_walk(tokenizer: Tokenizer, made: Made, text: str, found: Found) -> Walk:
    """The walk of `text`, in which the library found these tokens; its offsets are those of the text as typed.

    `made(token_id)`: how merges make a token; None where they do not.
    """
    if not len(found.ids):
        return Walk(tokenizer, text, *np.zeros((5, 0), np.int32))
    raw = np.frombuffer(text.encode(), np.uint8)
    byte_at = np.append(np.flatnonzero(raw & 0xC0 != _CONTINUES), len(raw))
    tokens = _Tokens(byte_at[found.starts], byte_at[found.ends])
    tokens.place(tokenizer, made, np.append(raw, 0), found.ids)
    symbols = symbols_of_tokens(tokenizer, found.ids, ~tokens.fits)
    firsts = symbols.firsts
    starts = symbols.starts(firsts, tokens.at)
    ends = starts + symbols.sizes
    ends[firsts[~tokens.fits]] = np.maximum(tokens.last, tokens.at)[~tokens.fits]
    starts[firsts[tokens.spaced]] = ends[firsts[tokens.spaced]] = tokens.first[tokens.spaced]
    opens = (np.diff(found.words, prepend=-2) != 0) | tokens.apart
    opens[1:] |= tokens.apart[:-1] | (starts[firsts[1:]] != ends[firsts[1:] - 1])  # or behind a gap
    return Walk(tokenizer, text, starts, ends, symbols.ids, symbols.merged_at, firsts[opens])


class _Tokens:
    """The tokens of a text, one entry each: where they stand in its bytes, and whether they can be looked into.

    `fits`: whether its bytes are the text's. `at`: its first byte. `spaced`: whether the tokenizer put the space that
    it begins with before the text. `apart`: whether it is no part of a pretoken that merges.
    """

    def __init__(self, first: np.ndarray, last: np.ndarray) -> None:
        self.first, self.last = first, last
        self.behind = np.maximum.accumulate(last)  # of all tokens up to each
        self.before = np.append(0, self.behind[:-1])

    def place(self, tokenizer: Tokenizer, made: Made, raw: np.ndarray, ids: np.ndarray) -> None:
        """Find out where the tokens' bytes stand among those of the text; `raw` has one more."""
        different, which = np.unique(ids, return_inverse=True)
        tokens = [tokenizer.token_bytes(token_id) for token_id in different.tolist()]
        merged = np.array([made(token_id) is not None for token_id in different.tolist()])[which]
        rows = Rows(np.frombuffer(b"".join(tokens), np.uint8), np.array([len(token) for token in tokens]))
        self._place(raw, merged, *rows.gathered(which))
        self.apart = ~(self.fits & merged)

    def _place(self, raw: np.ndarray, merged: np.ndarray, theirs: np.ndarray, sizes: np.ndarray) -> None:
        opens = self.first >= self.before
        groups = np.flatnonzero(opens)
        size, end = np.add.reduceat(sizes, groups), np.maximum.reduceat(self.behind, groups)
        first, made = self.first[groups], np.logical_and.reduceat(merged, groups)
        span = end - first
        start = np.where(size < span, first, end - size)  # a normalizer took what is behind; or a space is before it
        shift = starts_of(size)  # where the bytes of each group begin among `theirs`
        ours = raw[np.maximum(np.repeat(start - shift, size) + np.arange(len(theirs)), 0)]
        inner, their_inner = (column & 0xC0 == _CONTINUES for column in (ours, theirs))  # of a character
        other = np.add.reduceat(ours != theirs, shift, dtype=np.int32)
        unlike = np.add.reduceat(inner != their_inner, shift, dtype=np.int32)
        same = (other == 0) & ((size == span) | made & (start >= self.before[groups]))
        alike = (unlike == 0) & (size == span)
        padded = made & (size == span + 1) & (theirs[shift] == _SPACE) & (unlike <= inner[shift])
        group = np.cumsum(opens) - 1
        self.fits, self.spaced = (same | alike | padded)[group], opens & (padded & ~same)[group]
        inside = (start - shift)[group] + starts_of(sizes)
        self.at = np.where(self.fits, inside, np.maximum(self.first, self.before))
