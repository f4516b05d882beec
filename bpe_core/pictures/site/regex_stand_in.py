"""The module `regex` where only `re` is: for the engine in a browser's Python, which has no `regex`.

It knows what the engine uses of `regex`, and no more. `classes.json` beside it has the characters of each class that a
pattern names, as `regex` has them (see `engine.explicit_classes`). A pattern is compiled when it is first used, since
most patterns of the engine are not.
"""

from __future__ import annotations

import json
import re as _re
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

VERBOSE, REVERSE, V1, error, escape = int(_re.VERBOSE), 1 << 20, 1 << 21, _re.error, _re.escape
LETTER = (  # \X, from Unicode's annex 29
    r"(?:\r\n|[\r\n\p{GCB=Control}]|\p{GCB=Prepend}*(?:\p{GCB=Regional_Indicator}{2}"
    r"|\p{GCB=L}*(?:\p{GCB=V}+|\p{GCB=LV}\p{GCB=V}*|\p{GCB=LVT})\p{GCB=T}*|\p{GCB=L}+|\p{GCB=T}+"
    r"|\p{Extended_Pictographic}(?:\p{GCB=Extend}*\p{GCB=ZWJ}\p{Extended_Pictographic})*"
    r"|\p{InCB=Consonant}(?:[\p{InCB=Extend}\p{InCB=Linker}]*\p{InCB=Linker}[\p{InCB=Extend}\p{InCB=Linker}]*"
    r"\p{InCB=Consonant})*|[^\r\n\p{GCB=Control}])[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*|\p{GCB=Prepend}+)"
)
CLASS = r"\\[pP]\{[^}]*\}|\\[sSdDwW]"  # a class by its name in a pattern


class Pattern:
    """A pattern of `regex`, with the methods that the engine uses. Nothing is timed: no pattern is a reader's."""

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        """Take a pattern; it is compiled when it is used."""
        self.pattern, self.flags = pattern, flags

    def __class_getitem__(cls, _: object) -> type[Pattern]:
        """Allow `Pattern[str]` in annotations."""
        return cls

    def __getattr__(self, name: str) -> Any:
        """Return what a pattern of `re` has under this name, such as `findall`."""
        return getattr(self._compiled, name)

    @cached_property
    def _compiled(self) -> Any:
        if isinstance(self.pattern, bytes):
            return _re.compile(self.pattern, self.flags)
        return _re.compile(explicit(self.pattern.replace("(?r)", "").replace(r"\X", LETTER)), self.flags)

    def search(self, text: Any, start: int = 0, end: int | None = None, **_: object) -> Any:
        """Return the first match, or with `(?r)` the last one."""
        end = len(text) if end is None else end
        if isinstance(self.pattern, str) and self.pattern.startswith("(?r)"):
            found = (self._compiled.match(text, i, end) for i in range(end, start - 1, -1))
            return next((match for match in found if match), None)
        return self._compiled.search(text, start, end)

    def finditer(self, text: Any, timeout: float | None = None, **_: object) -> Iterator[Any]:
        """Return all matches."""
        return self._compiled.finditer(text)  # type: ignore[no-any-return]

    def match(self, text: Any, start: int = 0, timeout: float | None = None, **_: object) -> Any:
        """Return the match that begins at `start`."""
        return self._compiled.match(text, start)


class Match:
    """The type of a match, for annotations."""

    def __class_getitem__(cls, _: object) -> type[Match]:
        """Allow `Match[str]` in annotations."""
        return cls


def explicit(pattern: str) -> str:
    """Return a pattern for `re` in which each class is a list of its characters.

    In `re` a bracket within brackets is a sign like others, but will not stay one: so it is escaped.
    """
    parts, inside, i = [], False, 0
    while i < len(pattern):
        if found := _re.compile(CLASS).match(pattern, i):
            ranges = _classes()[found[0]]
            parts.append(ranges if inside else f"[{ranges}]")
            i = found.end()
            continue
        sign = pattern[i : i + 2] if pattern[i] == "\\" else pattern[i]
        i += len(sign)
        if sign == "[" and inside:
            sign = r"\["
        elif sign == "[":
            inside = True
            if pattern[i : i + 1] == "^":
                sign, i = "[^", i + 1
        elif sign == "]" and inside:
            inside = False
        parts.append(sign)
    return "".join(parts)


@cache
def _classes() -> dict[str, str]:
    found: dict[str, str] = json.loads(Path(__file__).with_name("classes.json").read_text())
    return found


def compile(pattern: str | bytes | Pattern, flags: int = 0, **_: object) -> Pattern:
    """Return a pattern."""
    return pattern if isinstance(pattern, Pattern) else Pattern(pattern, flags)


def finditer(pattern: str, text: str) -> Iterator[Any]:
    """Return all matches."""
    return compile(pattern).finditer(text)


def fullmatch(pattern: str, text: str) -> Any:
    """Return the match of the whole text."""
    return compile(pattern).fullmatch(text)


def search(pattern: str, text: str) -> Any:
    """Return the first match."""
    return compile(pattern).search(text)


def findall(pattern: str, text: str) -> list[Any]:
    """Return the texts of all matches."""
    return compile(pattern).findall(text)  # type: ignore[no-any-return]


def sub(pattern: str, new: str, text: str) -> str:
    """Return a text with `new` in place of each match."""
    return compile(pattern).sub(new, text)  # type: ignore[no-any-return]
