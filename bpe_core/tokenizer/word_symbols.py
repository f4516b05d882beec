"""The symbols of a walk that each word of its text reaches into: the one way from words to tokens.

A word here is a word of the text (see `text.words`), and not a pretoken. The text "Hugs, pugs", split at white space
with a marker at the end of each pretoken:

    symbols     H u g s , _   p u g s _
    index       0 1 2 3 4 5   6 7 8 9 10
    words       H u g s       p u g s _      the marker of "Hugs," is beside the comma, and in no word
    first       0             6
    end         4             11

A token reaches into a word if one of its symbols does. So a word is in one token once the boundaries between its
symbols have all fallen.

`counts` says how many characters, bytes and words a text has, and by how many words a figure divides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bpe_core.text.alphabet import begins_character
from bpe_core.text.arrays import Integers, Mask
from bpe_core.text.words import is_spaced, word_spans
from bpe_core.tokenizer.walk import Walk


class WordSymbols(NamedTuple):
    """The words of a text, in arrays with an entry for each word.

    `starts`, `ends`: the word's span, in characters of the walk's text. `first`, `end`: the first symbol that reaches
    into the word, and the symbol after the last. `lost`: whether the tokens do not give back a part of the word: it is
    in no pretoken, or the vocabulary cannot write it. `divides`: whether figures divide by the word: it is not lost,
    and readers would call it a word (see `is_spaced`).
    """

    starts: Integers
    ends: Integers
    first: Integers
    end: Integers
    lost: Mask
    divides: Mask

    def boundaries(self, symbols: int) -> Mask:
        """Return for each of `symbols` symbols whether the boundary before it is inside a word that `divides`.

        Each of these boundaries, while it is there, makes one token more reach into a word.
        """
        change = np.zeros(symbols + 1, np.int64)
        several = self.divides & (self.end > self.first + 1)
        np.add.at(change, self.first[several] + 1, 1)
        np.add.at(change, self.end[several], -1)
        inside: Mask = np.cumsum(change[:-1]) > 0
        return inside


def word_symbols(walk: Walk) -> WordSymbols:
    """Return the words of a walk's text, with their symbols.

    A symbol without width, a word marker, reaches into a word that it touches within its own pretoken. Offsets are
    counted in half bytes, so that such a symbol can have a width:

        symbols   l o w _ · n e w _      the marker after byte 3 is from 5 to 6
        word      0     6                the word is from 0 to 6, so they overlap

    >>> from bpe_core import Settings, train
    >>> tok = train("hugs, pugs", Settings("whitespace", "characters", "end", vocab_size=9)).tokenizer()
    >>> found = word_symbols(tok.encode("hugs, pugs bugs").walk)
    >>> found.first.tolist(), found.end.tolist(), found.lost.tolist()
    ([0, 6, 11], [4, 11, 16], [False, False, True])
    """
    starts, ends = (2 * each.astype(np.int64) for each in (walk.starts, walk.ends))
    opens = np.zeros(len(walk), bool)
    opens[walk.words] = True  # begins a pretoken
    empty = starts == ends
    ends[empty & opens] += 1
    starts[empty & ~opens] -= 1
    spans = word_spans(walk.text)
    raw = np.frombuffer(walk.raw, np.uint8)
    offsets = np.append(np.flatnonzero(begins_character(raw)), len(raw))[spans]  # of each word, in bytes
    first, end = np.searchsorted(ends, 2 * offsets[:, 0], "right"), np.searchsorted(starts, 2 * offsets[:, 1], "left")
    size = _given(walk, offsets[:, 1]) - _given(walk, offsets[:, 0])
    lost, spaced = size < offsets[:, 1] - offsets[:, 0], np.ones(len(spans), bool)
    if not is_spaced(walk.text):
        spaced[:] = [is_spaced(walk.text[start:stop]) for start, stop in spans.tolist()]
    return WordSymbols(spans[:, 0], spans[:, 1], first, end, lost, ~lost & spaced)


def _given(walk: Walk, offsets: Integers) -> Integers:
    """Return for each offset how many of the bytes before it the tokens give back."""
    sizes = np.where(walk.lost, 0, walk.ends - walk.starts)
    before = np.append(0, np.cumsum(sizes))  # the bytes of all symbols before each symbol
    last = np.searchsorted(walk.starts, offsets, "right") - 1  # the symbol that begins last, at the offset or before
    within = np.minimum(np.append(sizes, 0)[last], offsets - np.append(walk.starts, 0)[last])
    return np.where(last < 0, 0, before[last] + within)


def bytes_written(walk: Walk) -> int:
    """Return how many bytes of a text the vocabulary can write."""
    lost = np.flatnonzero(walk.lost)
    return len(walk.raw) - int((walk.ends - walk.starts)[lost].sum()) - int(np.diff(walk.fallen).sum())


def counts(walk: Walk, words: WordSymbols | None = None) -> dict[str, int]:
    """Return how many characters, bytes and words a text has.

    `bytes_written` counts only the bytes that the vocabulary can write. `words_to_divide`: how many words a figure
    divides by (see `WordSymbols`). `words`: the text's words, if they are known already.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug", Settings("whitespace", "characters", vocab_size=3)).tokenizer()
    >>> counts(tok.encode("hug the bug").walk)
    {'characters': 11, 'bytes': 11, 'words': 3, 'bytes_written': 8, 'words_to_divide': 1}
    """
    words = words or word_symbols(walk)
    return {
        "characters": len(walk.text),
        "bytes": len(walk.raw),
        "words": len(words.starts),
        "bytes_written": bytes_written(walk),
        "words_to_divide": int(words.divides.sum()),
    }
