"""The parts of a `tokenizer.json` that normalize and split text, as Hugging Face's `tokenizers` spells them.

Each row of `NORMALIZERS` and `PRETOKENIZERS` has its parts. Hugging Face's regular expressions are Oniguruma's: `$` is
the end of any line, `{1,3}+` is not possessive, and upper and lower case match by other rules. `_SPELT_OUT` replaces
the parts of our patterns that would match something else in Oniguruma.

Two things have to be so before a caller's own pattern is written: it consists only of signs that mean the same in
Oniguruma and in the module `regex`, and `tokenizers` itself splits trial texts, with every character, as we do.
"""

from __future__ import annotations

import sys
import time
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache, lru_cache

import regex

from bpe_core.files.format import FormatError
from bpe_core.files.libraries import hugging_face_library, their_errors
from bpe_core.text.normalizers import NORMALIZERS
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.encoding import FIRST_TEXT, NOTHING, SECOND_TEXT, Around, TwoTexts

Part = Mapping[str, object]

BYTE_LEVEL: Part = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
_SPELT_OUT = {
    "(?i:[sdmt]|ll|ve|re)": "(?:[sSſdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])",
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)": "(?:'[sSſ]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])",
    "?+": "?",
    "++": "+",
    "*+": "*",
    "{1,3}+": "{1,3}",
    "$|": r"\z|",
}


def normalizer_part(keys: tuple[str, ...]) -> Part | None:
    """Return the `normalizer` for a chain of normalizers; `FormatError` if Hugging Face has none.

    >>> normalizer_part(("nfc", "lowercase"))
    {'type': 'Sequence', 'normalizers': [{'type': 'NFC'}, {'type': 'Lowercase'}]}
    """
    parts = [_normalizer(key) for key in keys]
    return parts[0] if len(parts) == 1 else {"type": "Sequence", "normalizers": parts} if parts else None


def _normalizer(key: str) -> Part:
    row = NORMALIZERS[key]
    if row.hugging_face is None:
        raise FormatError(f"Hugging Face's files have no normalizer like {row.title}")
    return row.hugging_face


def pretokenizer_part(pretokenizer: Pretokenizer, alphabet: str) -> Part | None:
    """Return the `pre_tokenizer` that splits as `pretokenizer` does; None if the text stays whole.

    Raises `FormatError` if Hugging Face has no `pre_tokenizer` that splits so.

    >>> pretokenizer_part(PRETOKENIZERS["whitespace"], "characters")
    {'type': 'WhitespaceSplit'}
    """
    if pretokenizer.seconds is not None:  # a caller's own pattern
        check_custom(pretokenizer)
        pretokenizer = replace(pretokenizer, hugging_face=({"type": "Split"},))
    if pretokenizer == PRETOKENIZERS["gpt2"] and alphabet == "bytes":  # ByteLevel itself splits like GPT-2
        return {**BYTE_LEVEL, "use_regex": True}
    parts = splitting_parts(pretokenizer)
    if parts is None:
        raise FormatError(f"Hugging Face's files have no pre_tokenizer like {pretokenizer.title}")
    parts += [BYTE_LEVEL] if alphabet == "bytes" else []
    return {"type": "Sequence", "pretokenizers": parts} if len(parts) > 1 else parts[0] if parts else None


def splitting_parts(row: Pretokenizer) -> list[Part] | None:
    """Return the parts of a `pre_tokenizer` that split as a row of `PRETOKENIZERS` does; None if there are none.

    >>> splitting_parts(PRETOKENIZERS["whitespace"])
    [{'type': 'WhitespaceSplit'}]
    """
    if row.hugging_face is None:
        return None
    return [_split(row) if part == {"type": "Split"} else dict(part) for part in row.hugging_face]


def _split(row: Pretokenizer) -> Part:
    """Return a `Split` that splits by the rules of a row of `PRETOKENIZERS`."""
    pattern = row.pattern
    for ours, theirs in _SPELT_OUT.items():
        pattern = pattern.replace(ours, theirs)
    behavior = {"behavior": "Isolated", "invert": False} if row.lossless else {"behavior": "Removed", "invert": True}
    return {"type": "Split", "pattern": {"Regex": pattern}, **behavior}


def post_processor_part(around: Around, special_tokens: Mapping[str, int], two: TwoTexts = ()) -> Part | None:
    """Return the `post_processor` that adds `around` to a text; None if there is nothing to add.

    `two`: what is around two texts. If that is empty, the second text gets only `around.after`, and nothing before it.

    >>> post_processor_part(Around((8,)), {"<s>": 8})["single"]
    [{'SpecialToken': {'id': '<s>', 'type_id': 0}}, {'Sequence': {'id': 'A', 'type_id': 0}}]
    """
    if around == NOTHING and not two:
        return None
    names = {i: name for name, i in special_tokens.items()}

    def pieces(ids: tuple[int, ...], type_id: int) -> list[Part]:
        return [{"SpecialToken": {"id": names[i], "type_id": type_id}} for i in ids]

    one, other = ({"Sequence": {"id": name, "type_id": type_id}} for type_id, name in enumerate("AB"))
    single = [*pieces(around.before, 0), one, *pieces(around.after, 0)]
    slots = {FIRST_TEXT: "A", SECOND_TEXT: "B"}
    pair = [
        {"Sequence": {"id": slots[i], "type_id": type_id}} if i in slots else pieces((i,), type_id)[0]
        for i, type_id in two
    ]
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": pair or [*single, other, *pieces(around.after, 1)],
        "special_tokens": {
            names[i]: {"id": names[i], "ids": [i], "tokens": [names[i]]}
            for i in (*around.before, *around.after, *(i for i, _ in two))
            if i not in slots
        },
    }


def special_token_parts(names: Mapping[str, int], added: Collection[int] = ()) -> list[Part]:
    """Return the `added_tokens` for special tokens. The library finds special tokens before it normalizes the text.

    `names`: name → id. `added`: the ids of the added tokens, which the file does not call special.

    >>> [(row["id"], row["content"], row["special"]) for row in special_token_parts({"<b>": 9, "<a>": 8})]
    [(8, '<a>', True), (9, '<b>', True)]
    """
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    rows = sorted(names.items(), key=lambda row: row[1])
    return [{"id": i, "content": name, **flags, "special": i not in added} for name, i in rows]


SHORT = 48  # characters of a text to try
_clock = getattr(time, "thread_time", time.monotonic)  # Python in a browser has no clock for a thread
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
    """Raise `FormatError` unless Hugging Face's regular expressions split by a caller's own pattern as we do.

    >>> from bpe_core.text.custom_patterns import custom
    >>> check_custom(custom(r"\\p{L}+|\\S"))
    >>> check_custom(custom(r"^a"))
    Traceback (most recent call last):
        ...
    bpe_core.files.format.FormatError: Hugging Face's regular expressions may split otherwise by the pattern '^a'
    """
    pattern, end = pretokenizer.pattern, _clock() + SECONDS
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
        if _clock() > end:
            raise FormatError(f"it takes too long to check how Hugging Face splits by the pattern {pattern!r:.80}")
