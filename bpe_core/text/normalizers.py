"""Normalizers: changes to a text before it is split, such as NFC or small letters. Each is a row of `NORMALIZERS`.

A chain is a tuple of keys, applied from the first to the last. Decoding does not undo a normalizer. So `normalize` also
returns, for every character of the result, the characters of the original that it came from.

Sources: Unicode Standard Annex #15 for the four forms, Hugging Face tokenizers for BERT's normalizer. Every normalizer
is tested against Hugging Face tokenizers. The results are equal for characters that the Unicode tables of both Python
and Hugging Face have.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, groupby
from typing import Literal, NamedTuple

from bpe_core import arguments


class Aligned(NamedTuple):
    """A part of the original text, and what normalization made of the part; one of the two may be empty."""

    before: str
    after: str


@dataclass(frozen=True)
class Normalized:
    """A text before and after normalization: `spans[i]` is the span of `original` that `text[i]` came from.

    original    A  m  e  ´          the last is an accent of its own
    text        a  m  é             after NFC and small letters
    spans       0–1 1–2 2–4

    >>> from bpe_core import normalize
    >>> made = normalize("Ame\\u0301", ("nfc", "lowercase"))
    >>> made.text, made.spans
    ('amé', ((0, 1), (1, 2), (2, 4)))
    """

    original: str
    text: str
    spans: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original that `text[start:end]` came from; an empty span for an empty part.

        >>> from bpe_core import normalize
        >>> normalize("ﬁn", ("nfkc",)).span(1, 3)
        (0, 2)
        """
        if start >= end:
            at = self.spans[start][0] if start < len(self.spans) else len(self.original)
            return at, at
        spans = self.spans[start:end]
        return min(first for first, _ in spans), max(last for _, last in spans)

    @cached_property
    def aligned(self) -> tuple[Aligned, ...]:
        """The original and the normalized text, split into the smallest parts that correspond, in order.

        >>> from bpe_core import normalize
        >>> normalize("é\\0!", ("bert",)).aligned
        (Aligned(before='é', after='e'), Aligned(before='\\x00', after=''), Aligned(before='!', after='!'))
        """
        ends = [0, *accumulate((end for _, end in self.spans), max)]
        starts = [len(self.original), *(start for start, _ in reversed(self.spans))]
        starts = [*accumulate(starts, min)][::-1]
        found: list[Aligned] = []
        new, old = 0, 0
        for k, (end, start) in enumerate(zip(ends, starts, strict=True)):
            if end <= start:  # all characters before `k` came from before `end`, all others from `start` or later
                if new < k:
                    found.append(Aligned(self.original[old:end], self.text[new:k]))
                found += [Aligned(removed, "") for removed in self.original[end:start]]
                new, old = k, start
        return tuple(found)


def joined(parts: Iterable[Normalized]) -> Normalized:
    """Join parts of a text that were normalized one by one.

    >>> from bpe_core import normalize
    >>> joined([normalize("A", ("lowercase",)), normalize("B", ())]).text
    'aB'
    """
    originals: list[str] = []
    texts: list[str] = []
    spans: list[tuple[int, int]] = []
    shift = 0
    for part in parts:
        spans += [(shift + start, shift + end) for start, end in part.spans]
        shift += len(part.original)
        originals.append(part.original)
        texts.append(part.text)
    return Normalized("".join(originals), "".join(texts), tuple(spans))


# Matches the position before a space that is between two letters of a script with capitals. No normalizer changes the
# space together with one of the letters, so a text may be split here and its parts normalized one by one.
BETWEEN_LETTERS = r"(?<=[\p{Lu}\p{Ll}])(?= [\p{Lu}\p{Ll}])"

Traced = list[tuple[str, int, int]]  # each character of a result, and the span of the text that the character came from
Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


class _EachCharacter(dict[int, str]):
    """A normalizer's step that changes each character alone: a table for `str.translate`, filled at first sight."""

    def __init__(self, change: Callable[[str], str]) -> None:
        super().__init__()
        self.change = change

    def __missing__(self, point: int) -> str:
        made = self[point] = self.change(chr(point))
        return made

    def whole(self, text: str) -> str:
        return text.translate(self)

    def traced(self, text: str) -> Traced:
        """Normalize a text. Return each character of the result with its span in `text`."""
        return [(made, i, i + 1) for i, char in enumerate(text) for made in self[ord(char)]]


@dataclass(frozen=True)
class _Form:
    """A normalizer's step that brings the text into one of Unicode's four forms."""

    name: Form

    def whole(self, text: str) -> str:
        return unicodedata.normalize(self.name, text)

    def traced(self, text: str) -> Traced:
        """Normalize a text. Return each character of the result with its span in `text`.

        Unicode defines three steps: decompose the characters, sort the marks, compose the characters again.
        """
        if unicodedata.is_normalized(self.name, text):
            return [(char, i, i + 1) for i, char in enumerate(text)]
        apart: Form = "NFKD" if "K" in self.name else "NFD"
        taken = [(part, i, i + 1) for i, char in enumerate(text) for part in unicodedata.normalize(apart, char)]
        ordered: Traced = []
        for marks, run in groupby(taken, lambda row: unicodedata.combining(row[0]) > 0):
            row = list(run)
            ordered += sorted(row, key=lambda part: unicodedata.combining(part[0])) if marks else row
        return ordered if self.name == apart else _composed(ordered)


