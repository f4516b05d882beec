"""Why was it cut there? The alternatives of a pretokenizer's pattern, each in words.

A built-in pretokenizer has named rules. A user's pattern, or a file's, is taken apart at the `|` that are outside of
brackets:

    pattern         '(?:s|t)|[^|\\s]+|\\s
    alternatives    '(?:s|t)   [^|\\s]+   \\s
"""

from __future__ import annotations

from typing import NamedTuple

import regex

from bpe_core import arguments
from bpe_core.text.custom_patterns import CUSTOM_SECONDS, check_pattern
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import PatternError, Pretokenizer

_ENDINGS = "s, t, re, ve, m, ll or d"
_LEAD = "with one space or sign before them, if any"
_BOTH = "with one space or sign before and a contraction after them, if any"
_SIGN, _CAPITALS, _SMALL = (
    r"[^\r\n\p{L}\p{N}]?",
    r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]",
    r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]",
)
_ANY_CASE = dict(PRETOKENIZERS["qwen"].rules)["contraction"]
_MARK, _WORD = (rule for _, rule in PRETOKENIZERS["bert"].rules)
_UP_TO_MARK = PRETOKENIZERS["punctuation"].rules[1][1]
_THREES = dict(PRETOKENIZERS["digits-right"].rules)["digits"]
_SPACES = dict(PRETOKENIZERS["gpt2"].rules)["whitespace"]
_IN_WORDS = {
    r"\S+": "everything up to the next white space",
    r"'(?:s|t|re|ve|m|ll|d)": f"an apostrophe and {_ENDINGS}",
    r"'(?i:[sdmt]|ll|ve|re)": f"an apostrophe and {_ENDINGS}, small or capital",
    _ANY_CASE: f"an apostrophe and {_ENDINGS}, small or capital",
    r" ?\p{L}+": "letters, with the space before them",
    r"\p{L}+": "letters",
    r"\w+": "letters, digits and underscores",
    r"\d+": "digits",
    r"[^\w\s]+": "other signs",
    rf"{_SIGN}+\p{{L}}++": f"letters, {_LEAD}",
    rf"{_SIGN}\p{{L}}+": f"letters, {_LEAD}",
    rf"{_SIGN}[\p{{L}}\p{{M}}]+": f"letters and marks, {_LEAD}",
    rf"{_SIGN}{_CAPITALS}*{_SMALL}+": f"capitals if any, then small letters, {_LEAD}",
    rf"{_SIGN}{_CAPITALS}+{_SMALL}*": f"capitals, {_LEAD}",
    rf"{_SIGN}{_CAPITALS}*{_SMALL}+{_ANY_CASE}?": f"capitals if any, then small letters, {_BOTH}",
    rf"{_SIGN}{_CAPITALS}+{_SMALL}*{_ANY_CASE}?": f"capitals, {_BOTH}",
    r" ?\p{N}+": "digits, with the space before them",
    r"\p{N}+": "digits",
    r"\p{N}": "one digit",
    r"\p{N}{1,3}": "up to three digits",
    r"\p{N}{1,3}+": "up to three digits",
    _THREES: "digits in threes, counted from the right",
    r"\P{N}+": "everything up to the next digit",
    r" ?[^\s\p{L}\p{N}]+": "other signs, with the space before them",
    r"[^\s\p{L}\p{N}]+": "other signs",
    r" ?[^\s\p{L}\p{N}]++[\r\n]*+": "other signs, with the space before and the line breaks after them",
    r" ?[^\s\p{L}\p{N}]+[\r\n]*": "other signs, with the space before and the line breaks after them",
    r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*": "other signs, with the space before and the line breaks after them",
    r" ?[^\s\p{L}\p{N}]+[\r\n/]*": "other signs, with the space before and the line breaks and slashes after them",
    r"\s++$": "white space at the end of the text",
    r"\s*[\r\n]": "white space up to its last line break",
    r"\s*[\r\n]+": "white space up to its last line break",
    _SPACES: "white space; before a word without its last character, unless that is all",
    r"\s+(?!\S)": "white space; before a word without its last character",
    r"\s+": "white space",
    _MARK: "one punctuation mark",
    _WORD: "everything up to the next punctuation mark or white space",
    _UP_TO_MARK: "everything up to the next punctuation mark",
    " ?[^ ]+": "everything up to the next space, with the space before it",
    " ": "a space that no word takes",
    r"[^\n]*\n|[^\n]+": "a line, with its line break",
    r"[\s\S]+": "the whole text",
}
_ESCAPED = regex.compile(r"(?s)\\(.)")
_NUMBERED = "alternative {}"
# What shows that a part means something else alone than in its pattern: flags for all that follows.
_FLAGS = regex.compile(r"\(\?[A-Za-z0-9-]+\)")
_PIECE = regex.compile(r"(?s)\\.|\[\^?\]?(?:\\.|\[:\^?[a-z]+:\]|[^\]\\])*\]|.")


