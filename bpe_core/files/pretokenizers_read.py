"""Hugging Face's `normalizer` and `pre_tokenizer` as our cuts; what we cannot do is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import takewhile

import regex

from bpe_core.files.byte_level_cuts import cut_behind_bytes
from bpe_core.files.format import FormatError
from bpe_core.files.normalizer_json import normalizer_key
from bpe_core.files.oniguruma import in_our_words
from bpe_core.files.pattern_to_pretokenizer import check_size
from bpe_core.files.pretokenizers_written import BYTE_LEVEL, spelling
from bpe_core.files.reading import flag_of, kind_of
from bpe_core.files.split_and_sequence import Chain, Split
from bpe_core.text.patterns import CUSTOM_SECONDS
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.text.special_tokens import WORD

MAX_PARTS = 64  # of a normalizer or pre_tokenizer; the most of a published one are 8
BEHAVIORS = ("Isolated", "Removed", "Contiguous", "MergedWithPrevious", "MergedWithNext")
_MAY_BE_NULL = ("add_prefix_space", "split")  # of Metaspace; other flags may not
_WHITESPACE = Pretokenizer("Words and signs", "", (("word", f"{WORD}+"), ("signs", rf"(?:(?!{WORD})\S)+")), False)
_DIGITS = Pretokenizer("Digits together", "", (("digits", r"\p{N}+"), ("rest", r"\P{N}+")), True)


@dataclass(frozen=True)
class Cut:
    """What a file does to text: the cut, whether symbols are bytes, the letter for a space, the space put before.

    `normalizers`: what comes before all of it. `apart`: no merge may join digits with others (see `behind_bytes`).
    """

    pretokenizer: Pretokenizer
    in_bytes: bool = False
    space: str = ""
    prefix_space: str = "none"
    normalizers: tuple[str, ...] = ()
    apart: bool = False


def _list(part: dict | None, kind: str, inner: str) -> list[dict]:
    """A part that may be nothing, one thing, or a sequence of things."""
    if part is None:
        return []
    part = kind_of(part, dict, f"the {kind}")
    if part.get("type") != "Sequence":
        return [part]
    parts = [one for each in kind_of(part.get(inner), list, f"{inner}") for one in _list(each, kind, inner)]
    if len(parts) > MAX_PARTS:
        raise FormatError(f"the {kind} has {len(parts):,} parts; {MAX_PARTS} can be read")
    return parts


def _name(part: dict) -> str:
    return f"{part.get('type')!s:.40}"


def _splitter(part: dict) -> Pretokenizer:
    pattern, behavior = part.get("pattern"), part.get("behavior")
    if behavior not in BEHAVIORS:
        raise FormatError(f"the pre_tokenizer Split has the behavior {behavior!r:.40}, which is not supported")
    if not isinstance(pattern, dict) or len(pattern) != 1 or not {"String", "Regex"} & set(pattern):
        raise FormatError("the pre_tokenizer Split has no pattern")
    ((way, text),) = pattern.items()
    text = kind_of(text, str, "the pattern of Split")
    check_size(text)
    pattern = regex.escape(text) if way == "String" else in_our_words(text)
    try:
        regex.compile(pattern)
    except (regex.error, RecursionError) as error:
        raise FormatError(f"the pattern of Split does not compile: {error}") from None
    same = (pattern, text) if way == "Regex" else (pattern,)
    row = next((row for row in PRETOKENIZERS.values() if row.lossless and row.pattern in same), None)
    if row and behavior == "Isolated":
        return row
    inverted = flag_of(part, "invert", _name(part))
    rules = (("match", pattern),)
    lossless = behavior != "Removed"
    return Split("Split", "", rules, lossless, seconds=CUSTOM_SECONDS, behavior=behavior, inverted=inverted)


def _digits(part: dict) -> Pretokenizer:
    return PRETOKENIZERS["digits"] if flag_of(part, "individual_digits", _name(part)) else _DIGITS


def _punctuation(part: dict) -> Pretokenizer:
    rules = (PRETOKENIZERS["punctuation"].rules[0],)
    behavior = part.get("behavior", "Isolated")
    if behavior not in BEHAVIORS:
        raise FormatError(f"the pre_tokenizer Punctuation has the behavior {behavior!r:.40}, which is not supported")
    if behavior == "Isolated":
        return PRETOKENIZERS["punctuation"]
    return Split("Punctuation", "", rules, behavior != "Removed", behavior=behavior)


_CUTTERS: dict[str, Callable[[dict], Pretokenizer]] = {
    "WhitespaceSplit": lambda _: PRETOKENIZERS["whitespace"],
    "BertPreTokenizer": lambda _: PRETOKENIZERS["bert"],
    "Whitespace": lambda _: _WHITESPACE,
    "Digits": _digits,
    "Punctuation": _punctuation,
    "Split": _splitter,
}


def _cutter(part: dict) -> Pretokenizer:
    for flag in ("invert", "individual_digits"):  # before 1 is taken for true below
        flag_of(part, flag, _name(part))
    known = next((row for row in PRETOKENIZERS.values() if spelling(row) == [part]), None)
    if known:
        return known
    name = part.get("type")
    if not isinstance(name, str) or name not in _CUTTERS:
        raise FormatError(f"the pre_tokenizer {name!r:.40} is not supported")
    return _CUTTERS[name](part)


def _together(stages: list[Pretokenizer]) -> Pretokenizer:
    if len(stages) < 2:
        return stages[0] if stages else PRETOKENIZERS["none"]
    lossless = all(stage.lossless for stage in stages)
    return Chain(" + ".join(stage.title for stage in stages), "", (), lossless, stages=tuple(stages))


def _byte_level(parts: list[dict], at: int) -> Cut:
    before, part, behind = parts[:at], parts[at], parts[at + 1 :]
    stages = [_cutter(each) for each in before]
    if flag_of(part, "use_regex", _name(part), True):
        stages.append(PRETOKENIZERS["gpt2"])
    prefix = flag_of(part, "add_prefix_space", _name(part), True)
    if prefix and before:
        raise FormatError(
            "the pre_tokenizer ByteLevel adds a space to every piece of another cut, which is not supported"
        )
    stages += map(cut_behind_bytes, behind)
    apart = any(each.get("type") == "Digits" for each in behind)
    return Cut(_together(stages), in_bytes=True, prefix_space="always" if prefix else "none", apart=apart)


def _metaspace(part: dict) -> Cut:
    part = {name: value for name, value in part.items() if value is not None or name not in _MAY_BE_NULL}
    space = kind_of(part.get("replacement", "▁"), str, "the replacement of Metaspace")
    old = "always" if flag_of(part, "add_prefix_space", _name(part), True) else "never"
    scheme = part.get("prepend_scheme", old)
    if scheme not in ("always", "first", "never") or len(space) != 1:
        raise FormatError(f"the pre_tokenizer Metaspace has the prepend_scheme {scheme!r:.40}, which is not supported")
    prefix = "none" if scheme == "never" else scheme
    if not flag_of(part, "split", _name(part), True):
        return Cut(PRETOKENIZERS["none"], space=space, prefix_space=prefix)
    either = f"[ {regex.escape(space)}]"
    rules = (("word", f"{either}?[^{either[1:]}+"), ("space", either))
    row = replace(PRETOKENIZERS["metaspace"], rules=rules, begins=None, hugging_face=None)
    return Cut(row, space=space, prefix_space=prefix)


def _normalized(parts: list[dict]) -> tuple[str, str]:
    """(letter for a space, space put before) of SentencePiece's normalizers, which may follow the others."""
    space, prepended = "", ""
    for part in parts:
        if part.get("type") == "Prepend" and not prepended and not space:
            prepended = kind_of(part.get("prepend"), str, "the normalizer Prepend")
        elif part.get("type") == "Replace" and part.get("pattern") == {"String": " "} and not space:
            space = kind_of(part.get("content"), str, "the normalizer Replace")
        else:
            raise FormatError(f"the normalizer {part.get('type')!r:.40} is not supported")
    if len(space) != bool(parts) or prepended not in ("", space):
        raise FormatError("the normalizer does not write a space as one letter, which is all that is supported")
    return space, "even so" if prepended else "none"


