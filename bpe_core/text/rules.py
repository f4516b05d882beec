"""A pretokenizer: ordered rules that split a text into pretokens. The built-in pretokenizers are in `pretokenizers`.

At every position of the text the rules are tried from the first to the last, as the alternatives of one regular
expression. Each rule has a name, and every pretoken has the name of its rule. All rules are for the `regex` module,
whose `\\s` and `\\p{…}` mean the same as in the libraries that the rules come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bpe_core import arguments
from bpe_core.text.arrays import Indexes
from bpe_core.text.class_rules import Chunk, ClassRules

if TYPE_CHECKING:
    import regex

SLOWEST = 1_000_000  # characters for which a user's pattern gets one second more than its `seconds`


class PatternError(ValueError):
    """A custom pattern that cannot be used, or that takes too long."""


def _compile(pattern: str) -> regex.Pattern[str]:
    """Return a compiled pattern. To import `regex` takes longer than all else that `Settings` needs."""
    import regex

    return regex.compile(pattern)


class Pretoken(NamedTuple):
    """A part of a text, found by the rule named `rule`: `text == whole[start:end]`, with offsets in characters."""

    text: str
    start: int
    end: int
    rule: str


@dataclass(frozen=True)
class Pretokenizer:
    """One way to split texts, with all that other modules need to know about it.

    `title` and `about` are for the screen. `rules`: a tuple of (name, pattern), tried in this order. If there are
    several rules, their patterns have no groups. `lossless`: whether every character is in some pretoken.

    `boundary`: a pattern of positions, without characters. A pretoken begins at each of these positions, whatever text
    is before and after it. So a text may be cut there, and its parts split one by one. `boundary` is empty if no such
    pattern is known. `classes`: the same rules by character classes, for arrays; None if classes cannot express them.
    `hugging_face`: the parts of a Hugging Face `pre_tokenizer` that split the same way, in order; None if no parts do.
    `{"type": "Split"}` without a pattern stands for a split by the pattern of `rules`.
    `seconds`: how long a user's pattern may take, besides the time for a long text (see `SLOWEST`); None for a built-in
    pretokenizer, which has no limit.
    `unit`: the word for a pretoken in counts such as "3 words" and "3 lines". `model`: the model whose split this is,
    as the title names it; "" if the title names none.
    `long_pieces`: whether pretokens are so long that a training on them takes many times longer.
    `library_patterns`: the patterns of a pretokenizer that was read from a file and that only a library can run, in the
    order in which the library uses them; otherwise empty.
    """

    title: str
    about: str
    rules: tuple[tuple[str, str], ...]
    lossless: bool
    boundary: str = ""
    classes: ClassRules | None = field(default=None, compare=False)
    hugging_face: tuple[Mapping[str, object], ...] | None = field(default=None, compare=False)
    seconds: float | None = None
    unit: str = "word"
    model: str = ""
    library_patterns: tuple[str, ...] = field(default=(), compare=False)
    long_pieces: bool = False

    @property
    def split_name(self) -> str:
        """The name of the split. A split that is named after a model is not the model, which also has its own tokens.

        >>> from bpe_core import PRETOKENIZERS
        >>> PRETOKENIZERS["cl100k"].split_name, PRETOKENIZERS["whitespace"].split_name
        ('GPT-4’s split (cl100k)', 'Whitespace')
        """
        return self.title.replace(self.model, f"{self.model}’s split", 1) if self.model else self.title

    @property
    def pattern(self) -> str:
        """The rules as one regular expression, without groups that tell the rules apart."""
        return "|".join(rule for _, rule in self.rules)

    @cached_property
    def _compiled(self) -> regex.Pattern[str]:
        """The rules, each in a group; a single rule needs no group, and may have groups itself."""
        grouped = len(self.rules) > 1
        return _compile("|".join(f"({rule})" for _, rule in self.rules) if grouped else self.pattern)

    @cached_property
    def _finds_all(self) -> Callable[[str], list[str]] | None:
        """The pattern's `findall`; None where it has groups, or its time is limited."""
        return self._ungrouped.findall if self.seconds is None and not self._ungrouped.groups else None

    @cached_property
    def _ungrouped(self) -> regex.Pattern[str]:
        return _compile(self.pattern)

    @cached_property
    def _failed(self) -> dict[int, str]:
        """Why the pattern failed on a text, by the text's hash. Another try would take as long and fail again."""
        return {}

    def by_rules(self, rules: tuple[tuple[str, str], ...], seconds: float | None) -> Pretokenizer:
        """Return a pretokenizer with other rules for the same pretokens, which knows on which texts this one failed."""
        found = replace(self, rules=rules, seconds=seconds)
        vars(found)["_failed"] = self._failed
        return found

    def _matches(self, text: str) -> Iterator[regex.Match[str]]:
        if self.seconds is None:
            yield from self._found(text, None)
            return
        if hash(text) in self._failed:
            raise PatternError(self._failed[hash(text)])
        seconds = self.seconds + len(text) / SLOWEST
        try:
            yield from self._found(text, seconds)
            return
        except TimeoutError:
            why = "the pattern takes too long on this text; make it simpler"
        except MemoryError:
            why = "the pattern took all the memory on this text; make it simpler"
        self._failed[hash(text)] = why
        raise PatternError(why)

    def _found(self, text: str, seconds: float | None) -> Iterator[regex.Match[str]]:
        return self._compiled.finditer(text, timeout=seconds)

    def split(self, text: str) -> list[Pretoken]:
        """Return the pretokens of `text`, in order. Raises `PatternError` for a custom pattern that takes too long.

        >>> from bpe_core import PRETOKENIZERS
        >>> [(p.text, p.rule) for p in PRETOKENIZERS["gpt2"].split("It's 5 o'clock.")]
        ... # doctest: +NORMALIZE_WHITESPACE
        [('It', 'letters'), ("'s", 'contraction'), (' 5', 'digits'), (' o', 'letters'), ("'", 'other'),
         ('clock', 'letters'), ('.', 'other')]
        """
        return list(self.pretokens(arguments.text(text, "a text to split")))

    def pretokens(self, text: str) -> Iterator[Pretoken]:
        """Yield the pretokens of `text` one by one. The first pretokens of a long text come at once."""
        for match in self._matches(text):
            if match[0]:
                yield Pretoken(match[0], *match.span(), self._rule_of(match))

    def _rule_of(self, match: regex.Match[str]) -> str:
        number = match.lastindex if len(self.rules) > 1 else None
        return self.rules[number - 1 if number else 0][0]

    def rule_at(self, text: str, start: int) -> str:
        """Return the rule of the pretoken that begins at `start`; empty if no pretoken begins there.

        >>> from bpe_core import PRETOKENIZERS
        >>> PRETOKENIZERS["gpt2"].rule_at("a dog.", 5)
        'other'
        """
        try:
            match = self._compiled.match(text, start, timeout=self.seconds)
        except (TimeoutError, MemoryError):
            return ""
        return self._rule_of(match) if match else ""

    def strings(self, text: str) -> list[str]:
        """Return the texts of the pretokens, faster than `split`.

        >>> from bpe_core import PRETOKENIZERS
        >>> PRETOKENIZERS["whitespace"].strings("a  dog. ")
        ['a', 'dog.']
        """
        if self._finds_all:
            found: list[str] = self._finds_all(arguments.text(text, "a text to split"))
            return [*filter(None, found)] if "" in found else found
        return [match[0] for match in self._matches(text) if match[0]]

    def starts(self, chunk: Chunk) -> Indexes:
        """Return where pretokens begin, for a pretokenizer with `classes`. Dropped white space counts as a pretoken.

        >>> from bpe_core import PRETOKENIZERS
        >>> PRETOKENIZERS["whitespace"].starts(Chunk("a  dog. ")).tolist()
        [0, 1, 3, 7]
        """
        if not self.classes:
            raise ValueError(f"the pretokenizer {self.title!r} has no rules by character classes")
        text, (at, unsure) = chunk.text, self.classes.begins(chunk)
        last_boundary, boundary = _compile(f"(?r){self.boundary}"), _compile(self.boundary)
        done = 0
        for i, first, end in zip(unsure.tolist(), *chunk.texts_around(unsure), strict=True):
            if i >= done:  # the word between the boundaries on both sides is not split yet
                done = max(done, first)
                before, after = last_boundary.search(text, done, i + 1), boundary.search(text, i + 1, end)
                start, done = before.start() if before else done, after.start() if after else end
                at[start:done] = False
                at[[start + match.start() for match in self._compiled.finditer(text[start:done])]] = True
        return np.flatnonzero(at)
