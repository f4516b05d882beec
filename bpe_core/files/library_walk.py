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
from bpe_core.tokenizer.encoding_arrays import Rows
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.walk import Walk
from bpe_core.tokenizer.walking import ROW, Columns
from bpe_core.training.lifetimes import NEVER

_CONTINUES, _SPACE = 0x80, 0x20


Inside = Callable[[int], Columns | None]


def library_walk(tokenizer: Tokenizer, inside: Inside, text: str, found: Found) -> Walk:
    """The walk of `text`, in which the library found these tokens; its offsets are those of the text as typed.

    `inside` gives the columns of a token, by its id; None for one that no merges make.
    """
    raw = np.frombuffer(text.encode(), np.uint8)
    if not len(found.ids):
        return Walk(tokenizer, text, *np.zeros((5, 0), np.int32))
    byte_at = np.append(np.flatnonzero(raw & 0xC0 != _CONTINUES), len(raw)).astype(np.int32)
    tokens = _Tokens(tokenizer, inside, np.append(raw, 0), found.ids, byte_at[found.starts], byte_at[found.ends])
    columns, firsts = tokens.columns()
    opens = (np.diff(found.words, prepend=-2) != 0) | ~tokens.fits
    opens[1:] |= ~tokens.fits[:-1] | (columns[0, firsts[1:]] != columns[1, firsts[1:] - 1])  # or behind a gap
    return Walk(tokenizer, text, *columns, firsts[opens])


class _Tokens:
    """The tokens of a text, one entry each: where they stand in its bytes, and whether they can be looked into.

    `fits`: whether its bytes are the text's. `at`: its first byte. `spaced`: whether the tokenizer put the space that
    it begins with before the text.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        inside: Inside,
        raw: np.ndarray,
        ids: np.ndarray,
        first: np.ndarray,
        last: np.ndarray,
    ) -> None:
        self.first, self.last = first, last
        distinct, self.which = np.unique(ids, return_inverse=True)
        self.known = list(map(inside, distinct.tolist()))
        self.whole = np.zeros((len(distinct), 4), np.int32)  # each as one symbol
        self.whole[:, 2:] = np.column_stack((distinct, np.full(len(distinct), NEVER)))
        self.behind = np.maximum.accumulate(last)  # of all tokens up to each
        self.before = np.append(0, self.behind[:-1])
        self._place(raw, list(map(tokenizer.token_bytes, distinct.tolist())))

    def _place(self, raw: np.ndarray, distinct: list[bytes]) -> None:
        lengths = np.array([len(token) for token in distinct], np.int32)
        theirs, sizes = Rows(np.frombuffer(b"".join(distinct), np.uint8), lengths).gathered(self.which)
        opens = self.first >= self.before
        groups = np.flatnonzero(opens)
        size = np.add.reduceat(sizes, groups)
        end = np.maximum.reduceat(self.behind, groups)
        start = end - size
        shift = np.cumsum(size) - size  # where the bytes of each group begin among `theirs`
        ours = raw[np.maximum(np.repeat(start - shift, size) + np.arange(len(theirs)), 0)]
        other = np.add.reduceat(ours != theirs, shift, dtype=np.int32)
        unlike = np.add.reduceat((ours & 0xC0 == _CONTINUES) != (theirs & 0xC0 == _CONTINUES), shift, dtype=np.int32)
        made = np.logical_and.reduceat(np.array([known is not None for known in self.known])[self.which], groups)
        span, room = end - self.first[groups], end - self.before[groups]
        fits = made & (size <= room) & ((other == 0) | (unlike == 0) & (size == span))
        spaced = made & ~fits & (size == span + 1) & (theirs[shift] == _SPACE)
        spaced &= unlike <= (ours[shift] & 0xC0 == _CONTINUES)
        group = np.cumsum(opens) - 1
        self.fits, self.spaced = (fits | spaced)[group], opens & spaced[group]
        inside = (start - shift)[group] + np.cumsum(sizes) - sizes
        self.at = np.where(self.fits, inside, np.maximum(self.first, self.before))

    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        """(the four columns of all symbols, the first symbol of each token)."""
        parts = [known or (whole.tobytes(), 0) for known, whole in zip(self.known, self.whole, strict=True)]
        rows = np.frombuffer(b"".join([rows for rows, _ in parts]), np.int32).reshape(-1, 4)
        lengths = np.array([len(rows) for rows, _ in parts] + [ROW] * len(parts)) // ROW
        which = np.where(self.fits, self.which, self.which + len(parts))
        symbols, sizes = Rows(np.concatenate((rows, self.whole)), lengths).gathered(which)
        columns, firsts = symbols.T.copy(), np.cumsum(sizes) - sizes
        columns[:2] += np.repeat(self.at, sizes).astype(np.int32)
        alone = ~self.fits
        columns[1, firsts[alone]] = np.maximum(self.last, self.at)[alone]
        columns[:2, firsts[self.spaced]] = self.first[self.spaced]
        return columns, firsts
