"""Our cuts as Hugging Face's `pre_tokenizer` writes them, and back.

Its regular expressions are Oniguruma's: `$` is the end of any line there, `{1,3}+` is not possessive, and small and
capital letters are matched by other rules; so what differs is spelt out.
"""

from __future__ import annotations

from bpe_core.files.format import FormatError
from bpe_core.text.pretokenizers import PRETOKENIZERS, Pretokenizer

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


def _split(pattern: str, lossless: bool = True) -> dict:
    for ours, theirs in _SPELT_OUT.items():
        pattern = pattern.replace(ours, theirs)
    behavior = {"behavior": "Isolated", "invert": False} if lossless else {"behavior": "Removed", "invert": True}
    return {"type": "Split", "pattern": {"Regex": pattern}, **behavior}


def _row(key: str) -> dict:
    return _split(PRETOKENIZERS[key].pattern, PRETOKENIZERS[key].lossless)


# What cuts characters; None: nothing needs to.
CUT_OF: dict[str, dict | None] = {
    "whitespace": {"type": "WhitespaceSplit"},
    "gpt2": _row("gpt2"),
    "gpt2-notebook": _row("gpt2-notebook"),
    "cl100k": _row("cl100k"),
    "o200k": _row("o200k"),
    "qwen": _row("qwen"),
    "llama3": _row("llama3"),
    "tekken": _row("tekken"),
    "bert": {"type": "BertPreTokenizer"},
    "metaspace": {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithNext", "invert": False},
    "digits": {"type": "Digits", "individual_digits": True},
    "punctuation": {"type": "Punctuation", "behavior": "Isolated"},
    "none": None,
}


def _in_bytes(cut: dict | None) -> dict:
    return {"type": "Sequence", "pretokenizers": [cut, BYTE_LEVEL]} if cut else BYTE_LEVEL


# (cut, alphabet) → their JSON
_TABLE = {(key, "characters"): cut for key, cut in CUT_OF.items()}
_TABLE |= {(key, "bytes"): _in_bytes(cut) for key, cut in CUT_OF.items()}
_TABLE["gpt2", "bytes"] = {**BYTE_LEVEL, "use_regex": True}


def to_hugging_face(pretokenizer: Pretokenizer, alphabet: str) -> dict | None:
    """The JSON of a cut; raises `FormatError` for a pattern of the user's.

    >>> to_hugging_face(PRETOKENIZERS["whitespace"], "characters")
    {'type': 'WhitespaceSplit'}
    """
    for key, row in PRETOKENIZERS.items():
        if row == pretokenizer:
            return _TABLE[key, alphabet]
    raise FormatError("Hugging Face's regular expressions differ from ours: a custom pattern may cut otherwise there")