def _composed(parts: Traced) -> Traced:
    """Compose characters in canonical order as NFC does: join each to the last starter, if nothing blocks it."""
    made: Traced = []
    starter = -1
    for char, start, end in parts:
        order = unicodedata.combining(char)
        if starter >= 0 and (starter == len(made) - 1 or unicodedata.combining(made[-1][0]) < order):
            first, since, until = made[starter]
            joined = unicodedata.normalize("NFC", first + char)
            if len(joined) == 1:
                made[starter] = joined, min(since, start), max(until, end)
                continue
        if not order:
            starter = len(made)
        made.append((char, start, end))
    return made


# Hugging Face's list; Google's has U+2B820 for U+2B920.
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _bert_clean(char: str) -> str:
    """Replace white space by a space, remove controls, put a space on both sides of a Chinese character."""
    category = unicodedata.category(char)
    if char in "\t\n\r" or category[0] == "Z":
        return " "
    if category in ("Cc", "Cf", "Co", "Cs") or char == "\ufffd":
        return ""
    return f" {char} " if any(first <= ord(char) <= last for first, last in _CJK) else char


def _without(*categories: str) -> Callable[[str], str]:
    """Return a function that removes a character if it has one of the categories."""
    return lambda char: "" if unicodedata.category(char) in categories else char


@dataclass(frozen=True)
class Normalizer:
    """A normalizer: its title, a sentence about it, and its steps.

    `hugging_face`: the part of a Hugging Face `normalizer` that does the same; None if there is none.
    """

    title: str
    about: str
    steps: tuple[_EachCharacter | _Form, ...]
    hugging_face: Mapping[str, object] | None = field(default=None, compare=False)


_LOWERCASE = _EachCharacter(str.lower)
NORMALIZERS: dict[str, Normalizer] = {
    "nfc": Normalizer("NFC", "A letter and its accents become one character.", (_Form("NFC"),), {"type": "NFC"}),
    "nfd": Normalizer(
        "NFD", "An accented letter becomes the letter and its accents.", (_Form("NFD"),), {"type": "NFD"}
    ),
    "nfkc": Normalizer(
        "NFKC",
        "As NFC, and ligatures, widths and exponents become plain letters.",
        (_Form("NFKC"),),
        {"type": "NFKC"},
    ),
    "nfkd": Normalizer(
        "NFKD",
        "As NFD, and ligatures, widths and exponents become plain letters.",
        (_Form("NFKD"),),
        {"type": "NFKD"},
    ),
    "lowercase": Normalizer("Lowercase", "Capitals become small letters.", (_LOWERCASE,), {"type": "Lowercase"}),
    "strip-accents": Normalizer(
        "Strip accents",
        "Removes accents that are separate characters, as after NFD or NFKD.",
        (_EachCharacter(_without("Mn", "Mc", "Me")),),
        {"type": "StripAccents"},
    ),
    "bert": Normalizer(
        "BERT",
        "Controls and accents go, white space becomes a space, Chinese characters get space, capitals become small.",
        (_EachCharacter(_bert_clean), _Form("NFD"), _EachCharacter(_without("Mn")), _LOWERCASE),
        {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,  # None means: the same as `lowercase`
            "lowercase": True,
        },
    ),
}
"""What can be done to a text before it is split: the values of `Settings.normalizers`, applied in their order."""


def _steps(keys: Sequence[str]) -> Iterator[_EachCharacter | _Form]:
    if isinstance(keys, str) or not isinstance(keys, Sequence):
        raise TypeError(f"normalizers are keys in a tuple, such as ('nfc',), and this is {keys!r:.60}")
    for key in keys:
        if not isinstance(key, str) or key not in NORMALIZERS:
            raise ValueError(f"normalizer {key!r} is unknown; choose one of {', '.join(NORMALIZERS)}")
        yield from NORMALIZERS[key].steps


def normalized(text: str, keys: Sequence[str]) -> str:
    """Normalize a text with the chain `keys`. Faster than `normalize`, which returns the origins as well.

    >>> normalized("ThÍs is  áN", ("nfd", "strip-accents", "lowercase"))
    'this is  an'
    """
    for step in _steps(keys):
        text = step.whole(text)
    return text


def normalized_each(texts: Sequence[str], keys: Sequence[str]) -> Sequence[str]:
    """Normalize each text with the chain `keys`.

    >>> normalized_each(["ThÍs", "áN"], ("nfd", "strip-accents", "lowercase"))
    ['this', 'an']
    """
    for step in _steps(keys):
        texts = list(map(step.whole, texts))
    return texts


def normalize(text: str, keys: Sequence[str]) -> Normalized:
    """Normalize a text with the chain `keys`, and return for each character the span that it came from.

    Where NFC or NFKC joins several characters, the span contains all of them; Hugging Face's span has only the first.
    The text may contain lone surrogates. Raises `ValueError` for a key that `NORMALIZERS` does not have.

    >>> normalize("½", ("nfkd",)).spans
    ((0, 1), (0, 1), (0, 1))
    """
    arguments.text(text, "a text to normalize")
    made = Normalized(text, text, tuple((i, i + 1) for i in range(len(text))))
    for step in _steps(keys):
        traced = step.traced(made.text)
        origin = made.spans
        spans = tuple(origin[a] if b - a == 1 else made.span(a, b) for _, a, b in traced)
        made = Normalized(text, "".join(char for char, _, _ in traced), spans)
    return made
