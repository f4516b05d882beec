"""A pattern of one's own as a part of a `tokenizer.json`, where Hugging Face's regular expressions split the same.

Theirs are Oniguruma's, ours the module `regex`'s. Two things have to be so before a pattern is written: it consists
only of signs that mean the same in both, and `tokenizers` itself splits trial texts, with every character, as we do.
"""

from __future__ import annotations

import sys
import unicodedata
from functools import cache, lru_cache
from time import thread_time

import regex

from bpe_core.files.format import FormatError
from bpe_core.files.libraries import hugging_face_library, their_errors
from bpe_core.text.rules import Pretokenizer

SHORT = 48  # characters of a text to try
SECONDS = 5.0  # of the processor that trying may take
_ESCAPED = r"\\(?:[nrtsSdDwW]|[^\w\s]|[pP]\{[A-Za-z]+\})"
_SIGNS = regex.compile(
    rf"""
    (?: [^\\^$.|?*+()\[\]{{}}]                                     # a character
    | {_ESCAPED} | \. | \|
    | \[\^?(?:{_ESCAPED}|[^\\\[\]&~|-]|(?<=[^\[^-])-(?=[^\]-]))+\]  # a class, without operations and classes in it
    | \((?:\?[:=!]|(?!\?))                                         # a group, or what comes after
    | \)
    | (?:[*+?]|\{{[0-9]+(?:,[0-9]*)?\}}(?!\?))(?![*+])\??             # possessive counts differ, as does {{2}}?
    )*
    """,
    regex.VERBOSE,
)
_MIXED = (
    "The keeper's dog can't see 12,345.67 lamps;  he'll WAIT_here\t\tor  there!\r\n\r\n  x = y[0]+{'a': 1}  # end\n ",
    "naïve e\u0301 नमस्ते 中文日本語 עברית العربية 🦜🏽 a\u200db \u00a0\u3000\u2028 ½²Ⅳ٣ ßſ K _-_ <|end|> \\ ^$",
)


@cache
def _trials() -> list[str]:
    """Return short texts to try: mixed ones, and all characters of Python's tables, which the libraries' have too.

    Oniguruma gives up on a text after a fixed number of tries, and a short text has few places to begin one.
    """
    every = [*map(chr, range(sys.maxunicode + 1))]
    known = "".join(char for char in every if unicodedata.category(char) not in ("Cn", "Cs", "Co"))
    return [*_MIXED, *(known[start : start + SHORT] for start in range(0, len(known), SHORT))]


@lru_cache(maxsize=64)
def check_custom(pretokenizer: Pretokenizer) -> None:
    """Raise `FormatError` unless Hugging Face's regular expressions split by a pattern of one's own as we do.

    >>> from bpe_core.text.custom_patterns import custom
    >>> check_custom(custom(r"\\p{L}+|\\S"))
    >>> check_custom(custom(r"^a"))
    Traceback (most recent call last):
        ...
    bpe_core.files.format.FormatError: Hugging Face's regular expressions may split otherwise by the pattern '^a'
    """
    pattern, end = pretokenizer.pattern, thread_time() + SECONDS
    refused = FormatError(f"Hugging Face's regular expressions may split otherwise by the pattern {pattern!r:.80}")
    if not _SIGNS.fullmatch(pattern):
        raise refused
    library = hugging_face_library("writing a pattern of your own into a tokenizer.json")
    with their_errors("tokenizers"):
        split = library.pre_tokenizers.Split(library.Regex(pattern), "removed", invert=True)
    for text in _trials():
        with their_errors("tokenizers"):
            theirs = [piece for piece, _ in split.pre_tokenize_str(text)]
        if theirs != pretokenizer.strings(text):
            raise refused
        if thread_time() > end:
            raise FormatError(f"it takes too long to check how Hugging Face splits by the pattern {pattern!r:.80}")
