"""The module `regex` where only `re` is: for the engine in a Pyodide that has no `regex`.

`classes.json` beside the script that imports it has the characters of each class that a pattern names, as `regex` has
them. A pattern is compiled when it is first used, since most patterns of the engine are not.
"""

from __future__ import annotations

import json
import re as _re
from functools import cached_property
from pathlib import Path

VERBOSE, REVERSE, error = _re.VERBOSE, 1 << 20, _re.error
escape = _re.escape
LETTER = (  # \X, from Unicode's annex 29
    r"(?:\r\n|[\r\n\p{GCB=Control}]|\p{GCB=Prepend}*(?:\p{GCB=Regional_Indicator}{2}"
    r"|\p{GCB=L}*(?:\p{GCB=V}+|\p{GCB=LV}\p{GCB=V}*|\p{GCB=LVT})\p{GCB=T}*|\p{GCB=L}+|\p{GCB=T}+"
    r"|\p{Extended_Pictographic}(?:\p{GCB=Extend}*\p{GCB=ZWJ}\p{Extended_Pictographic})*"
    r"|\p{InCB=Consonant}(?:[\p{InCB=Extend}\p{InCB=Linker}]*\p{InCB=Linker}[\p{InCB=Extend}\p{InCB=Linker}]*\p{InCB=Consonant})*"
    r"|[^\r\n\p{GCB=Control}])[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*|\p{GCB=Prepend}+)"
)
CLASS = r"\\[pP]\{[^}]*\}|\\[sSdDwW]"


def _classes():
    return json.loads(Path(__file__).with_name("classes.json").read_text())


_RANGES = {}


def _explicit(pattern: str) -> str:
    """Return a pattern for `re` in which each class is a list of its characters."""
    if not _RANGES:
        _RANGES.update(_classes())
    parts, inside, i = [], False, 0
    while i < len(pattern):
        found = _re.compile(CLASS).match(pattern, i)
        if found:
            ranges = _RANGES[found[0]]
            parts.append(ranges if inside else f"[{ranges}]")
            i = found.end()
            continue
        char = pattern[i : i + 2] if pattern[i] == "\\" else pattern[i]
        if char == "[" and not inside:
            inside = True
            if pattern[i + 1 : i + 2] == "^":
                char += "^"
        elif char == "]" and inside:
            inside = False
        elif char == "[":
            char = r"\["
        parts.append(char)
        i += len(char) if char != r"\[" else 1
    return "".join(parts)


class Pattern:
    """A pattern of `regex`, with the methods that the engine uses."""

    def __init__(self, pattern, flags=0):
        self.pattern, self.flags = pattern, flags

    @cached_property
    def _re(self):
        if isinstance(self.pattern, bytes):
            return _re.compile(self.pattern, self.flags)
        return _re.compile(_explicit(self.pattern.replace("(?r)", "").replace(r"\X", LETTER)), self.flags)

    def __getattr__(self, name):
        return getattr(self._re, name)

    def __class_getitem__(cls, _):
        return cls

    def search(self, text, start=0, end=None, **_):
        end = len(text) if end is None else end
        if not isinstance(self.pattern, bytes) and self.pattern.startswith("(?r)"):
            found = (self._re.match(text, i, end) for i in range(end, start - 1, -1))
            return next((match for match in found if match), None)
        return self._re.search(text, start, end)

    def finditer(self, text, timeout=None, **_):
        return self._re.finditer(text)

    def match(self, text, start=0, timeout=None, **_):
        return self._re.match(text, start)


class Match:
    """The type of a match, for annotations."""

    def __class_getitem__(cls, _):
        return cls


def compile(pattern, flags=0, **_):
    return pattern if isinstance(pattern, Pattern) else Pattern(pattern, flags)


def finditer(pattern, text):
    return compile(pattern).finditer(text)


def fullmatch(pattern, text):
    return compile(pattern).fullmatch(text)


def search(pattern, text):
    return compile(pattern).search(text)


def findall(pattern, text):
    return compile(pattern).findall(text)


def sub(pattern, new, text):
    return compile(pattern).sub(new, text)
