"""A tokenizer whose ids, offsets and decoding are its own library's, and whose merges are ours to look into.

A library tells which tokens a text becomes, and nothing of how. But in byte-pair encoding the inside of a token follows
from its merges: joining its own symbols by rank gives the token, and the step at which each boundary in it fell. So
sliders, biographies and explanations work. Tokens that no merges make stay whole: those of WordPiece, Unigram and word
lists, added tokens, and words that are looked up before merging.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import groupby, takewhile
from typing import NamedTuple

from bpe_core.files.libraries import Found, Library, sendable
from bpe_core.files.library_walk import library_walk
from bpe_core.text.rules import Pretoken
from bpe_core.tokenizer.encoding import CHANGED, NOT_KNOWN, SPECIAL_RULE, Encoding, Loss
from bpe_core.tokenizer.merging import Made, joined_alone
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.walk import Walk

ADDED, BYTE, WITHIN = "added", "byte", "within a word"  # kinds of tokens that do not simply stand for their text
MOST_SYMBOLS = 512  # of a token whose merges are looked into


class WordTokens(NamedTuple):
    """The tokens that begin a word and those that do not, text → id; letters first, short ones first.

    `longest`: how many characters the longest has.
    """

    starts: dict[str, int]
    within: dict[str, int]
    longest: int


def _plain_first(text: str) -> tuple[bool, int]:
    return not text.isalpha(), len(text)


@dataclass(frozen=True, eq=False, repr=False)
class LibraryTokenizer(Tokenizer):
    """A tokenizer of a file that a library reads. `model`: the kind of its model, as `tokenizer.json` names it.

    `scores`: what a Unigram model gives each token, by id. `unknown_id`: the token for what the vocabulary lacks.
    `endings`: the last symbol of each token that ends a word, by id, where symbols are others there (CLIP's `</w>`).
    `kinds`: id → `ADDED` (found by its name, as special tokens are), `BYTE` (for characters that the vocabulary lacks)
    or `WITHIN` (those that do not begin a word). `merges_alone`: whether a token's own bytes, merged alone, tell
    whether a text can have it. `content`: the file, which is what is written when it is saved again.
    """

    model: str = "BPE"
    library: Library | None = None
    scores: Mapping[int, float] = field(default_factory=dict)
    unknown_id: int | None = None
    endings: Mapping[int, int] = field(default_factory=dict)
    kinds: Mapping[int, str] = field(default_factory=dict)
    merges_alone: bool = False
    content: bytes = b""

    @cached_property
    def ordinary(self) -> Mapping[bytes, int]:
        """The tokens that stand for their own text, bytes → id."""
        apart = self.kinds.keys() | set(self.special_tokens.values())
        return {token: i for i, token in enumerate(self.tokens) if token and i not in apart}

    @cached_property
    def word_tokens(self) -> WordTokens:
        """The tokens that longest match tries in a word."""
        special = set(self.special_tokens.values())
        texts = [(token.decode("utf-8", "replace"), i) for i, token in enumerate(self.tokens) if token]
        ordinary = sorted((row for row in texts if row[1] not in special), key=lambda row: _plain_first(row[0]))
        starts = {text: i for text, i in ordinary if self.kinds.get(i) != WITHIN}
        within = {text: i for text, i in ordinary if self.kinds.get(i) == WITHIN}
        return WordTokens(starts, within, max(map(len, (*starts, *within)), default=1))

    def without_library(self) -> Tokenizer:
        """The same vocabulary and merges, applied by our encoder: for trying other normalizers and pretokenizers."""
        return Tokenizer(**{part.name: getattr(self, part.name) for part in fields(Tokenizer)})

    def found(self, text: str, specials: bool = True) -> Found:
        """What the library makes of a text."""
        return self.library.encode(sendable(text), specials)

    def ids(self, text: str, specials: bool = True) -> list[int]:
        """The library's ids of a text."""
        return self.found(text, specials).ids.tolist()

    def encode(self, text: str, specials: bool = True, longest: bool = False) -> LibraryEncoding:
        """The tokens of `text`, by the library; there is no `longest` match."""
        return LibraryEncoding(self, text, specials)

    def decode(self, ids: Iterable[int]) -> str:
        """The library's text of ids. Raises `ValueError` for an id that the vocabulary does not have."""
        ids = list(ids)
        for i in set(ids):
            self.token_bytes(i)
        return self.library.decode(ids)

    def made(self, token_id: int) -> Made | None:
        """How merges make a token from its symbols; None where they do not."""
        if token_id not in self._made:
            self._made[token_id] = self._joined(token_id)
        return self._made[token_id]

    @cached_property
    def _made(self) -> dict[int, Made | None]:
        return {}

    def _joined(self, token_id: int) -> Made | None:
        token = self.tokens[token_id] if 0 <= token_id < len(self.tokens) else b""
        if token_id in self._byte_ids:
            return Made()
        if not token or len(token) > MOST_SYMBOLS:
            return None
        parts = joined_alone(self.symbol_ids_inside(token_id), self.ranks)
        return parts[0][1] if len(parts) == 1 and parts[0][0] == token_id else None

    def symbol_ids_inside(self, token_id: int) -> list[int]:
        """The ids of a token's base symbols."""
        ids = super().symbol_ids_inside(token_id)
        return [*ids[:-1], self.endings.get(token_id, ids[-1])] if ids else []

    def why_no_merge(self, token_id: int) -> str:
        """The end of a sentence that says why no merge made this token: how its model comes to it."""
        if token_id in self._names or self.made(token_id):
            return super().why_no_merge(token_id)
        if self.model == "Unigram":
            score = f"{self.scores.get(token_id, 0.0):.2f}".replace("-", "\N{MINUS SIGN}")
            return f"a Unigram model takes the tokens whose scores have the highest sum, and this one's is {score}"
        return {
            "WordPiece": "a WordPiece model takes the longest token that fits, again and again",
            "WordLevel": "the vocabulary has words, each of them whole",
        }.get(self.model, "the vocabulary has it whole, and its own symbols do not merge into it")

    def inside(self, token_id: int) -> tuple[int, ...]:
        """The steps at which the boundaries inside a token fell; none for one that no merges make."""
        made = self.made(token_id)
        return made.inside if made else ()

    def origin(self, token_id: int) -> tuple[int, int, int] | None:
        """(left id, right id, step) of the merge that makes a token from its symbols; None where none does."""
        made = self.made(token_id)
        return made.last if made else None


class LibraryEncoding(Encoding):
    """A text and its tokens, as the library has them. All offsets are those of the text as it was typed."""

    tokenizer: LibraryTokenizer

    @cached_property
    def _found(self) -> Found:
        return self.tokenizer.found(self.text, self.specials)

    @cached_property
    def walk(self) -> Walk:
        """The four arrays, of what the library has found."""
        return library_walk(self.tokenizer, self.tokenizer.made, sendable(self.text), self._found)

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The id of every token."""
        return tuple(self._found.ids.tolist())

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The library's offsets of every token."""
        return tuple(zip(self._found.starts.tolist(), self._found.ends.tolist(), strict=True))

    @cached_property
    def tokens(self) -> tuple[bytes, ...]:
        """The bytes of every token."""
        return tuple(map(self.tokenizer.token_bytes, self.ids))

    @cached_property
    def decoded(self) -> str:
        """The text that the ids give back."""
        return self.tokenizer.decode(self.ids)

    @cached_property
    def _words(self) -> list[tuple[Pretoken, tuple[int, ...]]]:
        """The pretokens, each with its ids."""
        special = set(self.tokenizer.special_tokens.values())
        rows = zip(self.ids, self.spans, self._found.words.tolist(), strict=True)
        words = []
        for (_, rule), group in groupby(rows, lambda row: (row[2], SPECIAL_RULE if row[0] in special else "")):
            ids, spans, _ = zip(*group, strict=True)
            start, end = min(start for start, _ in spans), max(end for _, end in spans)
            words.append((Pretoken(self.text[start:end], start, end, rule), ids))
        return words

    @cached_property
    def pretokens(self) -> tuple[Pretoken, ...]:
        """The pretokens that the library splits the text into."""
        return tuple(pretoken for pretoken, _ in self._words)

    @cached_property
    def words(self) -> tuple[tuple[int, ...], ...]:
        """The ids that each pretoken became."""
        return tuple(ids for _, ids in self._words)

    @cached_property
    def losses(self) -> tuple[Loss, ...]:
        """What the ids do not give back: unknown characters, or the part of the text that comes back otherwise."""
        unknown = zip(self.ids, self.spans, strict=True)
        losses = [Loss(*span, NOT_KNOWN) for i, span in unknown if i == self.tokenizer.unknown_id]
        if losses or self.decoded == self.text:
            return tuple(losses)
        start = _alike(self.text, self.decoded)
        behind = _alike(self.text[start:][::-1], self.decoded[start:][::-1])
        return (Loss(start, max(len(self.text) - behind, start), CHANGED),)


def _alike(one: str, other: str) -> int:
    """How many characters two texts have in common at their starts."""
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False)))
