"""The textbook algorithm, in full: count all pairs of neighbours, join the most frequent one, start again.

Start reading here. The rest of `bpe_core` does the same on large texts (`text`, `corpus`, `training`), looks at any
step of a training (`record`), and uses the vocabulary (`tokenizer`, `models`, `files`).

A corpus is a table of different words with their counts. A word is a sequence of symbols:

    h u g ×10   p u g ×5        u + g occurs 10 + 5 times, h + u 10 times, p + u 5 times
    h ug  ×10   p ug  ×5        after joining u + g; now h + ug occurs 10 times, p + ug 5 times
    hug   ×10   p ug  ×5        after joining h + ug

This is slow, and obviously right. The tests compare the fast trainer with it, merge by merge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

Word = tuple[bytes, ...]
Pair = tuple[bytes, bytes]
Symbol = TypeVar("Symbol")


def count_pairs(words: Mapping[Word, int]) -> dict[Pair, int]:
    """Count each pair of neighbours. The pairs come in the order in which they are first seen.

    Occurrences may overlap: `aaa` has the pair a + a twice.

    >>> count_pairs({(b"h", b"u", b"g"): 10, (b"p", b"u", b"g"): 5})
    {(b'h', b'u'): 10, (b'u', b'g'): 15, (b'p', b'u'): 5}
    >>> count_pairs({(b"a", b"a", b"a"): 1})
    {(b'a', b'a'): 2}
    """
    counts: dict[Pair, int] = {}
    for word, count in words.items():
        for pair in pairwise(word):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def join(word: Word, pair: Pair) -> Word:
    """Return the word with every occurrence of the pair joined, from left to right.

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


def join_in_all(words: Mapping[Word, int], pair: Pair) -> dict[Word, int]:
    """Join the pair in every word, and return the words in the order of `words`.

    >>> join_in_all({(b"h", b"u", b"g"): 10, (b"p", b"u", b"g"): 5}, (b"u", b"g"))
    {(b'h', b'ug'): 10, (b'p', b'ug'): 5}
    """
    return {join(word, pair): count for word, count in words.items()}


def most_frequent(counts: Mapping[Pair, int]) -> Pair:
    """Return the pair with the highest count. If several pairs have it, return the pair that is seen first."""
    return max(counts, key=lambda pair: counts[pair])


def train(
    words: Mapping[Word, int], choose: Callable[[dict[Pair, int]], Pair] = most_frequent
) -> Iterator[tuple[Pair, int, dict[Word, int]]]:
    """Merge until no pair is left. For each merge, yield (pair, its count, the words after the merge).

    No two words may have the same bytes. `choose` picks the pair from all counts. The tie rules differ only in this
    choice, but for "corpus-order": that one also moves changed words to the end.

    >>> [(pair, count) for pair, count, _ in train({(b"h", b"u", b"g"): 10, (b"p", b"u", b"g"): 5})]
    [((b'u', b'g'), 15), ((b'h', b'ug'), 10), ((b'p', b'ug'), 5)]
    """
    words = dict(words)
    while counts := count_pairs(words):
        pair = choose(counts)
        words = join_in_all(words, pair)
        yield pair, counts[pair], words


def encode(
    word: Sequence[Symbol], ranks: Mapping[tuple[Symbol, Symbol], tuple[int, Symbol]]
) -> Iterator[tuple[int, int, tuple[Symbol, ...]]]:
    """Join, again and again, the pair that was learnt first, where it first occurs; yield every step.

    `ranks`: for each pair its rank, which is its number in the order of learning, and the symbol that it becomes. A
    step is (rank, index of the left half, the word after it). Symbols may be bytes, ids or anything else.

    >>> for rank, at, word in encode("hugs", {("u", "g"): (0, "ug"), ("h", "ug"): (1, "hug")}):
    ...     print(rank, at, word)
    0 1 ('h', 'ug', 's')
    1 0 ('hug', 's')
    """
    word = tuple(word)
    while found := [(ranks[pair][0], at) for at, pair in enumerate(pairwise(word)) if pair in ranks]:
        rank, at = min(found)
        word = (*word[:at], ranks[word[at], word[at + 1]][1], *word[at + 2 :])
        yield rank, at, word


def tokenized(word: Word, merges: Iterable[Pair]) -> Word:
    """Return what a word becomes by `merges`, from the first to the last. Another training can start from the result.

    >>> tokenized((b"h", b"u", b"g", b"s"), [(b"u", b"g"), (b"h", b"ug")])
    (b'hug', b's')
    """
    ranks = {(left, right): (rank, left + right) for rank, (left, right) in enumerate(merges)}
    return [word, *(after for _, _, after in encode(word, ranks))][-1]


def train_on(
    words: Mapping[Word, int],
    merges: Sequence[Pair],
    choose: Callable[[dict[Pair, int]], Pair] = most_frequent,
) -> Iterator[tuple[Pair, int, dict[Word, int]]]:
    """Apply `merges` to the words, then train on the result. Yield the new merges as `train` does.

    >>> [pair for pair, _, _ in train_on({(b"h", b"u", b"g"): 10, (b"p", b"u", b"g"): 5}, [(b"h", b"u")])]
    [(b'hu', b'g'), (b'p', b'u'), (b'pu', b'g')]
    """
    return train({tokenized(word, merges): count for word, count in words.items()}, choose)
