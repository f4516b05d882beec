"""Figures that describe how a tokenizer splits a text, each with the words or tokens that cause it.

    figure               what it is                                            where it comes from
    bytes per token      bytes of the text, divided by its tokens              TokLens calls it the compression ratio
    fertility            tokens of a word, on average                          Rust et al. 2021, 2021.acl-long.243
    whole words          the share of words that are in one token              Nayeem et al. 2025, arXiv 2510.09947
    parts of characters  the share of tokens that begin or end in a character
    Rényi efficiency     how evenly the tokens are used                        Zouhar et al. 2023, 2023.acl-long.284
    premium              tokens of a sentence, divided by the first sentence's Petrov et al. 2023, arXiv 2305.15425
    Gini coefficient     how unequal the token counts of languages are         Foroutan et al. 2025, arXiv 2508.04796

A word is letters and digits with the apostrophes and hyphens between them (see `text.words`): punctuation is no part
of it. The text is encoded as a whole. A word's tokens are all tokens that reach into the word, even a token that begins
with the space before the word. TokLens instead takes the text between white space, and encodes each word alone, as if
the word began a text. Of words without punctuation both ways give the same figures if the tokenizer splits at white
space.

The figures describe; they do not grade. None of them says how good a model will be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2
from typing import NamedTuple

import numpy as np

from bpe_core.text.alphabet import begins_character
from bpe_core.text.words import is_spaced
from bpe_core.tokenizer.walk import TokenTable
from bpe_core.tokenizer.word_symbols import word_symbols

ALPHA = 2.5  # the order of the Rényi efficiency that predicts translation quality best in Zouhar et al. 2023


class WordUse(NamedTuple):
    """A word, the tokens that reach into it, and how many times the text has the word with these tokens.

    `lost`: whether the tokens do not give back a part of the word.
    """

    word: str
    tokens: tuple[bytes, ...]
    times: int
    lost: bool

    @property
    def divides(self) -> bool:
        """Whether figures divide by the word, as in `WordSymbols`."""
        return not self.lost and is_spaced(self.word)

    @property
    def is_whole(self) -> bool:
        """Whether the word is in one token."""
        return len(self.tokens) == 1 and not self.lost


class TokenUse(NamedTuple):
    """A token, how many times the text has it, and how many times it begins or ends inside a character.

    `lost`: whether the token is text that the tokenizer cannot write; `id` is then the unknown token's.
    """

    token: bytes
    id: int
    lost: bool
    times: int
    parts: int


@dataclass(frozen=True)
class Scorecard:
    """The figures of one text under one tokenizer. A figure that the text does not have is None.

    `size`: how many bytes of the text the tokenizer can write. `words`: the different words, each with its tokens.
    `uses`: the different tokens.

    >>> from bpe_core import load
    >>> card = load("gpt2").encode("The lighthouse, the dog").scorecard()
    >>> card.tokens, card.bytes_per_token, card.fertility, card.whole_words
    (5, 4.6, 1.0, 1.0)
    >>> card.words[1]
    WordUse(word='lighthouse', tokens=(b' lighthouse',), times=1, lost=False)
    """

    size: int
    words: tuple[WordUse, ...]
    uses: tuple[TokenUse, ...]

    @property
    def tokens(self) -> int:
        """The number of tokens."""
        return sum(use.times for use in self.uses)

    @property
    def bytes_per_token(self) -> float | None:
        """How many bytes of the text a token has, on average."""
        return _share(self.size, self.tokens)

    @property
    def fertility(self) -> float | None:
        """How many tokens a word has, on average.

        Words that the tokenizer cannot write are left out, and those of scripts without spaces, such as Chinese.
        """
        kept = [use for use in self.words if use.divides]
        return _share(sum(len(use.tokens) * use.times for use in kept), sum(use.times for use in kept))

    @property
    def whole_words(self) -> float | None:
        """The share of the words that are in one token."""
        return _share(sum(use.times for use in self.words if use.is_whole), sum(use.times for use in self.words))

    @property
    def parts(self) -> float | None:
        """The share of the tokens that begin or end inside a character."""
        return _share(sum(use.parts for use in self.uses), self.tokens)

    @property
    def renyi(self) -> float | None:
        """The Rényi efficiency for `ALPHA`, over the different tokens of the text."""
        return renyi_efficiency([use.times for use in self.uses])


def scorecard(table: TokenTable) -> Scorecard:
    """Return the figures of a text's tokens."""
    walk, ids = table.walk, table.ids.tolist()
    names = {i: walk.vocabulary.drawn_bytes(i) for i in set(table.ids[~table.lost].tolist())}
    drawn = [names.get(i, b"") for i in ids]
    for number in np.flatnonzero(table.lost).tolist():
        drawn[number] = table.token(number)
    within = np.append(~begins_character(np.frombuffer(walk.raw, np.uint8)), False)
    parts = (within[table.starts] | within[table.ends]) & (table.ends > table.starts) & ~table.lost
    found = [*zip(drawn, ids, table.lost.tolist(), strict=True)]
    of_parts = Counter(found[number] for number in np.flatnonzero(parts).tolist())
    uses = (TokenUse(*use, times, of_parts[use]) for use, times in Counter(found).items())
    lost = int((table.ends - table.starts)[table.lost].sum())
    return Scorecard(len(walk.raw) - lost, tuple(_words(table, drawn)), tuple(uses))


