"""A vocabulary: its tokens by id, and its merges."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_core.text.alphabet import MARKER, encode_text
from bpe_core.text.arrays import Ids
from bpe_core.text.byte_strings import ByteStrings, byte_strings
from bpe_core.tokenizer.base_symbols import UNKNOWN, BaseSymbols
from bpe_core.tokenizer.derivations import Derivation, Derivations, DerivationsByList, DerivationsByRank
from bpe_core.tokenizer.merging import IdMerge, Ranks, ranks_of
from bpe_core.tokenizer.model_kinds import ModelKind
from bpe_core.training.lifetimes import NEVER

# Kinds of tokens whose bytes alone do not say when they are used.
ADDED, BYTE, WITHIN = "added", "byte", "within a word"
CONTINUING = "##"  # how a token that continues a word is written
UNKNOWN_TEXT = "<unk>"
AT_ONCE = 4096  # ids that are decoded together


class WordTokens(NamedTuple):
    """The tokens that start a word and the tokens within words, text → id.

    Tokens of letters come before all others, and short tokens before long ones. `longest`: how many characters the
    longest token has.
    """

    starts: dict[str, int]
    within: dict[str, int]
    longest: int


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The tokens of a vocabulary and its merges.

    Two fields are described here, and the others at `Tokenizer`. `endings`: see `BaseSymbols`. `by_rank`: whether
    derivations are found by `DerivationsByRank`, instead of `DerivationsByList`.

    >>> from bpe_core import Settings, train
    >>> vocabulary = train("hug hug pug", Settings(vocab_size=258)).tokenizer().vocabulary
    >>> vocabulary.token_bytes(257), vocabulary.made(257)
    (b'hug', Derivation(inside=(2, 1), last=(104, 256, 2)))
    """

    tokens: tuple[bytes, ...]
    merges: Sequence[IdMerge]
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    alphabet: str = "bytes"
    word_marker: str = "none"
    symbols: Mapping[bytes, int] | None = None
    byte_ids: tuple[int, ...] = ()
    shared_ranks: bool = False
    endings: Mapping[int, int] = field(default_factory=dict)
    by_rank: bool = False
    unknown_id: int | None = None
    kinds: Mapping[int, str] = field(default_factory=dict)
    model: ModelKind = ModelKind.BPE

    @cached_property
    def within(self) -> frozenset[int]:
        """The ids of the tokens that only continue a word, such as `##ing`, if the model takes the longest tokens."""
        return frozenset(i for i, kind in self.kinds.items() if kind == WITHIN and self.model.takes_longest)

    @cached_property
    def added(self) -> frozenset[int]:
        """The ids of the added tokens."""
        return frozenset(i for i, kind in self.kinds.items() if kind == ADDED)

    @cached_property
    def ordinary(self) -> Mapping[bytes, int]:
        """The tokens that are not special and have no kind in `kinds`, bytes → id."""
        apart = self.kinds.keys() | self.special_names.keys()
        return {token: i for i, token in enumerate(self.tokens) if token and i not in apart}

    @cached_property
    def base(self) -> BaseSymbols:
        """The base symbols: `symbols`, or else the tokens that no merge makes."""
        ids = self.symbols
        if ids is None:
            made = {new for _, _, new in self.merges}
            ids = {token: i for i, token in enumerate(self.tokens) if i not in made}
        return BaseSymbols(self.tokens, ids, self.alphabet, self.word_marker, self.byte_ids, self.endings)

    @cached_property
    def ranks(self) -> Ranks:
        """The rank of every pair that a merge joins: see `merging.ranks_of`."""
        return ranks_of(self.merges, self.shared_ranks)

    @cached_property
    def halves(self) -> Ids:
        """The ids that each step joins, as rows (left, right). Step `k` has row `k - 1`."""
        # A generator, since it lets other threads run.
        ids = (half for left, right, _ in self.merges for half in (left, right))
        return np.fromiter(ids, np.int32, 2 * len(self.merges)).reshape(-1, 2)

    @cached_property
    def made_ids(self) -> Ids:
        """The id that each step makes. Step `k` has index `k - 1`."""
        return np.array([new for _, _, new in self.merges], np.int32)

    @cached_property
    def token_column(self) -> ByteStrings:
        """The tokens as a column, to search all at once."""
        return byte_strings(self.tokens)

    @cached_property
    def in_byte_order(self) -> tuple[list[bytes], Ids]:
        """The tokens as they are drawn and the ids, both in the order of the tokens' bytes, without special tokens."""
        ids = [i for i, token in enumerate(self.tokens) if token and i not in self.special_names]
        drawn = [self.drawn_bytes(i) for i in ids]
        order = byte_strings(drawn).sorted_indexes()
        return [drawn[at] for at in order.tolist()], np.array(ids, np.int32)[order]

    def longer(self, start: bytes) -> Ids:
        """Return, in ascending order, the ids of all tokens in `in_byte_order` that continue `start` with more bytes.

        >>> from bpe_core import Settings, train
        >>> train("hug hug hugs", Settings(vocab_size=258)).tokenizer().vocabulary.longer(b"h").tolist()
        [256, 257]
        """
        tokens, ids = self.in_byte_order
        first = bisect_right(tokens, start)
        end = bisect_right(tokens, start, lo=first, key=lambda token: token[: len(start)])
        found: Ids = np.sort(ids[first:end])
        return found

    @cached_property
    def special_names(self) -> Mapping[int, str]:
        """The names of the special tokens by id."""
        return {i: name for name, i in self.special_tokens.items()}

    @cached_property
    def skipped(self) -> frozenset[int]:
        """The ids of all special tokens but the added tokens. `skip_special_tokens` leaves these ids out."""
        return frozenset(self.special_names) - self.added

    def names_in_text(self, specials: bool) -> tuple[str, ...]:
        """Return the names that are one token in a text. With `specials` off, these are only names of added tokens."""
        return tuple(self.special_tokens) if specials else self._added_names

    @cached_property
    def _added_names(self) -> tuple[str, ...]:
        return tuple(name for name, i in self.special_tokens.items() if i in self.added)

    @cached_property
    def size(self) -> int:
        """How many tokens there are, special ones included."""
        return len({i for i, token in enumerate(self.tokens) if token}.union(self.special_tokens.values()))

    @cached_property
    def id_space(self) -> int:
        """One more than the largest id, special tokens included. It is above `size` where ids have gaps."""
        return max(len(self.tokens) - 1, *self.special_tokens.values(), -1) + 1

    @property
    def tokens_by_id(self) -> tuple[bytes, ...]:
        """The bytes of the token of each id; b"" for a special token, and for an id without a token."""
        return self.tokens + (b"",) * (self.id_space - len(self.tokens))

    @cached_property
    def loses_text(self) -> bool:
        """Whether the vocabulary cannot write every text: it lacks characters, or some of the 256 bytes."""
        if self.alphabet == "bytes":
            return sum(len(symbol) == 1 for symbol in self.base.ids) < 256
        return len(self.byte_ids) < 256 or UNKNOWN in self.byte_ids

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of any token, even a special or unknown token; `ValueError` for an id without a token."""
        if token_id in self.special_names:
            return encode_text(self.special_names[token_id])
        if token_id == UNKNOWN and self.loses_text:
            return UNKNOWN_TEXT.encode()
        if not 0 <= token_id < len(self.tokens) or not self.tokens[token_id]:
            last = self.id_space - 1
            gap = f", whose ids have gaps up to {last}" if 0 <= token_id < last else ""
            raise ValueError(f"id {token_id} is not in this vocabulary of {self.size} tokens{gap}")
        return self.tokens[token_id]

    def joined(self, ids: Sequence[int]) -> Iterator[bytes]:
        """Yield the bytes of ids, joined but for a word marker, in parts that fit the processor's cache.

        Raises `LookupError` for an id without a token.
        """
        known = self._bytes_of_ids
        for at in range(0, len(ids), AT_ONCE):
            part = ids[at : at + AT_ONCE]
            try:
                found = itemgetter(*part, part[0])(known)[:-1]  # of one index alone it would return no tuple
                whole = b"".join(found)
            except TypeError:
                raise LookupError from None
            yield from [whole] if self.word_marker == "none" else found

    @cached_property
    def _bytes_of_ids(self) -> Sequence[bytes | None]:
        """The bytes of each id as `token_bytes` has them, then as many None: a negative id, from the end, has none."""
        size = max(self.id_space, 1)  # `UNKNOWN` needs an entry even where no id has a token
        found: list[bytes | None] = [None] * (2 * size)
        found[: len(self.tokens)] = [token or None for token in self.tokens]
        for i, name in self.special_names.items():
            found[i] = encode_text(name)
        if self.loses_text:
            found[UNKNOWN] = UNKNOWN_TEXT.encode()
        return found

    def name(self, token_id: int) -> bytes:
        """Return the name of a token, which no other token has: its spelling.

        If several tokens have one spelling, such as a space and the letter for a space in a vocabulary of bytes, then
        one keeps it: a special token, or else the token with the smallest id. In a Unigram model it is the largest id,
        since `tokenizers` takes that token in a text. The others have their id behind the spelling: `a<id 7>`.
        Raises `ValueError` for an id without a token.
        """
        return self._names_apart.get(token_id) or self.spelling(token_id)

    def spelling(self, token_id: int) -> bytes:
        """Return the bytes of a token as files spell it: with `##`, with `</w>`, or `<0x41>` for a byte of a character.

        Raises `ValueError` for an id without a token.
        """
        raw, kind = self.token_bytes(token_id), self.kinds.get(token_id)
        if token_id in self.special_names or token_id not in self._marked:
            return raw
        if kind == BYTE:
            return b"<0x%02X>" % raw[0]
        return CONTINUING.encode() + raw if kind == WITHIN else raw + b"</w>"

    @cached_property
    def _marked(self) -> frozenset[int]:
        """The ids of the tokens whose names are more than their bytes."""
        kinds = {i for i, kind in self.kinds.items() if kind in (BYTE, WITHIN)}
        return frozenset(kinds.union(self.endings))

    @cached_property
    def ids_of_names(self) -> dict[bytes, int]:
        """Every token's name → id."""
        return self._ids_and_names_apart[0]

    @property
    def _names_apart(self) -> dict[int, bytes]:
        """Id → name of the tokens whose spelling another token has as its name."""
        return self._ids_and_names_apart[1]

    @cached_property
    def _ids_and_names_apart(self) -> tuple[dict[bytes, int], dict[int, bytes]]:
        spelt = dict(enumerate(self.tokens))
        spelt |= {i: self.spelling(i) for i in (*self._marked, *self.special_names)}
        order = sorted(spelt, reverse=self.model is not ModelKind.UNIGRAM)  # what comes later keeps its spelling
        ids = {spelt[i]: i for i in (*order, *self.special_names) if spelt[i]}
        apart: dict[int, bytes] = {}
        for i in sorted(i for i, name in spelt.items() if name and ids[name] != i):
            name = spelt[i]
            while name in ids:
                name += b"<id %d>" % i
            ids[name], apart[i] = i, name
        return ids, apart

    @cached_property
    def ids_of_bytes(self) -> dict[bytes, int]:
        """The bytes of the tokens whose names are more than their bytes → id."""
        return {self.tokens[i]: i for i in sorted(self._marked, reverse=True) if i not in self.special_names}

    def drawn_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token as it is drawn.

        A token that only continues a word begins with the word marker, which is drawn as `##`.
        """
        raw = self.token_bytes(token_id)
        return MARKER + raw if token_id in self.within else raw

    @property
    def lost_name(self) -> str:
        """The name of a token for text that the vocabulary cannot write: "[UNK]", or "unknown" without such a token."""
        return "unknown" if self.unknown_id is None else self.token_bytes(self.unknown_id).decode("utf-8", "replace")

    @cached_property
    def word_tokens(self) -> WordTokens:
        """The tokens that longest match tries in a word."""
        texts = [(token.decode("utf-8", "replace"), i) for i, token in enumerate(self.tokens) if token]
        ordinary = [row for row in texts if row[1] not in self.special_names]
        ordinary.sort(key=lambda row: (not row[0].isalpha(), len(row[0])))  # plain words first
        starts = {text: i for text, i in ordinary if i not in self.within}
        within = {text: i for text, i in ordinary if i in self.within}
        return WordTokens(starts, within, max(map(len, (*starts, *within)), default=1))

    @cached_property
    def _derivations(self) -> Derivations:
        return DerivationsByRank(self.base, self.ranks) if self.by_rank else DerivationsByList(self.merges)

    def made(self, token_id: int) -> Derivation | None:
        """Return how merges make a token; None where they do not make it of its own symbols."""
        return self._derivations.made(token_id)

    def step_of(self, left: int, right: int) -> int | None:
        """Return the step that joins two tokens; None if no merge joins them."""
        found = self.ranks.get((left, right))
        return found[0] + 1 if found else None

    def is_symbol(self, token_id: int) -> bool:
        """Return whether a token is a base symbol, which merges start from."""
        if token_id == UNKNOWN or token_id in self.base.bytes_written:
            return True
        known = token_id < len(self.tokens) and token_id not in self.special_names
        return known and self.base.ids_inside(token_id) == [token_id]

    def symbol_rows(self, token_id: int) -> bytes:
        """Return the base symbols inside a token, each as three 32-bit integers: size in bytes, id and merged_at.

        A token that merges do not make of its own symbols is one symbol; so is a special token.

        >>> from bpe_core import Settings, train
        >>> vocabulary = train("hug hug pug", Settings(vocab_size=258)).tokenizer().vocabulary
        >>> np.frombuffer(vocabulary.symbol_rows(256), np.int32).reshape(-1, 3)[1].tolist()  # the g of "ug"
        [1, 103, 1]
        """
        if token_id not in self._symbol_rows:
            self._symbol_rows[token_id] = self._rows_of(token_id).tobytes()
        return self._symbol_rows[token_id]

    @cached_property
    def _symbol_rows(self) -> dict[int, bytes]:
        return {}

    def _rows_of(self, token_id: int) -> NDArray[np.int32]:
        made, raw = self.made(token_id), self.token_bytes(token_id)
        if made and made.last and token_id not in self.special_names:
            sizes, ids = self.base.sizes_and_ids(token_id)
            if len(sizes) == len(made.inside) + 1:
                rows = np.empty((len(sizes), 3), np.int32)
                rows[:, 0], rows[:, 1], rows[0, 2], rows[1:, 2] = sizes, ids, NEVER, array("i", made.inside)
                return rows
        marks = raw.count(MARKER) if self.word_marker != "none" else 0
        return np.array([(len(raw) - marks, token_id, NEVER)], np.int32)
