"""How many characters, bytes and words a text has. Also how many of the bytes and words a vocabulary can write."""

from __future__ import annotations

import numpy as np

from bpe_core.text.words import word_count
from bpe_core.tokenizer.walk import Walk
from bpe_core.tokenizer.word_symbols import word_symbols


def counts(walk: Walk) -> dict[str, int]:
    """Return how many characters, bytes and words a text has.

    `bytes_written` and `words_written` count only the bytes and the words that the vocabulary can write.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug", Settings("whitespace", "characters", vocab_size=3)).tokenizer()
    >>> counts(tok.encode("hug the bug").walk)
    {'characters': 11, 'bytes': 11, 'words': 3, 'bytes_written': 8, 'words_written': 1}
    """
    lost = np.flatnonzero(walk.lost)
    size, number = int((walk.ends - walk.starts)[lost].sum()), word_count(walk.text)
    return {
        "characters": len(walk.text),
        "bytes": len(walk.raw),
        "words": number,
        "bytes_written": len(walk.raw) - size,
        "words_written": number - (int(word_symbols(walk).lost.sum()) if len(lost) else 0),
    }
