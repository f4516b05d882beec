r"""Translation of Rust's regular expressions, as tiktoken reads them, for Python's module `regex`.

Some signs mean one thing in Rust and another in Python. Each part of a pattern is translated into a part that means the
same in Python. A part without a known translation is refused.

    Rust                means                                 Python
    `$`, `\z`           the end of the text                   `\Z`
    `\Z`                the end, or line breaks before it     `(?=\n*\Z)`
    `\h`                a hexadecimal digit                   `[0-9A-Fa-f]`
    `[a-c[x-z]]`        a class within a class                the same, under `(?V1)`
    `[\w--[a]]`, `&&`   difference, intersection of classes   the same, under `(?V1)`
    `[[:alpha:]]`       letters of ASCII                      `[A-Za-z]`
    `(?i)s`             s, S, and letters that fold to s      `[sSſ]`

The source is the documentation of the crates `regex` and `fancy_regex`.
"""

from __future__ import annotations

from functools import lru_cache

import regex

from bpe_core.text.rules import PatternError

_HEX = "0-9A-Fa-f"
_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\x20\x09",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": r"\x09-\x0d\x20",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": _HEX,
}
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
_ANCHORS = {"A": r"\A", "z": r"\Z", "Z": r"(?=\n*\Z)", "b": r"\b", "B": r"\B"}
_FOLDED = {"s": "sS\u017f", "k": "kK\u212a"}  # long s and the Kelvin sign fold to letters of ASCII
_BINARY = ("alphabetic", "any", "ascii", "lowercase", "uppercase")  # properties with two values
_WRITTEN = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_PLAIN = frozenset(" '\"_,;:!%@/<>=")  # signs that mean themselves everywhere
_COUNT = regex.compile(r"(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\}|\{,[0-9]+\})[?+]?")
_GROUP = regex.compile(r"\((?:\?(?:P?<[A-Za-z_][A-Za-z0-9_]*>|[a-zA-Z]*(?:-[a-zA-Z]+)?[:)]|<?[=!]|>))?")
_CODE = regex.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[xuU]\{([0-9A-Fa-f]{1,8})\}")
_PROPERTY = regex.compile(r"([pP])(?:\{(\^?)(?:(gc|sc)=)?([A-Za-z_ ]+)\}|([A-Za-z]))")
_ESCAPE = regex.compile(r"\\(?:[dDwWsS]|[pP]\{[^}]*\})")
_NAMED = regex.compile(r"\[:(\^?)([a-z]+):\]")
_OPERATION = regex.compile(r"&&|--|~~")


@lru_cache(maxsize=64)
def from_rust(pattern: str) -> str:
    r"""Translate a pattern of tiktoken into a pattern for `regex` that matches the same.

    A pattern that means the same in both comes back as it is. Raises `PatternError` for a part that cannot be
    translated.

    >>> from_rust(r"[\p{L}&&[^\p{Han}]]+$")
    '(?V1)[[\\p{gc=L}]&&[[^\\p{sc=Han}]]]+\\Z'
    >>> from_rust(r"\p{L}+|.")
    '\\p{L}+|.'
    >>> from_rust(r"a\Kb")
    Traceback (most recent call last):
        ...
    bpe_core.text.rules.PatternError: “\K” at position 1 has no known counterpart in Python's regular expressions
    """
    reader = _Reader(pattern)
    try:
        text, _ = reader.alternatives()
    except RecursionError:
        raise PatternError("the pattern does not compile: its brackets are nested too deeply") from None
    if reader.at < len(pattern):
        raise reader.refusal(reader.at, reader.at + 1)
    text = f"(?V1){text}" if reader.sets else text
    return pattern if _one_spelling(pattern) == _one_spelling(text) else text


def _one_spelling(pattern: str) -> str:
    """Return a pattern with one of two spellings that mean the same in Rust and in Python."""
    return pattern.replace("[^\\n]", ".").replace("{gc=", "{")


