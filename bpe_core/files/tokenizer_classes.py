"""What transformers' classes do that the files of a tokenizer do not say themselves.

Each row of `CLASSES` is what transformers 5 makes of `vocab.json` and `merges.txt` where `tokenizer_config.json` names
the class: how a text is normalized and split, the special tokens, and what stands around a text.
`tests/files/test_classes.py` holds the rows to what transformers makes.

Each row of `CLASS_FIELDS` is a field of `tokenizer_config.json` that AutoTokenizer applies by class, whatever
`tokenizer.json` says. Here the ids are those of `tokenizer.json`, as in the library `tokenizers`. Where the config's
class would change them, a sentence says so. `tests/files/test_beside.py` holds the table to transformers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from bpe_core.files.beside import Beside, NamedToken
from bpe_core.files.format import Parts
from bpe_core.files.hugging_face_parts import Part, pretokenizer_part
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer

LETTERS: Part = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
END_OF_WORD = "</w>"
_GPT2: Part = {**LETTERS, "use_regex": True}
_DIGITS: Part = {"type": "Digits", "individual_digits": True}
_NFC: Part = {"type": "NFC"}
_LSTRIP = frozenset({"lstrip"})


def split_by_pattern(pattern: str) -> Part:
    """Return the part of a `pre_tokenizer` that makes the matches of a pattern, and what is between them, pretokens."""
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def _split_at(text: str, behavior: str) -> Part:
    return {"type": "Split", "pattern": {"String": text}, "behavior": behavior, "invert": False}


@dataclass(frozen=True)
class TokenizerClass:
    """What transformers makes of `vocab.json` and `merges.txt`.

    - `names`: the names of the classes, without an ending "Fast", separated by spaces.
    - `split`: the key of its pretokenizer in `PRETOKENIZERS`; "" for another one.
    - `pre_tokenizer`, `normalizer`, `decoder`, `model`: parts of a `tokenizer.json`. A `ByteLevel` in `pre_tokenizer`
      obeys the config's `add_prefix_space`.
    - `special`: its special tokens by role, and `more`: those without a role.
    - `around`: the tokens before and after a text, by their roles or names.
    """

    names: str
    split: str = ""
    pre_tokenizer: tuple[Part, ...] = (_GPT2,)
    normalizer: Part | None = None
    decoder: Part = field(default_factory=lambda: _GPT2)
    model: Mapping[str, Any] = field(default_factory=dict)
    special: Mapping[str, NamedToken] = field(default_factory=dict)
    more: tuple[NamedToken, ...] = ()
    around: tuple[str, str] = ("", "")

    def split_by(self, pretokenizer: Pretokenizer) -> TokenizerClass:
        """Return the class with another split; `FormatError` if Hugging Face cannot split so."""
        is_bytes = self.pre_tokenizer[-1]["type"] == "ByteLevel"
        part = pretokenizer_part(pretokenizer, "bytes" if is_bytes else "characters") or {}
        found = part.get("pretokenizers", [part] if part else [])
        return replace(self, split="", pre_tokenizer=tuple(found) if isinstance(found, list) else ())

    def parts(self, prefix_space: bool | None = None) -> dict[str, Any]:
        """Return the parts of a `tokenizer.json` but its vocabulary; `prefix_space`: what the config says."""
        rows = [
            {**row, "add_prefix_space": prefix_space}
            if prefix_space is not None and row["type"] == "ByteLevel"
            else row
            for row in self.pre_tokenizer
        ]
        split = {"type": "Sequence", "pretokenizers": rows} if len(rows) > 1 else rows[0] if rows else None
        return {"normalizer": self.normalizer, "pre_tokenizer": split, "decoder": self.decoder}


def _roles(text: str, lstrip: str = "") -> dict[str, NamedToken]:
    """Return special tokens by role. `text`: role and name in turn; `lstrip`: the name that takes the space before it.

    >>> _roles("bos <s> mask <mask>", "<mask>")["bos_token"].name
    '<s>'
    """
    words = text.split()
    return {
        f"{role}_token": NamedToken(name, rules=_LSTRIP if name == lstrip else frozenset())
        for role, name in zip(words[::2], words[1::2], strict=True)
    }


_END = "<|endoftext|>"
_OF_BART = _roles("bos <s> eos </s> unk <unk> sep </s> pad <pad> cls <s> mask <mask>")
BERT = "BertTokenizer DistilBertTokenizer ElectraTokenizer"  # they have a vocabulary of WordPiece
_OF_BERT = _roles("unk [UNK] sep [SEP] pad [PAD] cls [CLS] mask [MASK]")
_OF_GPT2 = _roles(f"bos {_END} eos {_END} unk {_END}")
_CLS_SEP = ("cls_token", "sep_token")
_SUFFIX = {"end_of_word_suffix": END_OF_WORD}
_WORDS_DECODED: Part = {"type": "BPEDecoder", "suffix": END_OF_WORD}
_QWEN35 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|"
    r"\s+(?!\S)|\s+"
)
_CLIP_SPLIT: Part = {
    "type": "Split",
    "pattern": {"Regex": r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"},
    "behavior": "Removed",
    "invert": True,
}
_SINGLE_SPACES: Part = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}
_MARKS = r"[\(\)\[\]\{\}]|([!\"#\$%\&'\*\+,\-\./:;<=>\?\\\^_`\|\~])\1*"


def _bert_normalizer(lowercase: bool, strip_accents: bool | None) -> Part:
    rules = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": strip_accents, "lowercase": lowercase}
    return {"type": "BertNormalizer", **rules}


GPT2 = TokenizerClass("GPT2Tokenizer CodeGenTokenizer", "gpt2", special=_OF_GPT2)
CLIP = TokenizerClass(
    "CLIPTokenizer",
    normalizer={"type": "Sequence", "normalizers": [_NFC, _SINGLE_SPACES, {"type": "Lowercase"}]},
    pre_tokenizer=(_CLIP_SPLIT, LETTERS),
    decoder={
        "type": "Sequence",
        "decoders": [
            _GPT2,
            {"type": "Replace", "pattern": {"String": END_OF_WORD}, "content": " "},
            {"type": "Strip", "content": " ", "start": 0, "stop": 1},
        ],
    },
    model={**_SUFFIX, "unk_token": _END},
    special=_roles(f"bos <|startoftext|> eos {_END} unk {_END} pad {_END}"),
    around=("bos_token", "eos_token"),
)
CLASSES: tuple[TokenizerClass, ...] = (
    GPT2,
    TokenizerClass(
        "WhisperTokenizer",
        "gpt2",
        special=_OF_GPT2,
        around=("<|startoftranscript|> <|notimestamps|>", "eos_token"),
    ),
    TokenizerClass(
        "RobertaTokenizer BartTokenizer LongformerTokenizer LEDTokenizer MvpTokenizer",
        "gpt2",
        special=_OF_BART,
        around=_CLS_SEP,
    ),
    TokenizerClass("MarkupLMTokenizer", "gpt2", special=_OF_BART | _roles("mask <mask>", "<mask>"), around=_CLS_SEP),
    TokenizerClass(
        "LukeTokenizer",
        "gpt2",
        special=_OF_BART,
        more=(NamedToken("<ent>"), NamedToken("<ent2>")),
        around=_CLS_SEP,
    ),
    TokenizerClass(
        "LayoutLMv3Tokenizer",
        "gpt2",
        pre_tokenizer=({**_GPT2, "add_prefix_space": True},),
        special=_OF_BART,
        around=_CLS_SEP,
    ),
    TokenizerClass(
        "BlenderbotTokenizer",
        "gpt2",
        pre_tokenizer=({**_GPT2, "add_prefix_space": True},),
        special=_OF_BART | _roles("mask <mask>", "<mask>"),
    ),
    TokenizerClass(
        "DebertaTokenizer",
        "gpt2",
        special=_roles("bos [CLS] eos [SEP] unk [UNK] sep [SEP] pad [PAD] cls [CLS] mask [MASK]"),
        around=_CLS_SEP,
    ),
    TokenizerClass("GPTNeoXTokenizer", "gpt2", normalizer=_NFC, special=_OF_GPT2 | _roles("pad <|padding|>")),
    TokenizerClass(
        "Qwen2Tokenizer",
        "qwen",
        pre_tokenizer=(split_by_pattern(PRETOKENIZERS["qwen"].pattern), LETTERS),
        normalizer=_NFC,
        special=_roles(f"eos {_END} unk {_END} pad {_END}"),
    ),
    TokenizerClass(
        "Qwen3_5Tokenizer",
        pre_tokenizer=(split_by_pattern(_QWEN35), LETTERS),
        normalizer=_NFC,
        special=_roles(f"eos {_END} unk {_END} pad {_END}"),
    ),
    TokenizerClass(
        "CohereTokenizer",
        pre_tokenizer=(_DIGITS, _GPT2),
        normalizer=_NFC,
        special=_roles(
            "bos <BOS_TOKEN> eos <|END_OF_TURN_TOKEN|> unk <UNK> sep <SEP> pad <PAD> cls <CLS> mask <MASK_TOKEN>"
        ),
    ),
    TokenizerClass(
        "NougatTokenizer",
        pre_tokenizer=(
            _split_at("SPL1T-TH1S-Pl3A5E", "Removed"),
            _DIGITS,
            _split_at(_MARKS, "Isolated"),
            _split_at("\n", "Isolated"),
            _GPT2,
        ),
        normalizer={"type": "NFKC"},
        special=_roles("bos <s> eos </s> unk <unk> pad <pad>"),
        around=("bos_token", "eos_token"),
    ),
    CLIP,
    TokenizerClass(
        "HerbertTokenizer",
        pre_tokenizer=({"type": "BertPreTokenizer"},),
        normalizer=_bert_normalizer(False, False),
        decoder=_WORDS_DECODED,
        model={**_SUFFIX, "unk_token": "<unk>"},
        special=_roles("unk <unk> sep </s> pad <pad> cls <s> mask <mask>"),
        around=_CLS_SEP,
    ),
    TokenizerClass(
        "OpenAIGPTTokenizer",
        pre_tokenizer=({"type": "BertPreTokenizer"},),
        normalizer=_bert_normalizer(True, None),
        decoder=_WORDS_DECODED,
        model={**_SUFFIX, "unk_token": "<unk>"},
        special=_roles("unk <unk>"),
    ),
)
"""The classes whose `vocab.json` and `merges.txt` are read."""
GENERIC = ("PreTrainedTokenizer", "TokenizersBackend", "PythonBackend")
"""Classes that say nothing about a text: transformers takes all from a `tokenizer.json`."""
_BY_NAME = {name: row for row in CLASSES for name in row.names.split()}


def class_named(name: str) -> TokenizerClass | None:
    """Return the row of a class; None for one that is not read.

    >>> class_named("Qwen2TokenizerFast").split, class_named("BioGptTokenizer")
    ('qwen', None)
    """
    return _BY_NAME.get(name.removesuffix("Fast"))


def usual_roles(name: str) -> Mapping[str, NamedToken]:
    """Return the special tokens by role that a class has where no file says otherwise.

    >>> usual_roles("BertTokenizerFast")["cls_token"].name, usual_roles("PreTrainedTokenizerFast")
    ('[CLS]', {})
    """
    row = class_named(name)
    return row.special if row else _OF_BERT if name.removesuffix("Fast") in BERT.split() else {}


_PREFIX = "GPT2Tokenizer CodeGenTokenizer RobertaTokenizer BartTokenizer Qwen2Tokenizer GPTNeoXTokenizer"


class ClassField(NamedTuple):
    """A field that classes apply. `usual`: its value where the config does not say it; None if another field decides.

    `in_file`: returns what the `tokenizer.json` says about it; None if no part says anything.
    """

    classes: str
    name: str
    usual: bool | None
    in_file: Callable[[Parts], bool | None]


def _parts(part: Any) -> Iterator[Parts]:
    """Yield the parts of a normalizer or a pretokenizer."""
    if isinstance(part, dict):
        yield part
        for inner in (*(part.get("normalizers") or ()), *(part.get("pretokenizers") or ())):
            yield from _parts(inner)


def _of(stage: str, kind: str, key: str) -> Callable[[Parts], bool | None]:
    """Return a function that returns the value of a key in the first part of a kind."""

    def found(file: Parts) -> bool | None:
        part = next((part for part in _parts(file.get(stage)) if part.get("type") == kind), {})
        return part.get(key) if isinstance(part.get(key), bool) else None

    return found


def _strips_accents(file: Parts) -> bool | None:
    own = _of("normalizer", "BertNormalizer", "strip_accents")(file)
    return _lowercase(file) if own is None else own


def _scheme(file: Parts) -> str:
    """Return before what a file of SentencePiece's kind puts a space: "first", "always" or "never"; "" for others."""
    if any(part.get("type") == "Prepend" for part in _parts(file.get("normalizer"))):
        return "always"
    found = (part for part in _parts(file.get("pre_tokenizer")) if part.get("type") == "Metaspace")
    return next((str(part.get("prepend_scheme", "always")) for part in found), "")


