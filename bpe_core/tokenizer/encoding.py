"""What a text becomes under a tokenizer: its tokens, where each stands in the text, and what cannot come back.

Everything follows from the text and the tokenizer, and is worked out when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from bpe_core.text.alphabet import MARKER, decode_bytes, encode_text
from bpe_core.text.normalizers import Normalized, joined, normalize, normalized
from bpe_core.text.rules import Pretoken
from bpe_core.tokenizer.encoder import UNKNOWN, Encoder
from bpe_core.training.lifetimes import NEVER

SPECIAL = "special token"
NORMALIZED, DROPPED, NOT_KNOWN = "changed by normalization", "dropped by the pretokenizer", "not in the alphabet"


class Loss(NamedTuple):
    """A span of text that its tokens cannot give back, and why."""

    start: int
    end: int
    why: str


@dataclass(frozen=True, eq=False)
class Encoding:
    """A text and its tokens, each column worked out when it is asked for."""

    tokenizer: Encoder
    text: str
    specials: bool = True
    longest: bool = False

    @cached_property
    def _segments(self) -> list[tuple[str, int, str | None]]:
        """The text cut at its special tokens: (segment, start, None for text, else a name or nothing)."""
        return [*self.tokenizer.segments(self.text, self.specials)]

    @cached_property
    def _normal_segments(self) -> list[tuple[str, int, str | None]]:
        """The same, normalized between the special tokens."""
        keys = self.tokenizer.normalizers
        return [
            (normalized(segment, keys) if special is None else segment, start, special)
            for segment, start, special in self._segments
        ]

    @cached_property
    def normalized(self) -> Normalized:
        """The text that is pretokenized: normalized between special tokens, with the span of each character in `text`.

        >>> from bpe_core import Settings, train
        >>> tok = train("hug pug", Settings("whitespace", vocab_size=258, normalizers=("lowercase",))).tokenizer()
        >>> enc = tok.encode("A HUG")
        >>> enc.normalized.text, enc.tokens, enc.spans
        ('a hug', (b'a', b'hug'), ((0, 1), (2, 5)))
        """
        keys = self.tokenizer.normalizers
        return joined(normalize(segment, keys if special is None else ()) for segment, _, special in self._segments)

    @cached_property
    def pretokens(self) -> tuple[Pretoken, ...]:
        """The pretokens of the text; a special token is one with the rule "special token".

        White space that a special token takes away is in none, as where a pretokenizer drops it.
        Their offsets are those of the normalized text, which is the text itself without normalizers.
        """
        pretokens: list[Pretoken] = []
        start = 0
        for segment, original, special in self._normal_segments:
            if special:
                pretokens.append(Pretoken(segment, start, start + len(segment), SPECIAL))
            elif special is None:
                prefix = self.tokenizer.prefix(segment, original)
                cut = self.tokenizer.pretokenizer.split(prefix + segment)
                shift = start - len(prefix)
                pretokens += [Pretoken(text, max(a + shift, start), b + shift, rule) for text, a, b, rule in cut]
            start += len(segment)
        return tuple(pretokens)

    @cached_property
    def words(self) -> tuple[tuple[int, ...], ...]:
        """The ids that each pretoken became."""
        tok = self.tokenizer
        encode = tok.longest_match if self.longest else tok.encode_word
        return tuple(
            (tok.special_tokens[text],) if rule == SPECIAL else encode(text) for text, _, _, rule in self.pretokens
        )

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The id of every token; `UNKNOWN` for a character that the alphabet does not have."""
        if self.longest:
            return tuple(chain.from_iterable(self.words))
        return tuple(self.tokenizer.ids(self.text, self.specials))

    @cached_property
    def losses(self) -> tuple[Loss, ...]:
        """What decoding the ids cannot give back: what was normalized, what no pretoken has, what the alphabet lacks.

        The offsets are those of `text`. A single space between pretokens comes back where words carry a marker.

        >>> from bpe_core import Settings, train
        >>> tok = train("hug pug", Settings("whitespace", "characters", "end", vocab_size=7)).tokenizer()
        >>> tok.encode("big hug").losses
        ... # doctest: +NORMALIZE_WHITESPACE
        (Loss(start=0, end=1, why='not in the alphabet'), Loss(start=1, end=2, why='not in the alphabet'))
        """
        unknown = [span for i, span in zip(self.ids, self.spans, strict=True) if i == UNKNOWN]
        return tuple(
            sorted(
                Loss(start, end, why)
                for why, spans in ((NORMALIZED, self._rewritten()), (DROPPED, self._gaps()), (NOT_KNOWN, unknown))
                for start, end in spans
            )
        )

    def _rewritten(self) -> Iterator[tuple[int, int]]:
        """Where normalization left less of the text than there was, as spans of it; additions lose nothing."""
        start = 0
        for before, after in self.normalized.pieces if self.tokenizer.normalizers else ():
            if before not in after:
                yield start, start + len(before)
            start += len(before)

    def _gaps(self) -> Iterator[tuple[int, int]]:
        """What stands between pretokens and decoding does not put back, as spans of the text."""
        marker = "none" if self.tokenizer.pretokenizer.lossless else self.tokenizer.word_marker
        for before, behind in zip([None, *self.pretokens], [*self.pretokens, None], strict=True):
            start, end = before.end if before else 0, behind.start if behind else len(self._seen)
            marked = {"none": None, "end": before, "start": behind}[marker]
            spaced = before and behind and marked and marked.rule != SPECIAL
            if start < end and not (spaced and self._seen[start:end] == " "):
                start, end = self._own(start, end)
                if start < end:
                    yield self.place(start, end)

    def _own(self, start: int, end: int) -> tuple[int, int]:
        """A span of the normalized text without ends that come from the same characters as their neighbours."""
        spans = self.normalized.spans if self.tokenizer.normalizers else ()
        while spans and 0 < start < end and spans[start] == spans[start - 1]:
            start += 1
        while spans and start < end < len(spans) and spans[end - 1] == spans[end]:
            end -= 1
        return start, end

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of the normalized text, such as a pretoken's, stands in `text`."""
        if start == end and start and self.tokenizer.word_marker == "end":  # the marker, behind the last character
            start = end = self.place(start - 1, start)[1]
            return start, end
        return self.normalized.span(start, end) if self.tokenizer.normalizers else (start, end)

    @cached_property
    def _seen(self) -> str:
        """The normalized text."""
        return "".join(segment for segment, _, _ in self._normal_segments) if self.tokenizer.normalizers else self.text

    @cached_property
    def tokens(self) -> tuple[bytes, ...]:
        """The bytes of every token; an unknown character's own."""
        if UNKNOWN not in self.ids:
            return tuple(map(self.tokenizer.token_bytes, self.ids))
        return tuple(
            encode_text(self._seen[start:end]) if i == UNKNOWN else self.tokenizer.token_bytes(i)
            for i, (start, end) in zip(self.ids, self._seen_spans, strict=True)
        )

    @cached_property
    def decoded(self) -> str:
        """The text that the tokens give back, unknown characters included."""
        return self.tokenizer.text_of(self.tokens)

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Character offsets (start, end) of every token in the text; parts of one character have its span."""
        if not self.tokenizer.normalizers:
            return self._seen_spans
        return tuple(self.place(start, end) for start, end in self._seen_spans)

    @cached_property
    def _seen_spans(self) -> tuple[tuple[int, int], ...]:
        """The same in the normalized text."""
        spans: list[tuple[int, int]] = []
        for pretoken, ids in zip(self.pretokens, self.words, strict=True):
            spans += self._spans_of(pretoken, ids)
        return tuple(spans)

    def _spans_of(self, pretoken: Pretoken, ids: tuple[int, ...]) -> list[tuple[int, int]]:
        if len(ids) == 1:
            return [(pretoken.start, pretoken.end)]
        character = self._character_of_unit(pretoken.text)
        origin = pretoken.end - len(pretoken.text)  # one before the start where a space was put there
        spans, unit = [], 0
        for i in ids:
            units = self._units(i)
            first = character[unit] if unit < len(character) else len(pretoken.text)
            unit += units
            last = character[unit - 1] + 1 if units else first
            spans.append((max(origin + first, pretoken.start), max(origin + last, pretoken.start)))
        return spans

    def _character_of_unit(self, word: str) -> range | list[int]:
        tok = self.tokenizer
        if tok.byte_ids:
            return [k for k, char in enumerate(word) for _ in tok.ids_of_symbols((encode_text(char),))]
        if tok.alphabet == "characters" or word.isascii():
            return range(len(word))
        return [k for k, char in enumerate(word) for _ in encode_text(char)]

    def _units(self, token_id: int) -> int:
        """How many bytes (or characters) of the text a token covers; its word marker covers none."""
        if token_id == UNKNOWN or token_id in self.tokenizer._byte_ids:
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
