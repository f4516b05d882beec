"""A tokenizer: a vocabulary and its merges, applied to text and undone again.

Merges apply in the order in which they were learnt. A token's inside is therefore always cut the same way, which is
why the final tokens are enough to know where the boundaries fell (`Encoding.merged_at`), and with them the tokens of
every smaller vocabulary.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from bpe_core.alphabet import MARKER, encode_text, symbols_of
from bpe_core.counting import segments
from bpe_core.pretokenizers import Pretoken, Pretokenizer
from bpe_core.symbols import NEVER

UNKNOWN = -1  # the id of a character that the alphabet does not have
UNKNOWN_TEXT = "<unk>"
SHORT = 64  # symbols; up to here looking through all pairs is faster than a queue
MEMO = 1 << 17  # words


def decode_bytes(raw: bytes) -> str:
    """UTF-8 with lone surrogates; what is neither becomes U+FFFD.

    >>> decode_bytes(b"\\xed\\xa0\\x80 \\xff") == "\\ud800 \\ufffd"
    True
    """
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        good = raw[: error.start].decode("utf-8", "surrogatepass")
        return good + "\ufffd" + decode_bytes(raw[error.end :])


@dataclass(frozen=True, eq=False, repr=False)
class Tokenizer:
    """Encodes text with a vocabulary, and decodes ids.

    `tokens`: bytes by id. `merges`: (left id, right id, new id), the first learnt first. `special_tokens`: name → id.

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> tok.encode("hugs").tokens
    (b'hug', b's')
    >>> tok.decode(tok.encode("a bug").ids)
    'a bug'
    """

    tokens: tuple[bytes, ...]
    merges: tuple[tuple[int, int, int], ...]
    pretokenizer: Pretokenizer
    alphabet: str = "bytes"
    word_marker: str = "none"
    special_tokens: Mapping[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Its size; the tables are too long to print."""
        return f"<Tokenizer of {self.vocab_size} tokens>"

    @cached_property
    def _ranks(self) -> dict[tuple[int, int], tuple[int, int]]:
        """(left, right) → (rank, new id)."""
        return {(left, right): (rank, new) for rank, (left, right, new) in enumerate(self.merges)}

    @cached_property
    def _base(self) -> dict[bytes, int]:
        made = {new for _, _, new in self.merges}
        return {token: i for i, token in enumerate(self.tokens) if i not in made}

    @property
    def base_ids(self) -> Mapping[bytes, int]:
        """The ids of the tokens that no merge makes, by their bytes."""
        return self._base

    @cached_property
    def made_ids(self) -> np.ndarray:
        """The id that each step makes; step `k` is at `k - 1`."""
        return np.array([new for _, _, new in self.merges], np.int64)

    @cached_property
    def _memo(self) -> dict[str, tuple[int, ...]]:
        return {}

    @cached_property
    def _names(self) -> dict[int, str]:
        return {i: name for name, i in self.special_tokens.items()}

    def encode(self, text: str, specials: bool = True) -> Encoding:
        """The tokens of `text`. With `specials` off, the names of special tokens are text like any other."""
        pretokens: list[Pretoken] = []
        ids: list[tuple[int, ...]] = []
        for piece, start, special in segments(text, tuple(self.special_tokens) if specials else ()):
            if special:
                pretokens.append(Pretoken(piece, start, start + len(piece), "special token"))
                ids.append((self.special_tokens[piece],))
                continue
            for cut in self.pretokenizer.split(piece):
                pretokens.append(cut._replace(start=cut.start + start, end=cut.end + start))
                ids.append(self.encode_word(cut.text))
        return Encoding(self, text, tuple(pretokens), tuple(ids))

    def encode_word(self, word: str) -> tuple[int, ...]:
        """The ids of one pretoken.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer(1).encode_word("pug")
        (112, 256)
        """
        ids = self._memo.get(word)
        if ids is None:
            symbols = symbols_of(word, self.alphabet, self.word_marker)
            ids = tuple(self._merge([self._base.get(symbol, UNKNOWN) for symbol in symbols]))
            if len(self._memo) >= MEMO:
                self._memo.clear()
            self._memo[word] = ids
        return ids

    def _merge(self, ids: list[int]) -> list[int]:
        if len(ids) > SHORT:
            return self._merge_long(ids)
        ranks, none = self._ranks, (len(self.merges), 0)
        found = [ranks.get(pair, none) for pair in pairwise(ids)]
        while found and (best := min(found)) is not none:
            i = found.index(best)
            ids[i : i + 2] = [best[1]]
            del found[i]
            if i:
                found[i - 1] = ranks.get((ids[i - 1], ids[i]), none)
            if i < len(found):
                found[i] = ranks.get((ids[i], ids[i + 1]), none)
        return ids

    def _merge_long(self, ids: list[int]) -> list[int]:
        """The same with a queue: a long word costs n log n."""
        ranks, size = self._ranks, len(ids)
        behind, before = list(range(1, size + 1)), list(range(-1, size - 1))
        queue = [(*ranks[pair], i, *pair) for i, pair in enumerate(pairwise(ids)) if pair in ranks]
        queue = [(rank, i, left, right, new) for rank, new, i, left, right in queue]
        heapq.heapify(queue)
        while queue:
            _, i, left, right, new = heapq.heappop(queue)
            j = behind[i]
            if j == size or ids[i] != left or ids[j] != right:
                continue  # one of the two has been merged since
            ids[i], ids[j] = new, None
            behind[i] = k = behind[j]
            if k < size:
                before[k] = i
            for a, b in ((before[i], i), (i, k)):
                if a >= 0 and b < size and (made := ranks.get((ids[a], ids[b]))):
                    heapq.heappush(queue, (made[0], a, ids[a], ids[b], made[1]))
        return [i for i in ids if i is not None]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of `ids`; bytes that are no UTF-8 become U+FFFD, an unknown character `<unk>`.

        A word marker becomes a space where the pretokenizer dropped the white space, and nothing where it kept it.
        Raises `ValueError` for an id that the vocabulary does not have.
        """
        raw = b"".join(map(self.token_bytes, ids))
        if self.word_marker == "none":
            return decode_bytes(raw)
        text = decode_bytes(raw.replace(MARKER, b"" if self.pretokenizer.lossless else b" "))
        if self.pretokenizer.lossless:
            return text
        return text.removesuffix(" ") if self.word_marker == "end" else text.removeprefix(" ")

    def token_bytes(self, token_id: int) -> bytes:
        """The bytes of one token, special and unknown ones included."""
        if token_id in self._names:
            return encode_text(self._names[token_id])
        if token_id == UNKNOWN:
            return UNKNOWN_TEXT.encode()
        if not 0 <= token_id < len(self.tokens):
            raise ValueError(f"id {token_id} is not in this vocabulary of {self.vocab_size} tokens")
        return self.tokens[token_id]

    @property
    def vocab_size(self) -> int:
        """How many tokens there are, special ones included."""
        return len(self.tokens) + len(self.special_tokens)

    @cached_property
    def _inside(self) -> dict[int, tuple[int, ...]]:
        return {}

    def inside(self, token_id: int) -> tuple[int, ...]:
        """The steps at which the boundaries inside a token fell, from left to right.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer().inside(257)
        (2, 1)
        """
        if token_id not in self._inside:
            made = self._made.get(token_id)
            if made is None:
                return ()
            left, right, step = made
            self._inside[token_id] = (*self.inside(left), step, *self.inside(right))
        return self._inside[token_id]

    def origin(self, token_id: int) -> tuple[int, int, int] | None:
        """(left id, right id, step) of the merge that made a token; None for one that no merge makes."""
        return self._made.get(token_id)

    def step_of(self, left: int, right: int) -> int | None:
        """The step that joins two tokens, or None."""
        found = self._ranks.get((left, right))
        return found[0] + 1 if found else None

    @cached_property
    def _made(self) -> dict[int, tuple[int, int, int]]:
        return {new: (left, right, rank + 1) for rank, (left, right, new) in enumerate(self.merges)}


@dataclass(frozen=True, eq=False)
class Encoding:
    """A text and its tokens. `pretokens` and `words` go together: each pretoken and the ids that it became."""

    tokenizer: Tokenizer
    text: str
    pretokens: tuple[Pretoken, ...]
    words: tuple[tuple[int, ...], ...]

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The id of every token; `UNKNOWN` for a character that the alphabet does not have."""
        return tuple([i for word in self.words for i in word])

    @cached_property
    def tokens(self) -> tuple[bytes, ...]:
        """The bytes of every token; an unknown character's own."""
        if UNKNOWN not in self.ids:
            return tuple(map(self.tokenizer.token_bytes, self.ids))
        return tuple(
            encode_text(self.text[start:end]) if i == UNKNOWN else self.tokenizer.token_bytes(i)
            for i, (start, end) in zip(self.ids, self.spans, strict=True)
        )

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Character offsets (start, end) of every token in the text; pieces of one character share its span."""
        spans: list[tuple[int, int]] = []
        for pretoken, ids in zip(self.pretokens, self.words, strict=True):
            spans += self._spans_of(pretoken, ids)
        return tuple(spans)

    def _spans_of(self, pretoken: Pretoken, ids: tuple[int, ...]) -> list[tuple[int, int]]:
        if len(ids) == 1:
            return [(pretoken.start, pretoken.end)]
        character = self._character_of_unit(pretoken.text)
        spans, unit = [], 0
        for i in ids:
            units = self._units(i)
            first = character[unit] if unit < len(character) else len(pretoken.text)
            unit += units
            last = character[unit - 1] + 1 if units else first
            spans.append((pretoken.start + first, pretoken.start + last))
        return spans

    def _character_of_unit(self, word: str) -> range | list[int]:
        if self.tokenizer.alphabet == "characters" or word.isascii():
            return range(len(word))
        return [k for k, char in enumerate(word) for _ in encode_text(char)]

    def _units(self, token_id: int) -> int:
        """How many bytes (or characters) of the text a token covers; its word marker covers none."""
        if token_id == UNKNOWN:
            return 1
        token = (
            self.tokenizer.tokens[token_id].replace(MARKER, b"")
            if self.tokenizer.word_marker != "none"
            else (self.tokenizer.tokens[token_id])
        )
        return len(token) if self.tokenizer.alphabet == "bytes" else len(decode_bytes(token))

    @cached_property
    def merged_at(self) -> np.ndarray:
        """For every base symbol, the step at which the boundary before it fell; `NEVER` where a token begins.

        The tokens of the vocabulary after `k` merges begin where this is greater than `k`.
        """
        inside = self.tokenizer.inside
        return np.array([step for i in self.ids for step in (NEVER, *inside(i))], np.int64)
