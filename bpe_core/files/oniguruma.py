"""Hugging Face's regular expressions are Oniguruma's; those that can be said to `regex`, in its words.

A class within a class is the one thing that is said in another way: its members are the outer class's own.
"""

from __future__ import annotations

import regex

from bpe_core.files.format import FormatError

# One piece of a pattern after the other. What is not in here, Oniguruma reads in another way than `regex`.
_ESCAPE = r"\\(?:[sSdDrnt]|[pP]\{\^?\w+\}|[^\w])"
_MEMBER = rf"(?:{_ESCAPE}|(?!&&)[^\]\[\\])"
# Not beside a hyphen, and not beginning or ending with one: it would be a range without the brackets.
_INNER = rf"(?<!-)\[(?![\^:-])(?P<members>{_MEMBER}++)(?<!-)\](?!-)"
_PIECE = regex.compile(
    rf"""{_ESCAPE}
    | \[\^?\]?(?:{_MEMBER}|{_INNER})*+\]  # a class
    | \((?:\?(?:i?:|<?[=!]))?|\)  # a group
    | \{{\d+\}}(?![+?])|\{{\d+,\d*\}}(?!\+)
    | [^\\\[\](){{}}^$]""",
    regex.VERBOSE,
)
_NESTED = regex.compile(rf"{_ESCAPE}|{_INNER}")
# A class of all but both of two opposites, which `regex` takes for a class of everything.
_OPPOSITES = regex.compile(r"(?s)\[\^(?=.*\\(?:[sd]|p\{\w|P\{\^))(?=.*\\(?:[SD]|P\{\w|p\{\^))")
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


def _flat(piece: str) -> str:
    """A class without classes in it."""
    return piece[0] + _NESTED.sub(lambda match: match["members"] or match[0], piece[1:])


def in_our_words(pattern: str) -> str:
    """The pattern that means to `regex` what `pattern` means to Oniguruma; `FormatError` where that is not certain.

    >>> in_our_words(r" ?[^(\\s|[.,])]+|(?i:'[sdmt])")
    " ?[^(\\\\s|.,)]+|(?i:'[sdmt])"
    """
    ours: list[str] = []
    end, folded = 0, [False]  # whether case does not count in each of the groups around
    while piece := _PIECE.match(pattern, end):
        end, part = piece.end(), _flat(piece[0]) if piece[0].startswith("[") else piece[0]
        if not _PIECE.fullmatch(part) or _OPPOSITES.match(part):
            raise FormatError(f"the pattern of Split has {piece[0]!r:.40}, which is not supported")
        ours.append(part)
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
    return "".join(ours)
