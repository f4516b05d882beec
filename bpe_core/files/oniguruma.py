"""Hugging Face's regular expressions are Oniguruma's; those that can be said to `regex`, in its words.

Two things are said in another way: the members of a class within a class are the outer class's own; and where case
does not count, all the letters are given, for `(?i:` changes what `regex` finds elsewhere in the pattern.
"""

from __future__ import annotations

from string import ascii_letters, ascii_lowercase

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
_LETTERS = {letter: letter + letter.upper() + {"s": "ſ", "k": "\u212a"}.get(letter, "") for letter in ascii_lowercase}
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


def _in_any_case(piece: str) -> str:
    """A piece that matches what `piece` does where case does not count; see `_folds_otherwise` for what cannot be.

    >>> _in_any_case("s"), _in_any_case("[^a-c]"), _in_any_case(".")
    ('[sSſ]', '(?:(?![aAbBcC])[^a-c])', '.')
    """
    if piece.isalpha():
        return f"[{_LETTERS[piece.lower()]}]"
    if not piece.startswith("["):
        return piece
    negated = piece.startswith("[^")
    found = (letter.lower() for letter in ascii_letters if bool(regex.match(piece, letter)) != negated)
    letters = "".join(_LETTERS[letter] for letter in sorted(set(found)))
    if not letters:
        return piece
    return f"(?:(?![{letters}]){piece})" if negated else f"(?:[{letters}]|{piece})"


def in_our_words(pattern: str) -> str:
    """The pattern that means to `regex` what `pattern` means to Oniguruma; `FormatError` where that is not certain.

    >>> in_our_words(r" ?[^(\\s|[.,])]+|(?i:'[sdmt])")
    " ?[^(\\\\s|.,)]+|(?:'(?:[dDmMsSſtT]|[sdmt]))"
    """
    ours: list[str] = []
    # Of each of the groups around: whether case does not count, whether it looks behind.
    end, groups = 0, [(False, False)]
    while piece := _PIECE.match(pattern, end):
        end, part = piece.end(), _flat(piece[0]) if piece[0].startswith("[") else piece[0]
        if not _PIECE.fullmatch(part) or _OPPOSITES.match(part):
            raise FormatError(f"the pattern of Split has {piece[0]!r:.40}, which is not supported")
        unknown = next((name for name in _PROPERTY.findall(part) if not _PROPERTIES.fullmatch(name)), None)
        if unknown:
            raise FormatError(f"the pattern of Split has the property {unknown!r:.40}, which is not supported")
        folded, behind = groups[-1]
        if part.startswith("("):
            groups.append((folded or part == "(?i:", behind or part.startswith("(?<")))
        elif part == ")" and len(groups) > 1:
            groups.pop()
        elif folded and _folds_otherwise(part):
            raise FormatError(f"the pattern of Split has {part!r:.40} after (?i: which is not supported")
        elif behind and (part in "*+?" or part.startswith("{")):
            raise FormatError(f"the pattern of Split has {part!r:.40} after (?<, which is not supported")
        part = "(?:" if part == "(?i:" else part
        ours.append(_in_any_case(part) if folded else part)
    if end < len(pattern):
        raise FormatError(f"the pattern of Split has {pattern[end : end + 20]!r}, which is not supported")
    if "(?i" in pattern and _FOLDED.search(pattern):
        raise FormatError("the pattern of Split has letters that one letter may stand for after (?i: not supported")
    return "".join(ours)
