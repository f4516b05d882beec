"""Pretokenizers: how a text is cut before training. No merge ever crosses one of these cuts.

Each is one row of `PRETOKENIZERS`: an ordered list of rules, tried from the first at every place of the text, as
the alternatives of one regular expression. A rule's name says what it is for; every pretoken carries it.
All use the `regex` module, whose `\\s` and `\\p{…}` mean what they mean in the libraries the rules come from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from time import monotonic
from typing import NamedTuple

import regex

CUSTOM_SECONDS = 5.0  # a pattern of the user's may backtrack for ever
SLOWEST = 1_000_000  # characters a second, beside those seconds
MAX_COUNTED = 1_000_000  # characters of a pattern, times all its counts: what it may become when it is compiled
_COUNT = regex.compile(r"\{\s*([0-9]*)\s*(?:,\s*([0-9]*)\s*)?\}")
_FREE_SPACING = regex.compile(r"\(\?[A-Za-z0-9-]*x")  # where a count may be written with spaces and remarks in it


class PatternError(ValueError):
    """A custom pattern that does not compile, or does not come to an end."""


class Pretoken(NamedTuple):
    """A piece of text: `text == whole[start:end]`, offsets in characters, cut out by the rule named `rule`."""

    text: str
    start: int
    end: int
    rule: str


_BEFORE_SPACE = r"(?<=\S)(?= \S)"
# Behind a word; a line break may belong to the signs before it, and o200k lets a slash follow it.
_WORD_ENDS = r"(?<=\S)(?=[^\S\r\n])|(?<=[\p{L}\p{N}])(?=[\r\n])|(?<=\S\n)(?=[^\s/])"


@dataclass(frozen=True)
class Pretokenizer:
    """Ordered rules that cut a text into pretokens.

    `lossless`: every character is in some pretoken. `cuts_at_spaces`: a space with something other than white
    space on both sides always starts a new pretoken or is dropped, which lets `counting` cut coarsely first.
    `cuts_at`: a pattern of more places, of no width, at which a text comes apart into two that are cut as before;
    empty where there are none.

    >>> [(p.text, p.rule) for p in PRETOKENIZERS["gpt2"].split("It's 5 o'clock.")]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('It', 'letters'), ("'s", 'contraction'), (' 5', 'digits'), (' o', 'letters'), ("'", 'other'),
     ('clock', 'letters'), ('.', 'other')]
    """

    title: str
    about: str
    rules: tuple[tuple[str, str], ...]
    lossless: bool
    cuts_at_spaces: bool = True
    seconds: float | None = None
    cuts_at: str = ""

    @property
    def safe_places(self) -> str:
        """The places at which a text may be taken apart before it is cut, as a pattern; empty where it may not."""
        return self.cuts_at or (_BEFORE_SPACE if self.cuts_at_spaces else "")

    @property
    def pattern(self) -> str:
        """The rules as one regular expression."""
        return "|".join(rule for _, rule in self.rules)

    @cached_property
    def _plain(self) -> regex.Pattern:
        return regex.compile(self.pattern)

    @cached_property
    def _grouped(self) -> regex.Pattern:
        return regex.compile("|".join(f"(?P<r{i}>{rule})" for i, (_, rule) in enumerate(self.rules)))

    def _matches(self, pattern: regex.Pattern, text: str) -> Iterator[regex.Match]:
        seconds = None if self.seconds is None else self.seconds + len(text) / SLOWEST
        try:
            yield from self._found(pattern, text, seconds)
        except TimeoutError:
            raise PatternError(f"the pattern took more than {round(seconds, 1):g} seconds; make it simpler") from None

    def _found(self, pattern: regex.Pattern, text: str, seconds: float | None) -> Iterator[regex.Match]:
        return pattern.finditer(text, timeout=seconds)

    def split(self, text: str) -> list[Pretoken]:
        """Cut `text`, keeping for each pretoken where it stands and which rule made it."""
        return [
            Pretoken(match[0], match.start(), match.end(), self._rule_of(match))
            for match in self._matches(self._grouped, text)
            if match[0]
        ]

    def _rule_of(self, match: regex.Match) -> str:
        return next(name for i, (name, _) in enumerate(self.rules) if match[f"r{i}"] is not None)

    def rule_at(self, text: str, start: int) -> str:
        """The rule of the pretoken that begins at `start`.

        >>> PRETOKENIZERS["gpt2"].rule_at("a dog.", 5)
        'other'
        """
        match = self._grouped.match(text, start, timeout=self.seconds)
        return self._rule_of(match) if match else ""

    def pieces(self, text: str) -> list[str]:
        """The texts of `split`, faster.

        >>> PRETOKENIZERS["whitespace"].pieces("a  dog. ")
        ['a', 'dog.']
        """
        if self.seconds is None:
            return self._plain.findall(text)
        return [match[0] for match in self._matches(self._plain, text) if match[0]]


_SPACES = r"\s+(?!\S)|\s+"
_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_BERT_MARKS = r"[\p{P}$+<=>^`|~]"

PRETOKENIZERS: dict[str, Pretokenizer] = {
    "whitespace": Pretokenizer(
        "Whitespace",
        "Words are what stands between white space; the white space is lost.",
        (("word", r"\S+"),),
        False,
        cuts_at=_WORD_ENDS,
    ),
    "gpt2": Pretokenizer(
        "GPT-2",
        "Letters, digits and other signs apart, contractions apart; a word takes the space before it.",
        (
            ("contraction", r"'(?:s|t|re|ve|m|ll|d)"),
            ("letters", r" ?\p{L}+"),
            ("digits", r" ?\p{N}+"),
            ("other", r" ?[^\s\p{L}\p{N}]+"),
            ("whitespace", _SPACES),
        ),
        True,
        cuts_at=_WORD_ENDS,
    ),
    "gpt2-notebook": Pretokenizer(
        "GPT-2, simplified",
        "The SELENE notebook's version of GPT-2's rules: white space is lost.",
        (
            ("contraction", r"'(?:s|t|re|ve|m|ll|d)"),
            ("letters", r"\p{L}+"),
            ("digits", r"\p{N}+"),
            ("other", r"[^\s\p{L}\p{N}]+"),
        ),
        False,
        cuts_at=_WORD_ENDS,
    ),
    "cl100k": Pretokenizer(
        "GPT-4 (cl100k)",
        "Like GPT-2, but at most three digits together, and any one sign may lead a word.",
        (
            ("contraction", r"'(?i:[sdmt]|ll|ve|re)"),
            ("letters", r"[^\r\n\p{L}\p{N}]?+\p{L}++"),
            ("digits", r"\p{N}{1,3}+"),
            ("other", r" ?[^\s\p{L}\p{N}]++[\r\n]*+"),
            ("end of text", r"\s++$"),
            ("line breaks", r"\s*[\r\n]"),
            ("whitespace", _SPACES),
        ),
        True,
        cuts_at=_WORD_ENDS,
    ),
    "o200k": Pretokenizer(
        "GPT-4o (o200k)",
        "Like GPT-4, but a capital starts a new piece, marks stay with letters and contractions with their word.",
        (
            (
                "letters",
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            ),
            (
                "capitals",
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            ),
            ("digits", r"\p{N}{1,3}"),
            ("other", r" ?[^\s\p{L}\p{N}]+[\r\n/]*"),
            ("line breaks", r"\s*[\r\n]+"),
            ("whitespace", _SPACES),
        ),
        True,
        cuts_at=_WORD_ENDS,
    ),
    "qwen": Pretokenizer(
        "Qwen",
        "Like GPT-4, but every digit alone, and line breaks together.",
        (
            ("contraction", _CONTRACTION),
            ("letters", r"[^\r\n\p{L}\p{N}]?\p{L}+"),
            ("digit", r"\p{N}"),
            ("other", r" ?[^\s\p{L}\p{N}]+[\r\n]*"),
            ("line breaks", r"\s*[\r\n]+"),
            ("whitespace", _SPACES),
        ),
        True,
        cuts_at=_WORD_ENDS,
    ),
    "llama3": Pretokenizer(
        "Llama 3",
        "Like GPT-4, but line breaks together.",
        (
            ("contraction", _CONTRACTION),
            ("letters", r"[^\r\n\p{L}\p{N}]?\p{L}+"),
            ("digits", r"\p{N}{1,3}"),
            ("other", r" ?[^\s\p{L}\p{N}]+[\r\n]*"),
            ("line breaks", r"\s*[\r\n]+"),
            ("whitespace", _SPACES),
        ),
        True,
        cuts_at=_WORD_ENDS,
    ),
    "tekken": Pretokenizer(
        "Mistral (Tekken)",
        "Like GPT-4o, but every digit alone, and no contractions.",
        (
            (
                "letters",
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+",
            ),
            (
                "capitals",
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*",
            ),
            ("digit", r"\p{N}"),
            ("other", r" ?[^\s\p{L}\p{N}]+[\r\n/]*"),
            ("line breaks", r"\s*[\r\n]+"),
            ("whitespace", _SPACES),
        ),
        True,
        cuts_at=_WORD_ENDS,
    ),
    "bert": Pretokenizer(
        "BERT",
        "Every punctuation mark alone, words between; the white space is lost.",
        (("punctuation", _BERT_MARKS), ("word", rf"(?:(?!{_BERT_MARKS})\S)+")),
        False,
        cuts_at=_WORD_ENDS,
    ),
    "metaspace": Pretokenizer(
        "Metaspace",
        "SentencePiece's cut: a piece starts at every space and keeps it.",
        (("word", r" ?[^ ]+"), ("space", " ")),
        True,
        cuts_at="(?<=[^ ])(?= )",
    ),
    "digits": Pretokenizer(
        "Single digits",
        "Every digit alone, everything else together.",
        (("digit", r"\p{N}"), ("rest", r"\P{N}+")),
        True,
        cuts_at_spaces=False,
        cuts_at=r"(?=\p{N})",
    ),
    "punctuation": Pretokenizer(
        "Punctuation",
        "Every punctuation mark alone, everything else together, spaces too.",
        (("punctuation", _BERT_MARKS), ("rest", rf"(?:(?!{_BERT_MARKS})[\s\S])+")),
        True,
        cuts_at_spaces=False,
        cuts_at=f"(?={_BERT_MARKS})",
    ),
    "none": Pretokenizer(
        "No cut", "The text stays in one piece: merges may cross words.", (("text", r"[\s\S]+"),), True, False
    ),
}


def check_counts(pattern: str) -> None:
    """Raise `PatternError` for a pattern that would take all the memory to compile.

    >>> check_counts("((a{500}){500}){100}")
    Traceback (most recent call last):
        ...
    bpe_core.text.pretokenizers.PatternError: the counts in braces make the pattern too large
    """
    counts = (max(1.0, *(float(number or 1) for number in count)) for count in _COUNT.findall(pattern))
    if len(pattern) * prod(counts) > MAX_COUNTED:
        raise PatternError("the counts in braces make the pattern too large")
    if "{" in pattern and _FREE_SPACING.search(pattern):
        raise PatternError("counts in braces beside (?x) are not supported")


@lru_cache(maxsize=64)
def custom(pattern: str) -> Pretokenizer:
    """A pretokenizer from a pattern of the user's: its matches are the pretokens, the rest of the text is dropped.

    Raises `PatternError` for a pattern that does not compile; cutting raises it after `CUSTOM_SECONDS`.

    >>> custom(r"[aeiou]|[^aeiou]+").pieces("tokens")
    ['t', 'o', 'k', 'e', 'ns']
    >>> custom("(")
    Traceback (most recent call last):
        ...
    bpe_core.text.pretokenizers.PatternError: the pattern does not compile: missing ) at position 1
    """
    if not pattern:
        raise PatternError("the pattern is empty; write a regular expression whose matches are the pretokens")
    check_counts(pattern)
    try:
        regex.compile(pattern)
    except regex.error as error:
        raise PatternError(f"the pattern does not compile: {error}") from None
    about = "The matches of your pattern; what it does not match is dropped."
    return Pretokenizer("Custom", about, (("match", pattern),), False, False, CUSTOM_SECONDS)


@dataclass(frozen=True)
class Split(Pretokenizer):
    """Hugging Face's `Split`: the matches of the pattern and the stretches between them, by its `behavior`.

    "Isolated" keeps each apart, "Contiguous" joins matches that touch, "MergedWithPrevious" and "MergedWithNext" give a
    match to its neighbour, "Removed" drops the matches. `inverted` swaps the matches with what is between them.

    >>> [p.text for p in Split("", "", (("match", "-"),), True, False, behavior="MergedWithNext").split("a--b")]
    ['a', '-', '-b']
    """

    behavior: str = "Isolated"
    inverted: bool = False

    def split(self, text: str) -> list[Pretoken]:
        """Cut `text`; the rule says whether the pattern matched."""
        parts: list[tuple[int, int, bool]] = []
        for start, end, matched in self._stretches(text):
            if parts and self._joins(parts[-1][2], matched):
                parts[-1] = parts[-1][0], end, matched
            else:
                parts.append((start, end, matched))
        kept = (part for part in parts if part[0] < part[1] and not (part[2] and self.behavior == "Removed"))
        return [Pretoken(text[a:b], a, b, "match" if matched else "between") for a, b, matched in kept]

    def _found(self, pattern: regex.Pattern, text: str, seconds: float | None) -> Iterator[regex.Match]:
        """The matches as Oniguruma finds them: after an empty one it looks on behind the next character."""
        ends = monotonic() + (seconds or 0)
        start, done = 0, -1
        while start <= len(text):
            left = None if seconds is None else ends - monotonic()
            if left is not None and left <= 0:
                raise TimeoutError
            match = None
            for match in pattern.finditer(text, start, timeout=left):
                if not match[0]:
                    break
                yield match
                done = match.end()
            if match is None or match[0]:
                return
            if match.end() != done:
                yield match
            done, start = match.end(), match.end() + 1

    def _stretches(self, text: str) -> Iterator[tuple[int, int, bool]]:
        done = 0
        for match in self._matches(self._plain, text):
            if done < match.start():
                yield done, match.start(), self.inverted
            yield *match.span(), not self.inverted
            done = match.end()
        if done < len(text):
            yield done, len(text), self.inverted

    def _joins(self, before: bool, matched: bool) -> bool:
        """Whether a stretch is one piece with the one before it."""
        return {
            "Contiguous": before is matched,
            "MergedWithPrevious": matched and not before,
            "MergedWithNext": before and not matched,
        }.get(self.behavior, False)

    def pieces(self, text: str) -> list[str]:
        """The texts of `split`."""
        return [pretoken.text for pretoken in self.split(text)]


@dataclass(frozen=True)
class Chain(Pretokenizer):
    """Cuts one after the other: each cuts the pieces that the one before it left.

    >>> stages = PRETOKENIZERS["digits"], PRETOKENIZERS["gpt2"]
    >>> Chain("", "", (), True, False, stages=stages).pieces("in 1984")
    ['in', ' ', '1', '9', '8', '4']
    """

    stages: tuple[Pretokenizer, ...] = ()

    def split(self, text: str) -> list[Pretoken]:
        """Cut `text`; the rule is the last stage's."""
        cut = [Pretoken(text, 0, len(text), "text")] if text else []
        for stage in self.stages:
            cut = [
                Pretoken(piece, start + outer.start, end + outer.start, rule)
                for outer in cut
                for piece, start, end, rule in stage.split(outer.text)
            ]
        return cut

    def pieces(self, text: str) -> list[str]:
        """The texts of `split`."""
        cut = [text] if text else []
        for stage in self.stages:
            cut = [piece for outer in cut for piece in stage.pieces(outer)]
        return cut
