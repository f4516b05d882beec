"""The order in which a tie rule prefers pairs, while training changes the corpus."""

from __future__ import annotations

from typing import Any

import numpy as np

from bpe_core.settings import Settings
from bpe_core.text.alphabet import FlatCorpus
from bpe_core.text.arrays import Indexes
from bpe_core.ties import TIE_RULES
from bpe_core.training.working_corpus import Sites


class TieOrder:
    """The key of each pair. Of equally frequent pairs, the pair with the smallest key is merged.

    A rule by name compares the two tokens. A rule by site compares the pair's first site in reading order. Each word
    has a turn in that order; a word that moves to the end of the corpus gets a new turn, the last:

        words      low  lower  new          the merge l + o moves the words that it changed to the end
        turns       0     1     2
        after       3     4     2           the corpus reads: new, low, lower
    """

    def __init__(self, flat: FlatCorpus, settings: Settings) -> None:
        """Give each word its turn, and each base symbol the key by which a rule by name compares it."""
        rule = TIE_RULES[settings.tie_rule]
        self.moves_words = rule.moves_words
        self.moved: list[Indexes] = []  # for each merge the rows of the words that it moved
        self._name_key = rule.name_key
        self._rule = rule
        self._alphabet = settings.alphabet
        self._names: list[Any] = []  # for each token the key that the rule compares
        self._next_turn = len(flat.starts)
        if self.moves_words:
            lengths = np.diff(np.append(flat.starts, len(flat.symbols)))
            self._word_at = np.append(0, np.repeat(np.arange(len(lengths)), lengths))  # row of the word at a position
            self._turn_of = np.arange(len(lengths))  # the turn of each word
        for token in flat.tokens:
            self.add(token)

    def add(self, token: bytes) -> None:
        """Add a token, with the next free id."""
        if self._name_key:
            self._names.append(self._name_key(self._alphabet, len(self._names), token))

    def key(self, left: int, right: int, sites: Sites) -> Any:
        """Return the key of the pair `left`, `right`, which occurs at `sites`."""
        if self._name_key:
            return self._names[left], self._names[right]
        if not self.moves_words:
            return int(sites[0])
        array = np.asarray(sites)
        return int(self._rule.site_key(self._turn_of[self._word_at[array]], array, len(self._word_at)).min())

    def move(self, sites: Sites) -> None:
        """Move the words that contain `sites` to the end of the corpus; the words keep their present order."""
        if self.moves_words:
            words = np.unique(self._word_at[np.asarray(sites)])
            words = words[np.argsort(self._turn_of[words])]
            self._turn_of[words] = self._next_turn + np.arange(len(words))
            self._next_turn += len(words)
            self.moved.append(words)