class Alternative(NamedTuple):
    """An alternative of a pattern. `name`: the name of its rule. `words`: what it matches; "" if nobody said it.

    Of a file that splits at a text and not at a pattern, `pattern` is that text as it is.
    """

    name: str
    pattern: str
    words: str


def alternatives(splitter: Pretokenizer) -> list[Alternative]:
    r"""Return the alternatives of a pretokenizer's pattern, in the order in which they are tried.

    >>> from bpe_core import PRETOKENIZERS
    >>> alternatives(PRETOKENIZERS["gpt2"])[1]
    Alternative(name='letters', pattern=' ?\\p{L}+', words='letters, with the space before them')
    """
    arguments.of_kind(splitter, Pretokenizer, "a pretokenizer is a row of PRETOKENIZERS, or tok.pretokenizer")
    rules = taken_apart(splitter).rules
    if splitter.library_patterns:
        parts = [part for pattern in splitter.library_patterns for part in _outer_parts(pattern)]
        rules = tuple(zip(map(_NUMBERED.format, range(1, len(parts) + 1)), parts, strict=True))
    return [_alternative(name, pattern, bool(splitter.library_patterns)) for name, pattern in rules]


def _alternative(name: str, pattern: str, of_file: bool) -> Alternative:
    """Return an alternative. `of_file`: whether it is a file's, where it may be a text, with its signs escaped."""
    words = _IN_WORDS.get(pattern.replace("gc=", ""), "")
    text = _ESCAPED.sub(r"\1", pattern)
    if of_file and not words and pattern == regex.escape(text):
        return Alternative(name, text, f"the text “{text:.60}”, letter for letter")
    return Alternative(name, pattern, words)


def taken_apart(splitter: Pretokenizer) -> Pretokenizer:
    r"""Return a pretokenizer with the same pretokens and a rule for each alternative of a user's or a file's pattern.

    The pretokenizer itself is returned if it is built in, or if its pattern cannot be taken apart: because it has
    groups that capture, or flags for all that follows. A file with several patterns, one after the other, has no such
    rules either. A file's library may read its pattern in another way: see `why_cut`.

    >>> from bpe_core.text.custom_patterns import custom
    >>> taken_apart(custom(r"'(?:s|t)|[^|\s]+|\s")).rules
    (('alternative 1', "'(?:s|t)"), ('alternative 2', '[^|\\s]+'), ('alternative 3', '\\s'))
    """
    pattern = splitter.pattern if splitter.seconds else "".join(splitter.library_patterns[:1])
    if not pattern or len(splitter.library_patterns) > 1:
        return splitter
    parts = _outer_parts(pattern)
    if len(parts) == 1 and splitter.seconds:
        return splitter
    rules = tuple((_NUMBERED.format(n), part) for n, part in enumerate(parts, 1))
    return splitter.by_rules(rules, splitter.seconds or CUSTOM_SECONDS)


def _outer_parts(pattern: str) -> list[str]:
    """Return the parts of a pattern between the `|` outside of brackets, or the pattern if it cannot be taken apart."""
    try:
        check_pattern(pattern)
        if _FLAGS.search(pattern) or regex.compile(pattern).groups:
            return [pattern]
    except PatternError:
        return [pattern]
    parts, depth = [""], 0
    for piece in _PIECE.findall(pattern):
        depth += (piece == "(") - (piece == ")")
        if piece == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += piece
    return parts
