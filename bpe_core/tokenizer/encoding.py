"""The encoding of a text: its tokens, their spans in the text, and what decoding cannot give back.

The tokens are views of the text's `Walk` (see `walk`); the rest follows from the pretokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from bpe_core import shortcuts
from bpe_core.text.arrays import Integers, Steps, list_of
from bpe_core.text.normalizers import Normalized, joined, normalize
from bpe_core.text.rules import Pretoken
from bpe_core.tokenizer.model_kinds import ModelKind
from bpe_core.tokenizer.scorecard import Scorecard, scorecard
from bpe_core.tokenizer.text_pipeline import Segment, TextPipeline
from bpe_core.tokenizer.walk import TokenTable, Walk

T = TypeVar("T")
SHOWN = 12  # tokens that a `repr` shows
SPECIAL_RULE = "special token"  # the rule of a pretoken that is a special token
# Why a text is lost. A model without an unknown token drops what it does not know.
CHANGED, DROPPED, NOT_KNOWN = "changed by normalization", "dropped by the pretokenizer", "not in the alphabet"
TOO_LONG, FALLEN, DECODED = "too long a word for the model", "dropped by the model", "changed in decoding"


class AnyTokenizer(Protocol):
    """The part of a `Tokenizer` that its encodings use."""

    @property
    def word_marker(self) -> str:
        """Where a word has its marker: at its "start", at its "end", or nowhere ("none")."""

    @property
    def model(self) -> ModelKind:
        """How tokens are found."""

    @property
    def pipeline(self) -> TextPipeline:
        """The way from a text to its tokens."""

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of ids."""


def _readable(token: bytes) -> str:
    """Return a token as Python writes a text. A token that is a part of a character is written in hexadecimal.

    >>> _readable(b" dog"), _readable(b"\\xf0\\x9f")
    ("' dog'", 'F0 9F')
    """
    try:
        return repr(token.decode())
    except UnicodeDecodeError:
        return token.hex(" ").upper()


class Loss(NamedTuple):
    """A span of text that its tokens cannot give back, and why."""

    start: int
    end: int
    why: str


class Around(NamedTuple):
    """The ids of the special tokens before and after a text. BERT has `[CLS]` before a text and `[SEP]` after it.

    >>> Around((101,), (102,)).put([7592])
    [101, 7592, 102]
    """

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()

    def put(self, ids: Iterable[int]) -> list[int]:
        """Return ids with the special tokens' ids before and after them."""
        return [*self.before, *ids, *self.after]


NOTHING = Around()
FIRST_TEXT, SECOND_TEXT = -1, -2
TwoTexts = tuple[tuple[int, int], ...]
"""What is around and between two texts: (id, type id) of each part; the texts have `FIRST_TEXT` and `SECOND_TEXT`."""