class _Reader:
    """A reader of a pattern, from left to right.

    `at`: the position of the next character. `flags`: the flags that are on. `sets`: whether the translation has
    classes within classes. A method that returns a text and a bool has read a part: the text is its translation, the
    bool says whether the part may match nothing.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at, self.flags, self.sets = pattern, 0, frozenset[str](), False

    def refusal(self, start: int, end: int) -> PatternError:
        part = self.pattern[start:end][:20]
        why = "has no known counterpart in Python's regular expressions"
        return PatternError(f"“{part}” at position {start} {why}" if part else "the pattern ends too early")

    def _sees(self, text: str) -> bool:
        return self.pattern.startswith(text, self.at)

    def _next(self) -> str:
        if self.at >= len(self.pattern):
            raise self.refusal(self.at, self.at)
        self.at += 1
        return self.pattern[self.at - 1]

    def alternatives(self) -> tuple[str, bool]:
        """Read alternatives, up to the bracket that closes their group or to the end of the pattern."""
        flags, found = self.flags, [self._sequence()]
        while self._sees("|"):
            self.at += 1
            found.append(self._sequence())
        self.flags = flags
        return "|".join(text for text, _ in found), any(empty for _, empty in found)

    def _sequence(self) -> tuple[str, bool]:
        parts = []
        while self.at < len(self.pattern) and not self._sees("|") and not self._sees(")"):
            parts.append(self._counted())
        return "".join(text for text, _ in parts), all(empty for _, empty in parts)

    def _counted(self) -> tuple[str, bool]:
        """Read a part and its count.

        A count for a part that may match nothing is refused, since Rust and Python stop repeating it at other times.
        """
        start = self.at
        text, empty = self._part()
        count = _COUNT.match(self.pattern, self.at)
        if not count:
            return text, empty
        self.at, twice = count.end(), _COUNT.match(self.pattern, count.end())
        if twice or not text or (empty and count[0][0] != "?"):
            raise self.refusal(start, twice.end() if twice else self.at)
        return text + count[0], empty or count[0][0] in "*?" or count[0].startswith(("{0", "{,"))

    def _part(self) -> tuple[str, bool]:
        start, sign = self.at, self._next()
        if sign == "(":
            return self._group(start)
        if sign == "[":
            return self._class(), False
        if sign == "\\":
            return self._escape(start)
        if sign == "^":
            return (r"(?<![^\n])" if "m" in self.flags else r"\A"), True
        if sign == "$":
            return (r"(?![^\n])" if "m" in self.flags else r"\Z"), True
        if sign == ".":
            return (r"[\s\S]" if "s" in self.flags else r"[^\n]"), False
        if sign in "*+?":
            raise self.refusal(start, self.at)
        return self._character(start, sign), False

    def _group(self, start: int) -> tuple[str, bool]:
        opened = _GROUP.match(self.pattern, start)
        if not opened or self._sees("*"):
            raise self.refusal(start, start + 4)
        head, self.at = opened[0], opened.end()
        flags = self.flags
        if head[-1] in ":)" and not self._set_flags(head[2:-1]):
            raise self.refusal(start, self.at)
        if head[-1] == ")":
            return "", True
        text, empty = self.alternatives()
        if self._next() != ")":
            raise self.refusal(start, self.at)
        self.flags = flags
        around = head[-1] in "=!"
        return f"{head if around or head == '(?>' else '(?:'}{text})", empty or around

    def _set_flags(self, letters: str) -> bool:
        """Set the flags, and return whether all of them are known."""
        on, _, off = letters.partition("-")
        self.flags = (self.flags | set(on)) - set(off)
        return set(on) <= set("imsu") and set(off) <= set("ims")

    def _escape(self, start: int) -> tuple[str, bool]:
        if self.at < len(self.pattern) and self.pattern[self.at] in _ANCHORS:
            return _ANCHORS[self._next()], True
        inner = self._escaped_set(start)
        if inner:
            return (inner if _ESCAPE.fullmatch(inner) else f"[{inner}]"), False
        return self._character(start, self._escaped_character(start)), False

    def _escaped_set(self, start: int) -> str:
        """Return the inside of a class for an escape that matches several characters; "" for any other escape."""
        letter = self.pattern[self.at : self.at + 1]
        found = _PROPERTY.match(self.pattern, self.at)
        if found:
            self.at = found.end()
            return self._property(start, found)
        if letter and letter in "dDwWsShH":
            self.at += 1
            digits = {"h": _HEX, "H": r"\x00-/:-@G-`g-\U0010ffff"}
            return digits.get(letter, f"\\{letter}")
        return ""

    def _property(self, start: int, found: regex.Match[str]) -> str:
        sign, inverse, kind, name, letter = found.groups()
        name = name or letter
        folded = ""
        if "i" in self.flags and name == "L" and sign == "p" and not inverse:
            folded = r"\u0345"  # a mark that folds to iota; no other letter folds to a character of another kind
        elif "i" in self.flags and not regex.fullmatch("[NZPS][a-z]?", name):
            raise self.refusal(start, self.at)
        kinds = [f"{kind}="] if kind else [""] if name.lower() in _BINARY else ["gc=", "sc="]
        for written in (rf"\{sign}{{{inverse or ''}{kind}{name}}}" for kind in kinds):
            if _compiles(written):
                return written + folded
        raise self.refusal(start, self.at)

    def _escaped_character(self, start: int) -> str:
        code = _CODE.match(self.pattern, self.at)
        if code:
            self.at = code.end()
            value = int(next(filter(None, code.groups())), 16)
            if value > 0x10FFFF or 0xD800 <= value < 0xE000:
                raise self.refusal(start, self.at)
            return chr(value)
        letter = self._next()
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter in "<>" or letter.isalnum():
            raise self.refusal(start, self.at)
        return letter

    def _character(self, start: int, sign: str) -> str:
        """Return a pattern that matches one character under the flags that are on."""
        same = self._same(start, sign)
        return _literal(sign) if same == sign else f"[{''.join(map(_literal, same))}]"

    def _same(self, start: int, sign: str) -> str:
        """Return the characters that `sign` matches: several only if case is ignored."""
        if "i" not in self.flags:
            return sign
        if sign.isascii():
            small = sign.lower()
            return _FOLDED.get(small, small + small.upper() if small.isalpha() else sign)
        if sign.lower() != sign or sign.upper() != sign or sign.casefold() != sign:
            raise self.refusal(start, self.at)
        return sign

    def _class(self) -> str:
        """Read a class, after its opening bracket."""
        start = self.at - 1
        inverse = "^" if self._sees("^") else ""
        self.at += len(inverse)
        text, operation = self._union(start, first=True), ""
        while not self._sees("]"):
            operation = self.pattern[self.at : self.at + 2]
            self.at += 2
            self.sets = True
            text = f"[{text}]{operation}[{self._union(start)}]"
        self.at += 1
        return f"[^[{text}]]" if inverse and operation else f"[{inverse}{text}]"

    def _union(self, start: int, first: bool = False) -> str:
        """Read the items of a class up to its end, or up to an operation."""
        items = []
        while first and self._sees("-"):
            items.append(_literal(self._next()))
        if first and not items and self._sees("]"):
            items.append(_literal(self._next()))
        while not self._sees("]"):
            if _OPERATION.match(self.pattern, self.at):
                break
            items.append(self._item())
        if not items or self._sees("--]"):
            raise self.refusal(start, self.at + 1)
        return "".join(items)

    def _item(self) -> str:
        """Read a class in the class, a named class, an escape, a range or a character."""
        start = self.at
        named = _NAMED.match(self.pattern, self.at)
        if named:
            self.at = named.end()
            if named[2] not in _POSIX or "i" in self.flags:
                raise self.refusal(start, self.at)
            self.sets |= bool(named[1])
            return f"[^{_POSIX[named[2]]}]" if named[1] else _POSIX[named[2]]
        if self._sees("["):
            self.at += 1
            self.sets = True
            return self._class()
        if self._sees("\\"):
            self.at += 1
            several = self._escaped_set(start)
            if several:
                return several
            self.at = start
        low = self._end_of_range()
        if not self._sees("-") or self._sees("-]") or self._sees("--"):
            return "".join(map(_literal, self._same(start, low)))
        self.at += 1
        high = self._end_of_range()
        if "i" not in self.flags:
            return f"{_literal(low)}-{_literal(high)}"
        if high > "\x7f":
            raise self.refusal(start, self.at)
        inside = dict.fromkeys("".join(self._same(start, chr(code)) for code in range(ord(low), ord(high) + 1)))
        return "".join(map(_literal, inside))

    def _end_of_range(self) -> str:
        start, sign = self.at, self._next()
        if sign == "[":
            raise self.refusal(start, self.at)
        return self._escaped_character(start) if sign == "\\" else sign


def _compiles(pattern: str) -> bool:
    try:
        regex.compile(pattern)
    except regex.error:
        return False
    return True


def _literal(sign: str) -> str:
    """Return a pattern that matches one character, within a class and outside.

    >>> [_literal(sign) for sign in "a-é"]
    ['a', '\\\\-', 'é']
    """
    if sign in _PLAIN or (sign.isprintable() and (sign.isalnum() or not sign.isascii())):
        return sign
    return _WRITTEN.get(sign) or (f"\\{sign}" if sign.isprintable() else f"\\U{ord(sign):08x}")
