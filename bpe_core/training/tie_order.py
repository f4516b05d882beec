"""The order in which a tie rule prefers pairs, kept up to date while training goes on."""

from __future__ import annotations

import numpy as np

from bpe_core.settings import Settings
from bpe_core.text.alphabet import FlatCorpus
from bpe_core.ties import TIE_RULES
from bpe_core.training.working_corpus import Sites


class TieOrder:
    """Gives each pair its key; of equally frequent pairs the one with the smallest key is merged.

    A rule by name sorts by the two tokens. A rule by site sorts by the pair's first site in reading order: words are
    read by their turns, and a word that is moved to the end of the corpus gets a new turn.
    """

    def __init__(self, flat: FlatCorpus, settings: Settings) -> None:
        """Take in the alphabet."""
        rule = TIE_RULES[settings.tie_rule]
        self._name_key, self.moves_words = rule.name_key, rule.moves_words
        self.moved: list[np.ndarray] = []  # for each merge the rows of the words that it moved
        self._alphabet = settings.alphabet
        self._names: list = []  # of each token, what it is sorted by
        self._turns = len(flat.starts)
        if self.moves_words:
            lengths = np.diff(np.append(flat.starts, len(flat.symbols)))
            self._word_at = np.append(0, np.repeat(np.arange(len(lengths)), lengths))  # of each position
            self._turn_of = np.arange(len(lengths))  # of each word
        for token in flat.tokens:
            self.add(token)

    def add(self, token: bytes) -> None:
        """Take in a new token."""
        if self._name_key:
            self._names.append(self._name_key(self._alphabet, len(self._names), token))

    def key(self, left: int, right: int, sites: Sites) -> object:
        """The key of a pair that stands at these sites."""
        if self._name_key:
            return self._names[left], self._names[right]
        if not self.moves_words:
            return int(sites[0])
        array = np.asarray(sites)
        return int((self._turn_of[self._word_at[array]] * len(self._word_at) + array).min())

    def move(self, sites: Sites) -> None:
        """Move the words at these sites to the end of the corpus, in the order in which they are read."""
        if self.moves_words:
            words = np.unique(self._word_at[np.asarray(sites)])
            words = words[np.argsort(self._turn_of[words])]
            self._turn_of[words] = self._turns + np.arange(len(words))
            self._turns += len(words)
            self.moved.append(words)