@dataclass(frozen=True, eq=False)
class Encoding:
    """A text and its tokens. The attributes are computed at first use, mostly from one `Walk`.

    `around`: special tokens that were added around the text. The attributes `ids`, `tokens`, `drawn`, `lost` and
    `spans` contain these tokens; their span is (0, 0). All other attributes describe the text alone.

    >>> from bpe_core import Settings, train
    >>> found = train("hug hug pug", Settings(vocab_size=258)).tokenizer().encode("a hugs")
    >>> found.tokens, found.spans
    ((b'a', b' ', b'hug', b's'), ((0, 1), (1, 2), (2, 5), (5, 6)))
    >>> found.words, [word.text for word in found.pretokens]
    (((97,), (32, 257, 115)), ['a', ' hugs'])
    >>> found
    Encoding(4 tokens: 'a'·97 ' '·32 'hug'·257 's'·115)
    """

    tokenizer: AnyTokenizer
    text: str
    specials: bool = True
    longest: bool = False
    around: Around = NOTHING

    def __len__(self) -> int:
        """Return how many tokens the text has."""
        return len(self.ids)

    def __repr__(self) -> str:
        """Return the first tokens, each with its id."""
        shown = [f"{_readable(token)}·{i}" for token, i in zip(self.tokens[:SHOWN], self.ids, strict=False)]
        more = " …" if len(self) > SHOWN else ""
        size = "1 token" if len(self) == 1 else f"{len(self):,} tokens"
        return f"Encoding({size}{': ' if shown else ''}{' '.join(shown)}{more})"

    _repr_html_ = shortcuts.in_notebook
    page = shortcuts.encoding_page
    svg, tex, html = shortcuts.encoding_svg, shortcuts.encoding_tex, shortcuts.encoding_html

    @cached_property
    def walk(self) -> Walk:
        """The arrays from which the tokens follow: see module `walk`."""
        return self._pipeline.walk(self.text, self.specials)

    @property
    def _pipeline(self) -> TextPipeline:
        return self.tokenizer.pipeline.longest if self.longest else self.tokenizer.pipeline

    @cached_property
    def _table(self) -> TokenTable:
        return self.walk.tokens(len(self.walk.vocabulary.merges))

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The ids of the text, in order. What the vocabulary cannot write has the unknown token's id, or `UNKNOWN`."""
        return self._with_added(self._own_ids, int)

    @cached_property
    def _own_ids(self) -> tuple[int, ...]:
        """The ids of the text, without the special tokens around it. They alone need no walk, which takes longer."""
        if "walk" in self.__dict__:
            return tuple(list_of(self._table.ids))
        return tuple(self._pipeline.ids(self.text, self.specials))

    def _with_added(self, own: Iterable[T], added: Callable[[int], T]) -> tuple[T, ...]:
        """Return a value for every token.

        `own`: the values of the text's tokens. `added(id)`: returns the value of a special token around the text.
        """
        return (*map(added, self.around.before), *own, *map(added, self.around.after))

    @cached_property
    def tokens(self) -> tuple[bytes, ...]:
        """The bytes of every token, in the order of the text.

        A token for text that the vocabulary cannot write has the bytes of that text.
        """
        return self._with_added(self._table.tokens(), self.walk.vocabulary.token_bytes)

    @property
    def _own_tokens(self) -> tuple[bytes, ...]:
        return self.tokens[len(self.around.before) : len(self.tokens) - len(self.around.after)]

    @cached_property
    def drawn(self) -> tuple[bytes, ...]:
        """The bytes of every token as it is drawn.

        A token that only continues a word begins with the word marker, which is drawn as `##`.
        """
        return self._with_added(map(self._table.drawn, range(len(self._table))), self.walk.vocabulary.drawn_bytes)

    @cached_property
    def lost(self) -> tuple[bool, ...]:
        """For every token, whether the vocabulary cannot write its text."""
        return self._with_added(self._table.lost.tolist(), lambda _: False)

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The character offsets (start, end) of every token in the text.

        A token that is a part of a character has the character's span.
        """
        return self._with_added(self._own_spans, lambda _: (0, 0))

    @property
    def _own_spans(self) -> Iterable[tuple[int, int]]:
        spans = self._spans(self._table.starts, self._table.ends)
        return (self.span_in_text(*span) for span in spans) if self._pipeline.normalizers else spans

    def _spans(self, starts: Integers, ends: Integers) -> Iterator[tuple[int, int]]:
        """Convert spans in the bytes of the normalized text to spans in its characters."""
        first, end = self.walk.characters(starts, ends)
        return zip(first.tolist(), end.tolist(), strict=True)

    @property
    def fallen(self) -> tuple[tuple[int, int], ...]:
        """The spans of the text that have no token, since the model drops characters that it does not know.

        Only a file that a library opens can have such a model.
        """
        return tuple(self._spans(*self.walk.fallen.T))

    @property
    def pieces_lost(self) -> int:
        """How many pieces of the text the vocabulary cannot write: tokens that are `lost`, and what has `fallen`."""
        return self.walk.pieces_lost

    def scorecard(self) -> Scorecard:
        """Return figures of how the text is split, each with the words or tokens that cause it: see `Scorecard`.

        >>> from bpe_core import load
        >>> card = load("gpt2").encode("The lighthouse, the dog").scorecard()
        >>> card.fertility, card.bytes_per_token, card.whole_words
        (1.0, 4.6, 1.0)
        """
        return scorecard(self._table)

    @property
    def merged_at(self) -> Steps:
        """For every base symbol, the step at which the boundary before it fell; `NEVER` where a token begins.

        If the text was merged in the order learnt, a token begins after `k` merges wherever `merged_at` is above `k`.
        """
        return self.walk.merged_at

    @cached_property
    def decoded(self) -> str:
        """The text that the tokens give back. Unlike `Tokenizer.decode`, it has the unknown characters themselves."""
        return self._pipeline.text_of(self._own_tokens)

    @cached_property
    def segments(self) -> list[Segment]:
        """The text split at its special tokens."""
        return [*self._pipeline.segments(self.text, self.specials)]

    @cached_property
    def normalized(self) -> Normalized:
        """The normalized text, and for each of its characters the span of `text` that the character comes from.

        Special tokens are not normalized.

        >>> from bpe_core import Settings, train
        >>> tok = train("hug pug", Settings("whitespace", vocab_size=258, normalizers=("lowercase",))).tokenizer()
        >>> enc = tok.encode("A HUG")
        >>> enc.normalized.text, enc.tokens, enc.spans
        ('a hug', (b'a', b'hug'), ((0, 1), (2, 5)))
        """
        keys = self._pipeline.normalizers
        return joined(normalize(part.typed, keys if part.special is None else ()) for part in self.segments)

    @cached_property
    def pretokens(self) -> tuple[Pretoken, ...]:
        """The pretokens of the text with their rules. A special token is a pretoken with the rule "special token".

        Offsets are in the normalized text; if there are no normalizers, that is the text itself. The pretokens are the
        words of `walk`. But `walk` does not have the names of rules, since finding the names takes longer than
        splitting.
        """
        pretokens: list[Pretoken] = []
        start = 0
        for _, text, before, special in self.segments:
            if special is not None:
                pretokens.append(Pretoken(text, start, start + len(text), SPECIAL_RULE))
            else:
                found, shift = self._pipeline.pretokenizer.split(before + text), start - len(before)
                pretokens += [Pretoken(word, max(a + shift, start), b + shift, rule) for word, a, b, rule in found]
            start += len(text)
        return tuple(pretokens)

    @cached_property
    def words(self) -> tuple[tuple[int, ...], ...]:
        """The ids that each pretoken became."""
        if not len(self.walk.words):
            return ()
        ends = np.searchsorted(self._table.firsts, np.append(self.walk.words[1:], len(self.walk))).tolist()
        return tuple(self._own_ids[start:end] for start, end in zip([0, *ends], ends, strict=False))

    @property
    def library_remark(self) -> str:
        """A sentence on what another version of the library that found the tokens may do otherwise; "" for none."""
        return ""

    @cached_property
    def losses(self) -> tuple[Loss, ...]:
        """The spans of `text` that decoding the ids cannot give back, each with the reason.

        The reasons: normalization changed the span, no pretoken contains the span, the alphabet lacks the character, or
        a word has more characters than the model takes. A file that a library opens has two more: its model drops the
        character, or decoding changes it. If words have a marker, a single space between pretokens is no loss.

        >>> from bpe_core import Settings, train
        >>> tok = train("hug pug", Settings("whitespace", "characters", "end", vocab_size=7)).tokenizer()
        >>> tok.encode("big hug").losses
        ... # doctest: +NORMALIZE_WHITESPACE
        (Loss(start=0, end=1, why='not in the alphabet'), Loss(start=1, end=2, why='not in the alphabet'))
        """
        changed = (Loss(*span, CHANGED) for span in self._rewritten())
        dropped = (Loss(*span, DROPPED) for span in self._gaps())
        return tuple(sorted((*changed, *dropped, *self._unknown())))

    def _unknown(self) -> Iterator[Loss]:
        """Yield the spans of the tokens that are lost."""
        longest = getattr(self.tokenizer, "longest_word", None)
        for is_lost, token, span in zip(self.lost, self.tokens, self.spans, strict=True):
            if is_lost:
                too_long = longest is not None and len(token.decode(errors="replace")) > longest
                yield Loss(*span, TOO_LONG if too_long else NOT_KNOWN)

    def _rewritten(self) -> Iterator[tuple[int, int]]:
        """Yield the spans of the text that normalization changed. Where it only added characters, nothing is lost."""
        start = 0
        for before, after in self.normalized.aligned if self._pipeline.normalizers else ():
            if before not in after:
                yield start, start + len(before)
            start += len(before)

    def _gaps(self) -> Iterator[tuple[int, int]]:
        """Yield the spans of the text that are in no pretoken and that decoding does not put back."""
        marker = "none" if self._pipeline.pretokenizer.lossless else self._spaced
        for before, after in zip([None, *self.pretokens], [*self.pretokens, None], strict=True):
            start, end = before.end if before else 0, after.start if after else len(self.walk.text)
            marked = {"none": None, "end": before, "start": after}[marker]
            spaced = before and after and marked and marked.rule != SPECIAL_RULE
            if start < end and not (spaced and self.walk.text[start:end] == " "):
                start, end = self._alone(start, end)
                if start < end:
                    yield self.span_in_text(start, end)

    @property
    def _spaced(self) -> str:
        """Where decoding puts a space: at the "start" of words, at their "end", or nowhere ("none")."""
        return self.walk.vocabulary.word_marker

    def _alone(self, start: int, end: int) -> tuple[int, int]:
        """Shrink a span of the normalized text until it shares no character of `text` with what is before and after."""
        spans = self.normalized.spans if self._pipeline.normalizers else ()
        while spans and 0 < start < end and spans[start] == spans[start - 1]:
            start += 1
        while spans and start < end < len(spans) and spans[end - 1] == spans[end]:
            end -= 1
        return start, end

    def span_in_text(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of `text` that a span of the normalized text, such as a pretoken's, comes from."""
        if start == end and start and self._pipeline.vocabulary.word_marker == "end":  # the marker, after a word
            start = end = self.span_in_text(start - 1, start)[1]
            return start, end
        return self.normalized.span(start, end) if self._pipeline.normalizers else (start, end)
