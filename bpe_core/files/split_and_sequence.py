"""Pretokenizers of opened Hugging Face files only: `Split` with its behaviors, and several one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic

import regex

from bpe_core.text.rules import Pretoken, Pretokenizer


@dataclass(frozen=True)
class Split(Pretokenizer):
    """Hugging Face's `Split`: the matches of the pattern and the stretches between them, by its `behavior`.

    "Isolated" keeps each apart, "Contiguous" joins matches that touch, "MergedWithPrevious" and "MergedWithNext" give a
    match to its neighbour, "Removed" drops the matches. `inverted` swaps the matches with what is between them.

    >>> [p.text for p in Split("", "", (("match", "-"),), True, behavior="MergedWithNext").split("a--b")]
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

    def _found(self, text: str, seconds: float | None) -> Iterator[regex.Match]:
        """The matches as Oniguruma finds them: after an empty one it looks on behind the next character."""
        ends = monotonic() + (seconds or 0)
        start, done = 0, -1
        while start <= len(text):
            left = None if seconds is None else ends - monotonic()
            if left is not None and left <= 0:
                raise TimeoutError
            match = None
            for match in self._compiled.finditer(text, start, timeout=left):
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
        for match in self._matches(text):
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

    def strings(self, text: str) -> list[str]:
        """The texts of `split`."""
        return [pretoken.text for pretoken in self.split(text)]


@dataclass(frozen=True)
class Chain(Pretokenizer):
    """Cuts one after the other: each cuts the pieces that the one before it left.

    >>> from bpe_core.text.pretokenizers import PRETOKENIZERS
    >>> stages = PRETOKENIZERS["digits"], PRETOKENIZERS["gpt2"]
    >>> Chain("", "", (), True, stages=stages).strings("in 1984")
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

    def strings(self, text: str) -> list[str]:
        """The texts of `split`."""
        cut = [text] if text else []
        for stage in self.stages:
            cut = [piece for outer in cut for piece in stage.strings(outer)]
        return cut
