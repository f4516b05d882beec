"""Fields of `tokenizer_config.json` that transformers' AutoTokenizer applies by class, whatever `tokenizer.json` says.

Here the ids are those of `tokenizer.json`, as in the library `tokenizers`. Where the config's class would change them,
a sentence says so. `tests/files/test_beside.py` holds the table to transformers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from bpe_core.files.beside import Beside
from bpe_core.files.format import Parts
from bpe_core.files.tokenizer_classes import BERT

_PREFIX = "GPT2Tokenizer CodeGenTokenizer RobertaTokenizer BartTokenizer Qwen2Tokenizer GPTNeoXTokenizer"


class ClassField(NamedTuple):
    """A field that classes apply. `usual`: its value where the config does not say it; None if another field decides.

    `in_file`: returns what the `tokenizer.json` says of it; None if it has no part that says it.
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