def _prefix_space(file: Parts) -> bool | None:
    return _scheme(file) != "never" if _scheme(file) else None


def _legacy(file: Parts) -> bool | None:
    """Return whether a space is put after each special token too, and not only before the text."""
    return {"always": True, "first": False}.get(_scheme(file))


_lowercase = _of("normalizer", "BertNormalizer", "lowercase")
CLASS_FIELDS = (
    ClassField(BERT, "do_lower_case", True, _lowercase),
    ClassField(BERT, "strip_accents", None, _strips_accents),
    ClassField(BERT, "tokenize_chinese_chars", True, _of("normalizer", "BertNormalizer", "handle_chinese_chars")),
    ClassField(_PREFIX, "add_prefix_space", False, _of("pre_tokenizer", "ByteLevel", "add_prefix_space")),
    ClassField("LlamaTokenizer CodeLlamaTokenizer", "add_prefix_space", True, _prefix_space),
    ClassField("LlamaTokenizer CodeLlamaTokenizer", "legacy", False, _legacy),
)
"""The fields, by class."""


def not_applied(file: Parts, beside: Beside) -> tuple[str, ...]:
    """Return a sentence for each field with which transformers' class would change the ids of a `tokenizer.json`.

    >>> file = {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False}}
    >>> not_applied(file, Beside("GPT2Tokenizer", switches={"add_prefix_space": True}))
    ... # doctest: +NORMALIZE_WHITESPACE
    ('The config names GPT2Tokenizer, with which transformers’ AutoTokenizer has add_prefix_space: true. Here
      tokenizer.json decides, which has it otherwise.',)
    """
    name, said = beside.tokenizer_class.removesuffix("Fast"), {**beside.switches, **beside.of_class}
    rows = [row for row in CLASS_FIELDS if name in row.classes.split()]
    theirs = {row.name: said.get(row.name, row.usual) for row in rows}
    return tuple(
        f"The config names {name}, with which transformers’ AutoTokenizer has {row.name}: {str(value).lower()}. "
        "Here tokenizer.json decides, which has it otherwise."
        for row in rows
        if None not in (value := theirs[row.name], own := row.in_file(file)) and value != own
    )
