"""The two extremes between which subword tokens lie: whole words, and single characters.

Both learn only a list of the most frequent units. A unit that is not in the list is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bpe_core.settings import Settings
from bpe_core.text.alphabet import encode_text
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.base_symbols import UNKNOWN

UNITS: dict[str, Callable[[str], Iterable[str]]] = {  # what a word is made of
    "word": lambda word: (word,),
    "character": lambda word: word,
}


@dataclass(frozen=True, eq=False, repr=False)
class UnitModel:
    """A model that looks up a word's units in a vocabulary. `unit`: a key of `UNITS`.

    >>> model = count({"low": 5, "lower": 2}, Settings(alphabet="characters", vocab_size=1), "word")
    >>> model.tokens, model.encode_word("low"), model.encode_word("lower")
    ((b'low',), (0,), (-1,))
    """

    tokens: tuple[bytes, ...]
    pretokenizer: Pretokenizer
    unit: str

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        return {token: i for i, token in enumerate(self.tokens)}

    def encode_word(self, word: str) -> tuple[int, ...]:
        """Return the ids of one pretoken; `UNKNOWN` for each unit that the vocabulary lacks."""
        return tuple(self._ids.get(encode_text(unit), UNKNOWN) for unit in UNITS[self.unit](word))


def count(counts: Mapping[str, int], settings: Settings, unit: str) -> UnitModel:
    """Return a model with the most frequent units of counted pretokens, up to the vocabulary's size.

    Of equally frequent units the unit seen first comes first.

    >>> count({"low": 5, "lower": 2}, Settings(alphabet="characters", vocab_size=3), "character").tokens
    (b'l', b'o', b'w')
    """
    found: Counter[str] = Counter()
    for word, times in counts.items():
        for part in UNITS[unit](word):
            found[part] += times
    size = max(settings.vocab_size - len(settings.special_tokens), 0)
    tokens = tuple(encode_text(part) for part, _ in found.most_common(size))
    return UnitModel(tokens, settings.splitter, unit)
