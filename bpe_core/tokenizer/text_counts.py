"""How many characters, bytes and words a text has, and how many bytes and words a vocabulary can write."""

from __future__ import annotations

import re

import numpy as np

from bpe_core.tokenizer.walk import Walk


def counts(walk: Walk) -> dict[str, int]:
    """Return how many characters, bytes and words a text has.

    `bytes_written` and `words_written` count only the bytes and the words that the vocabulary can write.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug", Settings("whitespace", "characters", vocab_size=3)).tokenizer()
    >>> counts(tok.encode("hug the bug").walk)
    {'characters': 11, 'bytes': 11, 'words': 3, 'bytes_written': 8, 'words_written': 1}
    """
    text, lost = walk.text, np.flatnonzero(walk.lost)
    at, _ = walk.characters(walk.starts[lost], walk.ends[lost])
    words = [word.start() for word in re.finditer(r"\S+", text)] if len(lost) else []
    size, number = int((walk.ends - walk.starts)[lost].sum()), len(text.split())
    return {
        "characters": len(text),
        "bytes": len(walk.raw),
        "words": number,
        "bytes_written": len(walk.raw) - size,
        "words_written": number - len(np.unique(np.searchsorted(words, at, "right"))),
    }
