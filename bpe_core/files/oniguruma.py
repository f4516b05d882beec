"""Hugging Face's regular expressions are Oniguruma's; which of them mean the same to `regex`."""

from __future__ import annotations

import regex

from bpe_core.files.format import FormatError

# One piece of a pattern after the other. What is not in here, Oniguruma reads in another way than `regex`.
_PIECE = regex.compile(
    r"""\\(?:[sSdDrnt]|[pP]\{\^?\w+\}|[^\w])  # an escape
    | \[\^?\]?(?:\\(?:[sSdDrnt]|[pP]\{\^?\w+\}|[^\w])|(?!&&)[^\]\[\\])*+\]  # a class
    | \((?:\?(?:i?:|<?[=!]))?|\)  # a group
    | \{\d+\}(?![+?])|\{\d+,\d*\}(?!\+)
    | [^\\\[\](){}^$]""",
    regex.VERBOSE,
)
_FOLDED = regex.compile("ss|st|f[fil]|i\u0307|[ʼ]n", regex.IGNORECASE)  # that one letter may stand for
# Properties that both have: general categories, scripts, and those of POSIX but Word and XDigit.
_PROPERTY = regex.compile(r"\\[pP]\{\^?(\w+)\}")
_PROPERTIES = regex.compile(
    "L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfon]?|Letter|Mark|Number|Punctuation|Symbol|Separator"
    "|Other|Alphabetic|Uppercase|Lowercase|White_Space|Ideographic|ASCII|Any|Assigned|Emoji"
    "|Alpha|Alnum|Space|Blank|Cntrl|Digit|Graph|Upper|Lower|Print|Punct"
    "|Han|Hiragana|Katakana|Bopomofo|Hangul|Latin|Greek|Cyrillic|Armenian|Georgian|Hebrew|Arabic|Devanagari|Bengali"
    "|Gurmukhi|Gujarati|Tamil|Telugu|Kannada|Malayalam|Sinhala|Thai|Lao|Khmer|Myanmar|Tibetan|Mongolian|Ethiopic"
)


def _folds_otherwise(piece: str) -> bool:
    """Whether a piece of a pattern may match other letters in Oniguruma than here, where case does not count."""
    if _PROPERTY.search(piece) or not piece.isascii():
        return True
    if piece.startswith("["):  # here all four are one letter
        try:
            return len({bool(regex.match(piece, letter)) for letter in "iIıİ"}) > 1
        except regex.error:
            return True
    return piece in ("i", "I")


def check_pattern(pattern: str) -> None:
    """Raise `FormatError` for a pattern of which Oniguruma and `regex` may make different things.

    >>> check_pattern(r" ?\\p{L}+|(?i:'[sdmt])")
    """
    end, folded = 0, [False]  # whether case does not count in each of the groups around
    while piece := _PIECE.match(pattern, end):
        end, part = piece.end(), piece[0]
        unknown = next((name for name in _PROPERTY.findall(part) if not _PROPERTIES.fullmatch(name)), None)
        if unknown:
            raise FormatError(f"the pattern of Split has the property {unknown!r:.40}, which is not supported")
        if part.startswith("("):
            folded.append(folded[-1] or part == "(?i:")
        elif part == ")" and len(folded) > 1:
            folded.pop()
        elif folded[-1] and _folds_otherwise(part):
            raise FormatError(f"the pattern of Split has {part!r:.40} after (?i: which is not supported")
    if end < len(pattern):
        raise FormatError(f"the pattern of Split has {pattern[end : end + 20]!r}, which is not supported")
    if "(?i" in pattern and _FOLDED.search(pattern):
        raise FormatError("the pattern of Split has letters that one letter may stand for after (?i: not supported")
