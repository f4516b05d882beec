"""Where pairs are first seen at a step, for the tie rules that go by place."""

from __future__ import annotations

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory

NOWHERE = int(np.iinfo(np.int64).max)
FIRST_WORDS = 4096


def first_places(
    corpus: CorpusHistory, step: int, left: np.ndarray, right: np.ndarray, counts: np.ndarray, top: int
) -> np.ndarray:
    """The place of each pair (ids `left`, `right`) in the reading order of the run's tie rule.

    Reads the corpus from its start, more and more of it, until it is certain which `top` pairs come first by count and
    place; a pair that is not among them may be left `NOWHERE`.
    """
    least = np.partition(counts, -top)[-top] if top < len(counts) else 0
    surely = counts > least  # the others compete by place for what is left of the `top`
    room = min(top, len(counts)) - np.count_nonzero(surely)
    turns = _word_turns(corpus, step) if len(corpus.film.moved_words) else None
    places = np.full(len(counts), NOWHERE, np.int64)
    row, words = 0, len(corpus.word_counts)
    batch = words if turns is not None else FIRST_WORDS
    while row < words and not ((seen := places < NOWHERE)[surely].all() and np.count_nonzero(seen & ~surely) >= room):
        end = min(row + batch, words)
        _see(places, corpus, step, left, right, corpus.flat.starts[row] - 1, corpus.flat.ends[end - 1] + 1, turns)
        row, batch = end, 2 * batch
    return places


def _see(
    places: np.ndarray,
    corpus: CorpusHistory,
    step: int,
    left: np.ndarray,
    right: np.ndarray,
    start: int,
    end: int,
    turns,
) -> None:
    """Lower `places` to those of the pairs that are seen from `start` to `end` of the flat corpus."""
    width = corpus.base + corpus.steps
    at, ids = corpus.tokens_at(step, start, end)
    is_left, is_right = np.zeros(width + 1, bool), np.zeros(width + 1, bool)  # the last row is the separator's
    is_left[left] = is_right[right] = True
    near = np.flatnonzero(is_left[ids[:-1]] & is_right[ids[1:]])
    wanted = left.astype(np.int64) * width + right
    order = np.argsort(wanted)
    keys = ids[near].astype(np.int64) * width + ids[near + 1]
    pair = order[np.minimum(np.searchsorted(wanted, keys, sorter=order), len(wanted) - 1)]
    hit = wanted[pair] == keys
    found = at[near[hit] + 1]
    if turns is not None:
        found = turns[corpus.rows_of(found)] * len(corpus.flat.symbols) + found
    np.minimum.at(places, pair[hit], found)


def _word_turns(corpus: CorpusHistory, step: int) -> np.ndarray:
    """The turn of each word in a corpus whose changed words move to its end."""
    turns = np.arange(len(corpus.word_counts), dtype=np.int64)
    moved = corpus.film.moved_words[: corpus.film.moved_until[step]]
    turns[moved] = len(turns) + np.arange(len(moved))  # of several moves the last counts
    return turns
