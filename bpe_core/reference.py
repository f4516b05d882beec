"""The textbook algorithm: count all pairs, join the most frequent one, start again.

Slow and obviously right. The fast trainer must give the same merges and the same words at every step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

Word = tuple[bytes, ...]
Pair = tuple[bytes, bytes]


def count_pairs(words: Mapping[Word, int]) -> dict[Pair, int]:
    """How often each pair of neighbours occurs, in the order in which the pairs are first seen.

    >>> count_pairs({(b"a", b"a", b"a"): 2})
    {(b'a', b'a'): 4}
    """
    counts: dict[Pair, int] = {}
    for word, count in words.items():
        for pair in pairwise(word):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def join(word: Word, pair: Pair) -> Word:
    """The word with every occurrence of the pair joined, from left to right.

    >>> join((b"a", b"a", b"a"), (b"a", b"a"))
    (b'aa', b'a')
    """
    joined: list[bytes] = []
    i = 0
    while i < len(word):
        if word[i : i + 2] == pair:
            joined.append(pair[0] + pair[1])
            i += 2
        else:
            joined.append(word[i])
            i += 1
    return tuple(joined)


def replace_in_place(words: Mapping[Word, int], pair: Pair) -> dict[Word, int]:
    """Join the pair in all words; every word keeps its turn."""
    return {join(word, pair): count for word, count in words.items()}


def replace_at_end(words: Mapping[Word, int], pair: Pair) -> dict[Word, int]:
    """Join the pair in all words; a changed word moves to the end."""
    same = {word: count for word, count in words.items() if join(word, pair) == word}
    changed = {join(word, pair): count for word, count in words.items() if word not in same}
    return same | changed


def train(
    words: Mapping[Word, int],
    choose: Callable[[dict[Pair, int]], Pair] = lambda counts: max(counts, key=counts.get),
    replace: Callable[[Mapping[Word, int], Pair], dict[Word, int]] = replace_in_place,
) -> Iterator[tuple[Pair, int, dict[Word, int]]]:
    """Merge after merge: (the pair, its count, the words with it joined), until no pair is left.

    `choose` picks the pair; as it stands, the one with the highest count that is seen first.

    >>> [(pair, count) for pair, count, _ in train({(b"h", b"u", b"g"): 10, (b"p", b"u", b"g"): 5})]
    [((b'u', b'g'), 15), ((b'h', b'ug'), 10), ((b'p', b'ug'), 5)]
    """
    words = dict(words)
    while counts := count_pairs(words):
        pair = choose(counts)
        words = replace(words, pair)
        yield pair, counts[pair], words
