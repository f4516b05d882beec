"""Our pretokenizers as Hugging Face's `pre_tokenizer` writes them; how each is spelt stands in its row.

Its regular expressions are Oniguruma's: `$` is the end of any line there, `{1,3}+` is not possessive, and small and
capital letters are matched by other rules; so what differs is spelt out.
"""

from __future__ import annotations

from bpe_core.files.format import FormatError
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
_SPELT_OUT = {
    "(?i:[sdmt]|ll|ve|re)": "(?:[sSſdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])",
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)": "(?:'[sSſ]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])",
    "?+": "?",
    "++": "+",
    "*+": "*",
    "{1,3}+": "{1,3}",
    "$|": r"\z|",
}


def _split(row: Pretokenizer) -> dict:
    """Their Split by the rules of a row."""
    pattern = row.pattern
    for ours, theirs in _SPELT_OUT.items():
        pattern = pattern.replace(ours, theirs)
    behavior = {"behavior": "Isolated", "invert": False} if row.lossless else {"behavior": "Removed", "invert": True}
    return {"type": "Split", "pattern": {"Regex": pattern}, **behavior}


def spelling(row: Pretokenizer) -> list[dict] | None:
    """The parts of a `pre_tokenizer` that split as a built-in row does; None where there are none.

    >>> spelling(PRETOKENIZERS["whitespace"])
    [{'type': 'WhitespaceSplit'}]
    """
    if row.hugging_face is None:
        return None
    return [_split(row) if part == {"type": "Split"} else dict(part) for part in row.hugging_face]


def to_hugging_face(pretokenizer: Pretokenizer, alphabet: str) -> dict | None:
    """The JSON of a pretokenizer; None where the text stays whole. `FormatError` where their files cannot name it.

    >>> to_hugging_face(PRETOKENIZERS["whitespace"], "characters")
    {'type': 'WhitespaceSplit'}
    """
    if pretokenizer not in PRETOKENIZERS.values():
        raise FormatError(
            "Hugging Face's regular expressions differ from ours: a custom pattern may split otherwise there"
        )
    if pretokenizer == PRETOKENIZERS["gpt2"] and alphabet == "bytes":  # ByteLevel's own
        return {**BYTE_LEVEL, "use_regex": True}
    parts = spelling(pretokenizer)
    if parts is None:
        raise FormatError(f"Hugging Face's files have no pre_tokenizer like {pretokenizer.title}")
    parts += [BYTE_LEVEL] if alphabet == "bytes" else []
    return {"type": "Sequence", "pretokenizers": parts} if len(parts) > 1 else parts[0] if parts else None
