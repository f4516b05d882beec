"""Blocked pairs: tokens that touch in the text but are in two pretokens, so that no merge can join them.

The text "my dog. your dog." after step 3, split into pretokens as GPT-2 does:

    row                 0      1        2     3
    pretoken            my     ␣dog     .     ␣your
    tokens              m y    ␣dog     .     ␣ y o u r
    first, last token   m, y   ␣dog ×2  . ×2  ␣, r

    touching words      row, row of the next word, how often       (0, 1, 1)  (1, 2, 2)  (2, 3, 1)  (3, 1, 1)
    blocked pairs       last token of one + first of the next       y + ␣dog   ␣dog + .   . + ␣      r + ␣dog
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bpe_core.record.corpus_history import CorpusHistory
from bpe_core.settings import Settings
from bpe_core.text.arrays import Counts, Ids, Integers
from bpe_core.text.normalizers import normalized
from bpe_core.text.special_tokens import segments


def touching_words(texts: Sequence[str], words: Sequence[str], settings: Settings) -> Counts:
    """Return the words that touch in the texts, as rows of (word, next word, how often).

    `words`: the different pretokens of the texts. The result has indexes in `words`.

    >>> touching_words(["my dog. your dog."], ["my", " dog", ".", " your"], Settings("gpt2")).tolist()
    [[0, 1, 1], [1, 2, 2], [2, 3, 1], [3, 1, 1]]
    """
    row = {word: i for i, word in enumerate(words)}
    pretokenizer = settings.splitter
    met: Counter[tuple[int, int]] = Counter()
    for text in texts:
        for segment, _, special in segments(text, settings.special_tokens):
            if special:
                continue
            segment = normalized(segment, settings.normalizers)
            if pretokenizer.lossless:  # each word touches the next
                met.update(pairwise([row[word] for word in pretokenizer.strings(segment)]))
            else:
                neighbours = pairwise(pretokenizer.split(segment))
                met.update((row[one.text], row[other.text]) for one, other in neighbours if one.end == other.start)
    return np.array([(*pair, count) for pair, count in met.items()], np.int64).reshape(-1, 3)


def blocked_pairs(
    touching: Counts, corpus: CorpusHistory, step: int, top: int | None
) -> tuple[Integers, Integers, Counts]:
    """Return the blocked pairs after `step` merges, as (left ids, right ids, counts), unsorted.

    `touching`: the result of `touching_words`. A count includes the pair's occurrences inside words. With `top`, the
    result has the `top` most frequent pairs, and every other pair with the count of the last one.

    >>> from bpe_core import train
    >>> run = train("my dog. your dog.", Settings(vocab_size=259))
    >>> touching = touching_words(run.texts, run.pretokens, run.settings)
    >>> left, right, counts = blocked_pairs(touching, run.corpus, step=3, top=1)
    >>> run.tokens[left[0]], run.tokens[right[0]], counts.tolist()
    (b' dog', b'.', [2])
    """
    word, next_word, times = touching.T
    starts, ids = corpus.tokens_at(step)
    first = ids[np.searchsorted(starts, corpus.flat.starts)]
    last = ids[np.searchsorted(starts, corpus.flat.ends) - 1]
    width = corpus.base + corpus.steps
    keys, group = np.unique(last[word].astype(np.int64) * width + first[next_word], return_inverse=True)
    counts = np.bincount(group, times, len(keys)).astype(np.int64)
    counts += _inside_words(keys, ids, corpus.weights[starts], width)
    if top is not None and top < len(counts):
        frequent = counts >= np.partition(counts, -top)[-top] if top else np.zeros(len(counts), bool)
        keys, counts = keys[frequent], counts[frequent]
    return keys // width, keys % width, counts


def _inside_words(keys: Counts, ids: Ids, weights: Integers, width: int) -> Counts:
    """Count the occurrences of pairs inside words.

    `keys`: the pairs, each as left id * `width` + right id, ascending. `ids`: the id of each token of the corpus.
    `weights`: how often the word of each token occurs.
    """
    within = (ids[:-1] >= 0) & (ids[1:] >= 0)
    pairs = ids[:-1][within].astype(np.int64) * width + ids[1:][within]
    at = np.searchsorted(keys, pairs)
    found = np.append(keys, -1)[at] == pairs
    return np.bincount(at[found], weights[1:][within][found], len(keys)).astype(np.int64)
