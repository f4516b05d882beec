"""How many characters, bytes and words a text has. Also how many of them a figure divides by."""

from __future__ import annotations

import numpy as np

from bpe_core.text.words import word_count
from bpe_core.tokenizer.walk import Walk
from bpe_core.tokenizer.word_symbols import word_symbols


def counts(walk: Walk) -> dict[str, int]:
    """Return how many characters, bytes and words a text has.

    `bytes_written` counts only the bytes that the vocabulary can write. `words_to_divide`: how many words a figure
    divides by (see `WordSymbols`).

    >>> from bpe_core import Settings, train
    >>> tok = train("hug", Settings("whitespace", "characters", vocab_size=3)).tokenizer()
    >>> counts(tok.encode("hug the bug").walk)
    {'characters': 11, 'bytes': 11, 'words': 3, 'bytes_written': 8, 'words_to_divide': 1}
    """
    lost = np.flatnonzero(walk.lost)
    size = int((walk.ends - walk.starts)[lost].sum()) + int(np.diff(walk.fallen).sum())
    return {
        "characters": len(walk.text),
        "bytes": len(walk.raw),
        "words": word_count(walk.text),
        "bytes_written": len(walk.raw) - size,
        "words_to_divide": int(word_symbols(walk).divides.sum()),
    }
