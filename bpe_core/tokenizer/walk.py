"""The walk of a text: four arrays, from which the tokens follow; also where pretokens begin, and what has no symbol.

Each of the four arrays has one entry for each base symbol. A boundary that has fallen stays fallen, so the tokens after
every step follow from the arrays. The text "a hugs", split at white space, where u + g is merged at step 1 (its token
has the id 256):

    bytes           0   1   2   3   4   5          the space at byte 1 is dropped
    symbols         a       h   u   g   s
    starts          0       2   3   4   5
    ends            1       3   4   5   6
    ids             97     104 117 103 115
    merged_at       ∞       ∞   ∞   1   ∞          the step at which the boundary before each symbol fell; ∞: NEVER

    after step 1    a       h   ug      s          a token begins where merged_at > 1
    firsts          0       1   2       4          the first symbol of each token
    starts          0       2   3       5
    ends            1       3   5       6
    ids             97     104  256    115         a token of several symbols has the id that its step made
    made            0       0   1       0          the largest merged_at inside a token: the step that made it
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bpe_core.text.alphabet import begins_character, encode_text
from bpe_core.text.arrays import Ids, Indexes, Integers, Mask, Offsets, ShortOffsets, Steps, list_of
from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.vocabulary import Vocabulary
from bpe_core.training.lifetimes import tokens_after


class Word(NamedTuple):
    """A pretoken within a walk: its first symbol, and the symbol after its last."""

    first: int
    end: int


@dataclass(frozen=True, eq=False)
class Walk:
    """A text and its base symbols: `starts`, `ends` (offsets in the bytes of `text`), `ids`, `merged_at`.

    `text` is normalized. A symbol that covers no text, such as a word marker, ends where it starts. `words`: the index
    of the first symbol of every pretoken; a special token counts as a pretoken. `fallen`: the start and the end, in
    bytes, of each part of the text that no symbol has, since a library's model drops what it does not know.

    >>> from bpe_core import Settings, train
    >>> walk = train("hug hug pug", Settings("whitespace", vocab_size=257)).tokenizer().encode("a hugs").walk
    >>> walk.starts.tolist(), walk.words.tolist(), walk.tokens(1).ids.tolist()
    ([0, 2, 3, 4, 5], [0, 1], [97, 104, 256, 115])
    """

    vocabulary: Vocabulary
    text: str
    starts: ShortOffsets
    ends: ShortOffsets
    ids: Ids
    merged_at: Steps
    words: Integers
    fallen: Integers = field(default_factory=lambda: np.zeros((0, 2), np.int64))

    def __len__(self) -> int:
        """Return how many symbols there are."""
        return len(self.ids)

    @cached_property
    def raw(self) -> bytes:
        """The bytes of the text."""
        return encode_text(self.text)

    @cached_property
    def lost(self) -> Mask:
        """For every symbol, whether the vocabulary cannot write its text.

        The unknown token loses nothing where the text itself is the token's name, such as `[UNK]`.

        >>> from bpe_core import Settings, train
        >>> tok = train("hug", Settings("whitespace", "characters", vocab_size=3)).tokenizer()
        >>> tok.encode("bug").walk.lost.tolist()
        [True, False, False]
        """
        lost: Mask = self.ids == UNKNOWN
        unknown = self.vocabulary.unknown_id
        if unknown is not None:
            name = self.vocabulary.token_bytes(unknown)
            for symbol in np.flatnonzero(self.ids == unknown).tolist():
                lost[symbol] = self.raw[self.starts[symbol] : self.ends[symbol]] not in (b"", name)
        return lost

    @property
    def pieces_lost(self) -> int:
        """How many pieces of the text the vocabulary cannot write: symbols that are lost, and what has fallen."""
        return int(self.lost.sum()) + len(self.fallen)

    def tokens(self, step: int) -> TokenTable:
        """Return the tokens after `step` merges.

        >>> from bpe_core import Settings, train
        >>> tokens = train("hug hug pug", Settings(vocab_size=257)).tokenizer().encode("hugs").walk.tokens(1)
        >>> tokens.starts.tolist(), tokens.made.tolist(), tokens.token(1)
        ([0, 1, 3], [0, 1, 0], b'ug')
        """
        firsts, made = tokens_after(self.merged_at, step)
        ids = self.ids[firsts]
        ids[made > 0] = self.vocabulary.made_ids[made[made > 0] - 1]
        ends = self.ends[np.append(firsts, len(self))[1:] - 1]
        return TokenTable(self, firsts, self.starts[firsts], ends, ids, made)

    def word_at(self, symbol: int) -> Word:
        """Return the pretoken that a symbol is in.

        >>> from bpe_core import Settings, train
        >>> train("hug pug", Settings(vocab_size=256)).tokenizer().encode("hug pug").walk.word_at(4)
        Word(first=3, end=7)
        """
        if not 0 <= symbol < len(self):
            raise ValueError(f"symbol {symbol} is not in this text of {len(self)} symbols")
        number = int(np.searchsorted(self.words, symbol, "right"))
        end = self.words[number] if number < len(self.words) else len(self)
        return Word(int(self.words[number - 1]), int(end))

    @cached_property
    def characters_before(self) -> Offsets:
        """How many characters begin before each byte of the text. The last entry is for the end of the text."""
        if len(self.raw) == len(self.text):
            return np.arange(len(self.raw) + 1)
        return np.append(0, np.cumsum(begins_character(np.frombuffer(self.raw, np.uint8))))

    def characters(self, starts: Integers, ends: Integers) -> tuple[Offsets, Offsets]:
        """Convert spans in bytes to (starts, ends) in characters. A part of a character has the character's span.

        >>> from bpe_core import Settings, train
        >>> walk = train("hug", Settings(vocab_size=256)).tokenizer().encode("né").walk  # its symbols are n, C3, A9
        >>> [column.tolist() for column in walk.characters(walk.starts, walk.ends)]
        [[0, 1, 1], [1, 2, 2]]
        """
        begun = self.characters_before
        upto = begun[np.minimum(starts + 1, ends)]
        return np.where(ends > starts, upto - 1, upto), begun[ends]


@dataclass(frozen=True, eq=False)
class TokenTable:
    """The tokens of a walk after some step, in arrays with an entry for each token: see the module's drawing."""

    walk: Walk
    firsts: Indexes
    starts: ShortOffsets
    ends: ShortOffsets
    ids: Ids
    made: Steps

    def __len__(self) -> int:
        """Return how many tokens there are."""
        return len(self.ids)

    @cached_property
    def lost(self) -> Mask:
        """For every token, whether the vocabulary cannot write its text."""
        lost: Mask = self.walk.lost[self.firsts]
        return lost

    def token(self, number: int) -> bytes:
        """Return the bytes of a token. A token for text that the vocabulary cannot write has the bytes of that text."""
        if self.lost[number]:
            return self.walk.raw[self.starts[number] : self.ends[number]]
        return self.walk.vocabulary.token_bytes(int(self.ids[number]))

    def tokens(self, end: int | None = None) -> list[bytes]:
        """Return the bytes of the first `end` tokens, or of all tokens, as `token` returns them one by one.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=257)).tokenizer().encode("hugs").walk.tokens(1).tokens()
        [b'h', b'ug', b's']
        """
        ids = list_of(self.ids[:end])
        known = {token_id: self.walk.vocabulary.token_bytes(token_id) for token_id in set(ids)}
        found = [known[token_id] for token_id in ids]
        for number in np.flatnonzero(self.lost[:end]).tolist():
            found[number] = self.token(number)
        return found

    def drawn(self, number: int) -> bytes:
        """Return the bytes of a token as it is drawn; see `Vocabulary.drawn_bytes`."""
        return self.token(number) if self.lost[number] else self.walk.vocabulary.drawn_bytes(int(self.ids[number]))