def _words(table: TokenTable, drawn: Sequence[bytes]) -> Iterator[WordUse]:
    """Yield the words with the tokens that reach into them."""
    text, words = table.walk.text, word_symbols(table.walk)
    firsts = np.searchsorted(table.firsts, words.first, "right") - 1  # the token that has the word's first symbol
    lasts = np.where(words.end > words.first, np.searchsorted(table.firsts, words.end), firsts)
    columns = (words.starts, words.ends, firsts, lasts, words.lost)
    counts = Counter(
        (text[start:end], tuple(drawn[first:last]), lost)
        for start, end, first, last, lost in zip(*(column.tolist() for column in columns), strict=True)
    )
    for (word, tokens, is_lost), times in counts.items():
        yield WordUse(word, tokens, times, is_lost)


def renyi_efficiency(counts: Sequence[int], alpha: float = ALPHA, size: int | None = None) -> float | None:
    """Return the Rényi entropy of order `alpha` of a text's tokens, divided by the largest possible entropy.

    The result is 1 if all tokens are equally frequent, and None if there is only one token. `counts`: how many times
    each token occurs. `size`: the size of the vocabulary; None for the number of different tokens. The logarithm of
    `size` is the largest possible entropy. The entropy of order 1 is Shannon's. Computed as in the package
    tokenization-scorer 1.1.8.

    >>> renyi_efficiency([2, 2, 2, 2]), renyi_efficiency([6, 1, 1], alpha=2, size=4)
    (1.0, 0.3760362432782072)
    """
    total, size = sum(counts), len(counts) if size is None else size
    if size < 2 or not total:
        return None
    shares = [count / total for count in counts]
    if alpha == 1:
        return -sum(share * log2(share) for share in shares) / log2(size)
    return log2(sum(share**alpha for share in shares)) / (1 - alpha) / log2(size)


def premiums(tokens: Sequence[int | None]) -> tuple[float | None, ...]:
    """Return the number of tokens of each sentence, divided by the number of tokens of the first sentence.

    The sentences are translations of one another. `tokens`: the number of tokens of each sentence; None for a sentence
    if the tokenizer loses a part of it.

    >>> premiums([10, 14, None])
    (1.0, 1.4, None)
    """
    first = tokens[0] if tokens else None
    return tuple(size / first if size is not None and first else None for size in tokens)


def gini(numbers: Sequence[float]) -> float | None:
    """Return the Gini coefficient: 0 if all numbers are equal, and nearly 1 if only one of many is above 0.

    The coefficient is the mean difference of two numbers, divided by twice the mean of all numbers. It is None if no
    number is above 0.

    >>> gini([3, 3, 3]), gini([0, 0, 0, 1])
    (0.0, 0.75)
    """
    total, count = sum(numbers), len(numbers)
    if not total:
        return None
    return sum((2 * place - count - 1) * number for place, number in enumerate(sorted(numbers), 1)) / (count * total)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
