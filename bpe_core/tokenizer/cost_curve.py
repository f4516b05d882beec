"""What a text costs as a vocabulary grows: its tokens and its uncut words after every merge, from one encoding.

A boundary between two symbols of the text stands until the merge that removes it, so counting the boundaries by that
step gives the number of tokens at all vocabulary sizes at once. A word is whole once its last inner boundary is gone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import regex

from bpe_core.text.alphabet import encode_text
from bpe_core.tokenizer.boundaries import BoundaryFinder
from bpe_core.tokenizer.encoder import UNKNOWN
from bpe_core.tokenizer.token_table import token_table
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.training.film import NEVER

_WORD = regex.compile(r"[\p{L}\p{M}]+")


@dataclass(frozen=True, eq=False)
class Growth:
    """A text under a tokenizer after 0, 1, 2, … of its merges; made by `growth`.

    `tokens[k]`: how many tokens the text has after `k` merges. `whole[k]`: how many of its words, the `words` runs of
    letters, no token boundary cuts then. `size`: the bytes that the tokens stand for; `lost`: the characters that the
    cut drops; `unknown`: how many symbols are not in the alphabet; `spaced`: the words between white space.
    """

    tokens: np.ndarray
    whole: np.ndarray
    words: int
    size: int
    lost: int
    unknown: int
    spaced: int


def growth(text: str, tokenizer: Tokenizer) -> Growth:
    """Encode `text` once, and count its tokens and whole words at every size of the vocabulary.

    A tokenizer that normalizes is measured on the normalized text.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings("whitespace", vocab_size=258)).tokenizer()
    >>> found = growth("a hug", tok)
    >>> found.tokens.tolist(), found.whole.tolist(), found.words, found.lost
    ([4, 3, 2], [1, 1, 2], 2, 1)
    """
    found = BoundaryFinder(tokenizer).find(text)
    text = found.text
    symbols = token_table(tokenizer, found, 0)
    steps = len(tokenizer.merges)
    stood = np.bincount(np.minimum(found.merged_at, steps + 1), minlength=steps + 2)[: steps + 1]
    whole_from = _whole_from(text, symbols.starts, found.merged_at)
    kept = sum(stretch.end - stretch.start for stretch in found.stretches)
    return Growth(
        tokens=len(found.merged_at) - np.cumsum(stood),
        whole=np.cumsum(np.bincount(np.minimum(whole_from, steps + 1), minlength=steps + 2)[: steps + 1]),
        words=len(whole_from),
        size=int((symbols.ends - symbols.starts).sum()),
        lost=len(text) - kept,
        unknown=int((symbols.ids == UNKNOWN).sum()),
        spaced=len(text.split()),
    )


def _whole_from(text: str, starts: np.ndarray, merged_at: np.ndarray) -> np.ndarray:
    """For each word the step from which on no boundary cuts it: 0 for a single symbol, `NEVER` where one always does.

    `starts`: the first byte of every symbol.
    """
    raw = encode_text(text)
    places = np.append(np.flatnonzero((np.frombuffer(raw, np.uint8) & 0xC0) != 0x80), len(raw))
    spans = np.array([match.span() for match in _WORD.finditer(text)], np.int64).reshape(-1, 2)
    first, behind = places[spans[:, 0]], places[spans[:, 1]]
    # the symbols that begin strictly inside the word; the boundary before each cuts it
    a, b = np.searchsorted(starts, first, "right"), np.searchsorted(starts, behind, "left")
    latest = np.maximum.reduceat(np.append(merged_at, 0), np.column_stack((a, np.maximum(b, a))).ravel())[::2]
    dropped = ~np.isin(first, starts)
    return np.where(dropped, NEVER, np.where(b > a, latest, 0))
