"""A tokenizer: encodes text with a vocabulary and its merges, and decodes ids.

Merges apply in the order in which they were learnt. So the same merges make a token wherever it is in a text. That is
why the ids of a text are enough to know at which step each of its boundaries fell (`Encoding.merged_at`), and so the
tokens of every smaller vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from bpe_core.renamed import former_names
from bpe_core.text.alphabet import without_surrogates
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.encoder import WordEncoder
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.merging import Merge
from bpe_core.tokenizer.text_pipeline import TextPipeline
from bpe_core.tokenizer.vocabulary import Vocabulary

# Kinds of tokens whose bytes alone do not say when they are used.
ADDED, BYTE, WITHIN = "added", "byte", "within a word"
# Former attributes, and where each is now.
_MOVED = {
    "base_ids": "vocabulary.base.ids",
    "encode_words": "pipeline.encoder.encode_all",
    "halves": "vocabulary.halves",
    "ids_of_symbols": "vocabulary.base.ids_of",
    "is_symbol": "vocabulary.is_symbol",
    "made_ids": "vocabulary.made_ids",
    "ranks": "vocabulary.ranks",
    "symbol_ids_inside": "vocabulary.base.ids_inside",
    "symbol_rows": "vocabulary.symbol_rows",
    "symbol_sizes": "vocabulary.base.sizes_of",
    "symbols_inside": "vocabulary.base.inside",
    "token_column": "vocabulary.token_column.array",
}


@dataclass(frozen=True, eq=False, repr=False)
class Tokenizer:
    """Encodes text with a vocabulary, and decodes ids.

    `tokens`: bytes by id, empty where an id has no token. `merges`: (left id, right id, new id), the first learnt
    first. `special_tokens`: name → id. `normalizers`: keys of `NORMALIZERS`, applied to the text between special
    tokens.

    The other fields are for vocabularies from other programs:
    - `prefix_space`: whether a text without a space at its start gets one, also after a special token.
    - `whole_words`: whether a pretoken that is itself a token becomes that token, without merging.
    - `shared_ranks`: whether all merges that make the same token have one rank.
    - `symbols`: the base symbols, bytes → id; None if they are the tokens that no merge makes.
    - `byte_ids`: the ids of the 256 byte values, to write a character that is no base symbol; `UNKNOWN` for a byte that
      has none, whose characters are unknown.
    - `unknown_id`: the token for text that the vocabulary cannot write, as `[UNK]`; None for `UNKNOWN`.
    - `kinds`: id → `ADDED` (found by its name, as special tokens are), `BYTE` (a byte of a character that the
      vocabulary lacks) or `WITHIN` (does not start a word).

    >>> from bpe_core import Settings, train
    >>> tok = train("hug hug pug", Settings(vocab_size=258)).tokenizer()
    >>> tok.encode("hugs").tokens
    (b'hug', b's')
    >>> tok.decode(tok.encode("a bug").ids)
    'a bug'
    >>> tok.token_bytes(257), tok.origin(257), tok.vocab_size
    (b'hug', (104, 256, 2), 258)
    """

    tokens: tuple[bytes, ...]
    merges: Sequence[Merge]
    pretokenizer: Pretokenizer
    alphabet: str = "bytes"
    word_marker: str = "none"
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    normalizers: tuple[str, ...] = ()
    prefix_space: bool = False
    whole_words: bool = False
    shared_ranks: bool = False
    symbols: Mapping[bytes, int] | None = None
    byte_ids: tuple[int, ...] = ()
    unknown_id: int | None = None
    kinds: Mapping[int, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return its size; the tables are too long to print."""
        return f"<Tokenizer of {self.vocab_size} tokens>"

    def encode(self, text: str, specials: bool = True, longest: bool = False) -> Encoding:
        """Return the tokens of `text`.

        With `specials` off, the names of special tokens are text like any other. With `longest` on, the text
        becomes the longest tokens that fit, from left to right, instead of being merged in the order learnt. A lone
        surrogate has its three bytes, where tiktoken takes U+FFFD and joins two halves to their character.
        """
        return Encoding(self, text, specials, longest)

    def ids(self, text: str, specials: bool = True) -> list[int]:
        """Return the ids of a text; faster than `encode`.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer().ids("hug pug")
        [257, 32, 112, 256]
        """
        return self.pipeline.ids(text, specials)

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of `ids`, as it was normalized.

        Bytes that are no UTF-8 become U+FFFD, an unknown character `<unk>`. A lone surrogate is no UTF-8 either: its
        three bytes become three U+FFFD, as in tiktoken. A word marker becomes a space where the pretokenizer drops
        white space, and nothing elsewhere. Raises `ValueError` for an id that the vocabulary does not have.
        """
        return without_surrogates(self.text_of(map(self.token_bytes, ids)), "\ufffd" * 3)

    def text_of(self, tokens: Iterable[bytes]) -> str:
        """Return the text of tokens given as bytes, unknown characters included, as `Encoding.tokens` has them.

        >>> from bpe_core import Settings, train
        >>> tok = train("hug pug", Settings("whitespace", "characters", "end", vocab_size=7)).tokenizer()
        >>> tok.text_of(tok.encode("big hug").tokens), tok.decode(tok.encode("big hug").ids)
        ('big hug', '<unk><unk>g hug')
        """
        return self.pipeline.text_of(tokens)

    def save(self, path: str | PathLike[str], format: str = "tokenizer.json") -> list[Path]:
        """Write the tokenizer to `path`, whole or not at all, and return the paths (see `files.save`)."""
        from bpe_core import files

        return files.save(self, path, format)

    def encode_word(self, word: str) -> tuple[int, ...]:
        """Return the ids of one pretoken.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer(1).encode_word("pug")
        (112, 256)
        """
        return self.pipeline.encoder.encode(word)

    def longest_match(self, word: str) -> tuple[int, ...]:
        """Return the ids of one pretoken as the longest tokens that fit, from left to right.

        >>> from bpe_core import Settings, train
        >>> tok = train("ab ab bcd bcd bcd", Settings("whitespace", vocab_size=259)).tokenizer()
        >>> [tok.tokens[i] for i in tok.longest_match("abcd")], [tok.tokens[i] for i in tok.encode_word("abcd")]
        ([b'ab', b'c', b'd'], [b'a', b'bcd'])
        """
        return self.longest_pipeline.encoder.encode(word)

    @property
    def model(self) -> str:
        """How tokens are found: "BPE"; a file may have another model."""
        return "BPE"

    @cached_property
    def vocab_size(self) -> int:
        """How many tokens there are, special ones included."""
        return self.vocabulary.size

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token, special and unknown ones included; `ValueError` for an id that has no token."""
        return self.vocabulary.token_bytes(token_id)

    def origin(self, token_id: int) -> tuple[int, int, int] | None:
        """Return (left id, right id, step) of the merge that makes a token; None for one that no merge makes."""
        made = self.vocabulary.made(token_id)
        return made.last if made else None

    def inside(self, token_id: int) -> tuple[int, ...]:
        """Return the steps at which the boundaries inside a token fell, from left to right; none after its own.

        >>> from bpe_core import Settings, train
        >>> train("hug hug pug", Settings(vocab_size=258)).tokenizer().inside(257)
        (2, 1)
        """
        made = self.vocabulary.made(token_id)
        return made.inside if made else ()

    def step_of(self, left: int, right: int) -> int | None:
        """Return the step that joins two tokens, or None."""
        return self.vocabulary.step_of(left, right)

    def why_no_merge(self, token_id: int) -> str:
        """Return the end of a sentence that says why no merge made this token.

        >>> from bpe_core import Settings, train
        >>> train("hug", Settings(vocab_size=256)).tokenizer().why_no_merge(104)
        'it is in the base alphabet'
        """
        if token_id in self.vocabulary.special_names:
            return "it is a special token"
        if self.vocabulary.is_symbol(token_id):
            return "it is in the base alphabet"
        return "the vocabulary has it whole, and its own symbols do not merge into it"

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The tokens and the merges, and what follows from them."""
        return Vocabulary(
            tokens=self.tokens,
            merges=self.merges,
            special_tokens=self.special_tokens,
            alphabet=self.alphabet,
            word_marker=self.word_marker,
            symbols=self.symbols,
            byte_ids=self.byte_ids,
            shared_ranks=self.shared_ranks,
            unknown_id=self.unknown_id,
            within=frozenset(i for i, kind in self.kinds.items() if kind == WITHIN and self.model == "WordPiece"),
        )

    @cached_property
    def pipeline(self) -> TextPipeline:
        """The way from a text to its tokens."""
        encoder = WordEncoder(self.vocabulary, self.whole_words)
        return TextPipeline(encoder, self.pretokenizer, self.normalizers, self.prefix_space)

    @cached_property
    def longest_pipeline(self) -> TextPipeline:
        """The same with longest match instead of merges."""
        return replace(self.pipeline, encoder=WordEncoder(self.vocabulary, longest=True))

    if not TYPE_CHECKING:
        __getattr__ = former_names("a tokenizer", _MOVED)
