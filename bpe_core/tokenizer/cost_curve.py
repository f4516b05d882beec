"""The cost of a text as a vocabulary grows: how many tokens and whole words the text has after every merge.

One encoding is enough. A boundary between two symbols is there until a merge removes it. So counting how many
boundaries each step removes gives the number of tokens at all vocabulary sizes at once. A word (see `text.words`) is
whole, in one token, once its last inner boundary is gone. The text "hugs pug", where u + g is merged at step 1, h + ug
at step 2 and hug + s at step 4:

    symbols              h   u   g   s        p   u   g
    merged_at            ∞   2   1   4        ∞   ∞   1         of the boundary before each symbol

    step                 0   1   2   3   4
    boundaries that fall     2   1   0   1                      how often merged_at is this step
    tokens               7   5   4   4   3                      all symbols less the boundaries that have fallen
    whole words          0   0   0   0   1                      "hugs" from step 4 on: the largest of 2, 1 and 4
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bpe_core.text.arrays import Counts, Floats, Integers
from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.walk import Walk
from bpe_core.tokenizer.word_symbols import WordSymbols, word_symbols
from bpe_core.training.lifetimes import NEVER


@dataclass(frozen=True)
class Cost:
    """What a text costs: how many tokens it has, and how many of its characters the tokens give back.

    `kept`: characters in tokens with an id. `dropped`: characters in no pretoken. `unknown`: characters that are not in
    the alphabet; they have tokens, but decoding loses them. `is_normalized`: whether normalizers changed the text. All
    characters are counted in the normalized text.

    >>> cost = Cost(tokens=15, kept=25, dropped=6)
    >>> cost.lost, cost.characters, round(cost.each, 2)
    (6, 31, 1.67)
    """

    tokens: int
    kept: int
    dropped: int = 0
    unknown: int = 0
    is_normalized: bool = False

    @property
    def lost(self) -> int:
        """How many characters the tokens do not give back."""
        return self.dropped + self.unknown

    @property
    def characters(self) -> int:
        """How many characters the text has."""
        return self.kept + self.lost

    @property
    def each(self) -> float:
        """How many characters a token gives back, on average."""
        return self.kept / max(self.tokens, 1)


@dataclass(frozen=True, eq=False)
class CostCurve:
    """A text under a tokenizer after 0, 1, 2, … of its merges; made by `cost_curve`.

    `tokens[k]`: how many tokens the text has after `k` merges. `words`: how many words the text has. `whole[k]`: how
    many words are in one token after `k` merges. `per_word[k]`: how many tokens reach into a word then, on average (see
    `WordSymbols`); not a number if there is no word to divide by. `base`: the cost before any merge. Merges change only
    the number of tokens in it. `unknown`: the different characters that are not in the alphabet.
    """

    tokens: Counts
    whole: Counts
    per_word: Floats
    words: int
    base: Cost
    unknown: tuple[str, ...] = ()

    def at(self, step: int) -> Cost:
        """Return the cost of the text after `step` merges."""
        return replace(self.base, tokens=int(self.tokens[step]))

    def after(self, step: int) -> CostCurve:
        """Return the part of the curve from `step` on. In the new curve, that step is step 0.

        >>> from bpe_core import Settings, train
        >>> tok = train("hug hug pug", Settings("whitespace", vocab_size=258)).tokenizer()
        >>> cost_curve("a hug", tok).after(1).tokens.tolist()
        [3, 2]
        """
        return replace(self, tokens=self.tokens[step:], whole=self.whole[step:], per_word=self.per_word[step:])


def cost_curve(text: str, tokenizer: Tokenizer) -> CostCurve:
    """Encode `text` once, and count its tokens and whole words at every size of the vocabulary.

    A tokenizer that normalizes is measured on the normalized text.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings("whitespace", vocab_size=258)).tokenizer()
    >>> found = cost_curve("a hug", tok)
    >>> found.tokens.tolist(), found.whole.tolist(), found.words
    ([4, 3, 2], [1, 1, 2], 2)
    >>> found.at(2)
    Cost(tokens=2, kept=4, dropped=1, unknown=0, is_normalized=False)
    """
    walk = tokenizer.encode(text, specials=True).walk
    steps = len(tokenizer.merges)
    words, falls = word_symbols(walk), np.minimum(walk.merged_at, steps + 1)
    fallen = np.bincount(falls, minlength=steps + 2)[: steps + 1]
    inside = words.boundaries(len(walk))
    left = inside.sum() - np.cumsum(np.bincount(falls[inside], minlength=steps + 2)[: steps + 1])
    number = int(words.divides.sum())
    begun = walk.characters_before
    whole_from = _whole_from(walk, words)
    characters, known = begun[walk.ends] - begun[walk.starts], walk.ids != UNKNOWN
    lost = zip(begun[walk.starts[~known]].tolist(), begun[walk.ends[~known]].tolist(), strict=True)
    kept, unknown = int(characters[known].sum()), int(characters[~known].sum())
    return CostCurve(
        tokens=len(walk) - np.cumsum(fallen),
        whole=np.cumsum(np.bincount(np.minimum(whole_from, steps + 1), minlength=steps + 2)[: steps + 1]),
        per_word=(number + left) / number if number else np.full(steps + 1, np.nan),
        words=len(whole_from),
        base=Cost(len(walk), kept, len(walk.text) - kept - unknown, unknown, walk.text != text),
        unknown=tuple(dict.fromkeys(char for start, end in lost for char in walk.text[start:end])),
    )


def _whole_from(walk: Walk, words: WordSymbols) -> Integers:
    """Return for each word the step from which on it is in one token: `NEVER` if there is none.

    The example at the top of the module:

        symbols      h  u  g  s   p  u  g
        merged_at    ∞  2  1  4   ∞  ∞  1  0      with a 0 at the end, where a word may end
        a, b            1         4  5     7      the symbols that begin inside "hugs", "pug" are those from a to b
        maxima          4         ∞  ∞     0      from each a to its b; and from b to the next a, left out
        latest          4            ∞
    """
    a = np.minimum(words.first + 1, words.end)
    bounds = np.column_stack((a, words.end)).ravel()
    latest = np.maximum.reduceat(np.append(walk.merged_at, 0), bounds)[::2]
    return np.where(words.lost, NEVER, np.where(words.end > a, latest, 0))
