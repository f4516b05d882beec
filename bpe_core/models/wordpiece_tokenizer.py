"""A tokenizer with a WordPiece vocabulary, such as BERT's: no merges, but the longest tokens that fit.

    text         Hugs, Weil!              with the normalizer and the pretokenizer of BERT
    normalized   hugs, weil!
    pretokens    hugs | , | weil | !
    tokens       hug ##s | , | [UNK] | !  no tokens write "weil": the whole word becomes the unknown token

The bytes of a token have no `##`: `kinds` says which tokens continue a word. Not here: how one word is encoded, and
training (see `wordpiece`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bpe_core.corpus.text_files import OneText, whole_text
from bpe_core.models.wordpiece import WordPiece
from bpe_core.text.alphabet import MARKER, encode_text
from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.checks import Specials
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.model_kinds import LONGEST_WORD, ModelKind
from bpe_core.tokenizer.text_pipeline import TextPipeline, bytes_before
from bpe_core.tokenizer.tokenizer import TO_ENCODE, Tokenizer
from bpe_core.tokenizer.vocabulary import CONTINUING as CONTINUING
from bpe_core.tokenizer.walk import Walk
from bpe_core.tokenizer.word_encoder import WordEncoder
from bpe_core.training.lifetimes import NEVER

_NO_SPACE_BEFORE = ".?!,"  # when ids are decoded


@dataclass(frozen=True, eq=False)
class PieceEncoder(WordEncoder):
    """An encoder that takes the longest tokens that fit. `pieces`: the model with the same vocabulary."""

    pieces: WordPiece = field(kw_only=True)

    def _longest_match(self, word: str) -> list[int]:
        unknown = self.vocabulary.unknown_id
        ids = self.pieces.encode_word(word)
        return [unknown] if ids == (UNKNOWN,) and unknown is not None else list(ids)


class PiecePipeline(TextPipeline):
    """The way from a text to its tokens. Each token is one symbol, since no merge makes it."""

    @cached_property
    def longest(self) -> TextPipeline:
        """The same: WordPiece always takes the longest tokens."""
        return self

    def walk(self, text: str, specials: bool = True) -> Walk:
        """Return the tokens of a text, in arrays."""
        tokens: list[tuple[int, int, int]] = []  # for each token: its first byte, the byte after its last byte, its id
        words: list[int] = []
        seen, at = [], 0
        for segment in self.segments(text, specials):
            if segment.special is not None:
                words.append(len(tokens))
                tokens.append((at, at + len(encode_text(segment.text)), segment.special))
            else:
                before = bytes_before(segment.text)
                for word, start, _, _ in self.pretokenizer.split(segment.text):
                    words.append(len(tokens))
                    tokens += self._tokens(word, at + before[start])
            seen.append(segment.text)
            at += len(encode_text(segment.text))
        starts, ends, ids = np.array(tokens, np.int32).reshape(-1, 3).T.copy()
        never = np.full(len(tokens), NEVER, np.int32)
        return Walk(self.vocabulary, "".join(seen), starts, ends, ids, never, np.array(words, np.int64))

    def _tokens(self, word: str, at: int) -> Iterator[tuple[int, int, int]]:
        """Yield the tokens of a pretoken that begins at byte `at`."""
        ids = self.encoder.encode(word)
        if ids in ((UNKNOWN,), (self.vocabulary.unknown_id,)):
            yield at, at + len(encode_text(word)), ids[0]
            return
        for token_id in ids:
            end = at + len(self.vocabulary.tokens[token_id])
            yield at, end, token_id
            at = end


@dataclass(frozen=True, repr=False)
class WordPieceTokenizer(Tokenizer):
    """A tokenizer that encodes text as WordPiece does. `Tokenizer` explains the fields.

    A pretoken of more than `longest_word` characters is unknown.

    >>> from bpe_core import PRETOKENIZERS
    >>> from bpe_core.tokenizer.tokenizer import TO_ENCODE, WITHIN
    >>> tok = WordPieceTokenizer((b"", b"hug", b"s"), (), PRETOKENIZERS["bert"], "characters",
    ...     special_tokens={"[UNK]": 0}, normalizers=("bert",), symbols={}, unknown_id=0, kinds={2: WITHIN})
    >>> found = tok.encode("Hugs, weil")
    >>> found.ids, found.spans, found.lost
    ((1, 2, 0, 0), ((0, 3), (3, 4), (4, 5), (6, 10)), (False, False, True, True))
    >>> tok.decode(found.ids)
    'hugs [UNK] [UNK]'
    """

    longest_word: int = LONGEST_WORD
    model: ModelKind = field(default=ModelKind.WORDPIECE, kw_only=True)

    __hash__ = Tokenizer.__hash__

    @cached_property
    def pipeline(self) -> TextPipeline:
        """The way from a text to its tokens."""
        within = self.vocabulary.within
        marked = tuple(MARKER + token if i in within else token for i, token in enumerate(self.tokens))
        pieces = WordPiece(marked, self.pretokenizer, self.longest_word)
        encoder = PieceEncoder(self.vocabulary, longest=True, pieces=pieces)
        return PiecePipeline(encoder, self.pretokenizer, self.normalizers)

    def encode(
        self, text: OneText, *, specials: Specials = None, longest: bool = False, add_special_tokens: bool = False
    ) -> Encoding:
        """Return the tokens of `text`, always the longest that fit."""
        text = whole_text(text, TO_ENCODE)
        return PieceEncoding(self, text, self._recognised(text, specials), around=self._added(add_special_tokens))

    def decode(self, ids: Iterable[int], *, skip_special_tokens: bool = False) -> str:
        """Return the text of `ids` as BERT's decoder does: a space before every word, but not before `.,?!`.

        The first token is written with its `##`, if it has one. Raises `ValueError` for an id without a token.
        """
        return "".join(self._texts(iter(self._numbers(ids, skip_special_tokens))))

    def _texts(self, ids: Iterator[int]) -> Iterator[str]:
        within, begun = self.vocabulary.within, False
        for token_id in ids:
            text = self.token_bytes(token_id).decode("utf-8", "replace")
            if token_id in within:
                yield text if begun else CONTINUING + text
            else:
                yield text if not begun or text[:1] in _NO_SPACE_BEFORE else f" {text}"
            begun = True

    def decode_bytes(self, ids: Iterable[int], *, skip_special_tokens: bool = False) -> bytes:
        """Return the text of `ids` as UTF-8: no token is a part of a character."""
        return encode_text(self.decode(ids, skip_special_tokens=skip_special_tokens))


class PieceEncoding(Encoding):
    """A text and its WordPiece tokens."""

    @cached_property
    def decoded(self) -> str:
        """The text that the ids decode to."""
        return self.tokenizer.decode(self._own_ids)

    @property
    def _spaced(self) -> str:
        return "start"
