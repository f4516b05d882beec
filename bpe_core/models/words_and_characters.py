"""The two extremes between which subword tokens lie: whole words, and single characters.

Neither learns anything but a list of the most frequent units; what is not on the list is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bpe_core.settings import Settings
from bpe_core.text.alphabet import encode_text
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.encoder import UNKNOWN

LEVELS: dict[str, Callable[[str], Iterable[str]]] = {
    "word": lambda word: (word,),
    "character": lambda word: word,
}


@dataclass(frozen=True, eq=False, repr=False)
class Level:
    """Looks up a word's units, a key of `LEVELS`, in a vocabulary.

    >>> model = count({"low": 5, "lower": 2}, Settings(alphabet="characters", vocab_size=1), "word")
    >>> model.tokens, model.encode_word("low"), model.encode_word("lower")
    ((b'low',), (0,), (-1,))
    """

    tokens: tuple[bytes, ...]
    pretokenizer: Pretokenizer
    level: str

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        return {token: i for i, token in enumerate(self.tokens)}

    def encode_word(self, word: str) -> tuple[int, ...]:
        """The ids of one pretoken; `UNKNOWN` for each unit that the vocabulary lacks."""
        return tuple(self._ids.get(encode_text(unit), UNKNOWN) for unit in LEVELS[self.level](word))


def count(counts: Mapping[str, int], settings: Settings, level: str) -> Level:
    """The most frequent units of counted pretokens, as many as the vocabulary holds; of equals those seen first.

    >>> count({"low": 5, "lower": 2}, Settings(alphabet="characters", vocab_size=3), "character").tokens
    (b'l', b'o', b'w')
    """
    found: Counter[str] = Counter()
    for word, times in counts.items():
        for unit in LEVELS[level](word):
            found[unit] += times
    room = settings.vocab_size - len(settings.special_tokens)
    tokens = tuple(encode_text(unit) for unit, _ in found.most_common(max(room, 0)))
    return Level(tokens, settings.splitter, level)