def from_hugging_face(normalizer: dict | None, pre_tokenizer: dict | None) -> Cut:
    """What the two parts of a `tokenizer.json` do to a text; `FormatError` names what we cannot do.

    >>> from_hugging_face(None, {"type": "ByteLevel", "add_prefix_space": False}).pretokenizer.title
    'GPT-2'
    """
    parts = _list(normalizer, "normalizer", "normalizers")
    keys = tuple(takewhile(bool, map(normalizer_key, parts)))
    cut = replace(_cut(_normalized(parts[len(keys) :]), pre_tokenizer), normalizers=keys)
    if cut.prefix_space == "first" and not {"bert", "strip-accents"}.isdisjoint(keys):
        raise FormatError("Metaspace puts no space before a text whose start is normalized away: not supported")
    return cut


def _cut(spaces: tuple[str, str], pre_tokenizer: dict | None) -> Cut:
    space, prefix = spaces
    parts = _list(pre_tokenizer, "pre_tokenizer", "pretokenizers")
    types = [part.get("type") for part in parts]
    if space:
        at_spaces = types == ["Split"] and parts[0].get("pattern") == {"String": " "}
        if parts and not at_spaces:  # no space is left to cut at
            raise FormatError("the pre_tokenizer works on text whose spaces the normalizer has replaced: not supported")
        return Cut(PRETOKENIZERS["none"], space=space, prefix_space=prefix)
    if types == ["Metaspace"]:
        return _metaspace(parts[0])
    if BYTE_LEVEL["type"] in types:
        return _byte_level(parts, types.index(BYTE_LEVEL["type"]))
    return Cut(_together([_cutter(part) for part in parts]))
