"""Blocked pairs: what stands next to each other in the text, but across a cut, where no merge can join it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.settings import Settings
from bpe_core.text.normalizers import normalized
from bpe_core.text.special_tokens import segments


def touching_words(texts: Sequence[str] | None, words: Sequence[str], settings: Settings) -> np.ndarray:
    """The words that touch in the texts, with nothing between them: rows of (word, word behind it, how often)."""
    if texts is None:
        raise ValueError("blocked pairs need the text: train on it in memory with `train`, not on counts or files")
    row = {word: i for i, word in enumerate(words)}
    cut = settings.splitter
    met: Counter[tuple[int, int]] = Counter()
    for text in texts:
        for piece, _, special in segments(text, settings.special_tokens):
            if special:
                continue
            piece = normalized(piece, settings.normalizers)
            if cut.lossless:  # every word touches the next
                met.update(pairwise([row[word] for word in cut.strings(piece)]))
            else:
                neighbours = pairwise(cut.split(piece))
                met.update((row[one.text], row[other.text]) for one, other in neighbours if one.end == other.start)
    return np.array([(*pair, count) for pair, count in met.items()], np.int64).reshape(-1, 3)


def pairs_across_cuts(
    touching: np.ndarray, corpus: CorpusHistory, step: int, top: int | None
) -> Iterator[tuple[int, int, int]]:
    """(last token of a word, first token of the word that touches it, how often) after `step` merges, tokens by id.

    How often: across cuts, and inside words too. With `top` at least the most frequent so many, and those that are as
    frequent as the last of them.
    """
    word, word_behind, times = touching.T
    at, ids = corpus.tokens_at(step)
    first = ids[np.searchsorted(at, corpus.flat.starts)]
    last = ids[np.searchsorted(at, corpus.flat.ends) - 1]
    width = corpus.base + corpus.steps
    keys, group = np.unique(last[word].astype(np.int64) * width + first[word_behind], return_inverse=True)
    counts = np.bincount(group, times, len(keys)).astype(np.int64)
    counts += _inside_words(keys, ids, corpus.weights[at], width)
    if top is not None and top < len(counts):
        frequent = counts >= np.partition(counts, -top)[-top] if top else np.zeros(len(counts), bool)
        keys, counts = keys[frequent], counts[frequent]
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        yield key // width, key % width, count


def _inside_words(keys: np.ndarray, ids: np.ndarray, weights: np.ndarray, width: int) -> np.ndarray:
    """How often the pairs `keys` (left id · width + right id, ascending) stand within words: tokens `ids`, in order."""
    within = (ids[:-1] >= 0) & (ids[1:] >= 0)
    pairs = ids[:-1][within].astype(np.int64) * width + ids[1:][within]
    places = np.searchsorted(keys, pairs)
    found = np.append(keys, -1)[places] == pairs
    return np.bincount(places[found], weights[1:][within][found], len(keys)).astype(np.int64)
