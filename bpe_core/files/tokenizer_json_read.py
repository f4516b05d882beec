"""Reading `tokenizer.json`: the library `tokenizers` opens it, and its vocabulary becomes ours.

What the file means is for the library to say. Here is what it does not tell: the bytes of each token, and the merges.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bpe_core.files.format import FormatError
from bpe_core.files.later import LaterMerges
from bpe_core.files.libraries import HuggingFace
from bpe_core.files.library_tokenizer import ADDED, BYTE, WITHIN, LibraryTokenizer
from bpe_core.files.pretokenizers_written import spelling
from bpe_core.files.reading import by_id
from bpe_core.text.alphabet import encode_text
from bpe_core.text.gpt2_bytes import LETTER_OF, from_letters
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.tokens_and_merges import UNKNOWN

_BYTES = {f"<0x{byte:02X}>": byte for byte in range(256)}
_TEXTS = pa.large_string()
# What makes a token depend on more than its bytes: a mark within words, and that a pretoken may be looked up whole.
_NOT_ALONE = ("continuing_subword_prefix", "ignore_merges")


def read_tokenizer_json(content: bytes, parts: dict[str, Any]) -> LibraryTokenizer:
    """The tokenizer of a `tokenizer.json`, also given parsed; `FormatError` where the library cannot open it.

    >>> import json
    >>> model = {"type": "BPE", "vocab": {"h": 0, "u": 1, "hu": 2}, "merges": [["h", "u"]]}
    >>> parts = {"version": "1.0", "model": model}
    >>> read_tokenizer_json(json.dumps(parts).encode(), parts).ids("hu")
    [2]
    """
    library = HuggingFace(content)
    model, added = parts["model"], _added(parts, library)
    kind = _kind(model)
    ids = {row[0]: i for i, row in enumerate(model["vocab"])} if kind == "Unigram" else model["vocab"]
    look = {"alphabet": "bytes", "symbols": {}} if _has(parts, "ByteLevel") else _in_characters(parts, ids)
    if look["alphabet"] == "bytes":
        look["symbols"] = {bytes([byte]): ids[letter] for byte, letter in LETTER_OF.items() if letter in ids}
    names, unknown = {row["content"]: row["id"] for row in added}, model.get("unk_token")
    return LibraryTokenizer(
        tokens=by_id(zip(_all_bytes(parts, look["alphabet"], ids), ids.values(), strict=True)),
        merges=_merges(model, ids) if kind == "BPE" else (),
        pretokenizer=_pretokenizer(parts),
        special_tokens={row["content"]: row["id"] for row in added if row.get("special") or row["content"] not in ids},
        model=kind,
        library=library,
        scores={i: row[1] for i, row in enumerate(model["vocab"])} if kind == "Unigram" else {},
        unknown_id=model.get("unk_id") if kind == "Unigram" else names.get(unknown, ids.get(unknown)),
        endings=_endings(model, ids),
        kinds=_kinds(model, ids, added),
        merges_alone=kind == "BPE" and not any(map(model.get, _NOT_ALONE)),
        content=content,
        **look,
    )


def _added(parts: dict[str, Any], library: HuggingFace) -> list[dict[str, Any]]:
    """The added tokens with the ids that the library gives them, which are others where the file's leave a gap."""
    found = [{**row, "id": library.id_of(row["content"])} for row in parts.get("added_tokens") or []]
    return [row for row in found if row["id"] is not None]


def _kinds(model: dict[str, Any], ids: dict[str, int], added: list[dict[str, Any]]) -> dict[int, str]:
    """The tokens that do not simply stand for their text: see `LibraryTokenizer`."""
    found = {row["id"]: ADDED for row in added if not row.get("special") and row["content"] not in ids}
    if model.get("byte_fallback"):
        found |= {ids[name]: BYTE for name in _BYTES if name in ids}
    prefix = model.get("continuing_subword_prefix")
    if prefix:
        found |= {i: WITHIN for token, i in ids.items() if token.startswith(prefix) and token != prefix}
    return found


def _kind(model: dict[str, Any]) -> str:
    """The type of the model; older files do not say it.

    >>> _kind({"vocab": {}, "merges": []}), _kind({"vocab": [["a", 0.0]]})
    ('BPE', 'Unigram')
    """
    if "type" in model:
        return model["type"]
    if "merges" in model:
        return "BPE"
    if isinstance(model["vocab"], list):
        return "Unigram"
    return "WordPiece" if "continuing_subword_prefix" in model else "WordLevel"


def _all_parts(part: object) -> Iterator[dict[str, Any]]:
    """A part of the file and all within it that have a type."""
    if isinstance(part, dict):
        yield part
        for inner in ("normalizers", "pretokenizers", "decoders"):
            for each in part.get(inner) or []:
                yield from _all_parts(each)


def _stages(parts: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for stage in ("normalizer", "pre_tokenizer", "decoder"):
        yield from _all_parts(parts.get(stage))


def _has(parts: dict[str, Any], kind: str) -> bool:
    return any(part.get("type") == kind for part in _stages(parts))


def _space(parts: dict[str, Any]) -> str:
    """The letter that stands for a space in the vocabulary; a space where none does.

    >>> _space({"pre_tokenizer": {"type": "Metaspace", "replacement": "▁"}})
    '▁'
    """
    for part in _stages(parts):
        if part.get("type") == "Metaspace":
            return part["replacement"]
        if part.get("type") == "Replace" and part.get("pattern") == {"String": " "} and len(part["content"]) == 1:
            return part["content"]
    return " "


def _in_characters(parts: dict[str, Any], ids: dict[str, int]) -> dict[str, Any]:
    """The fields of a vocabulary of characters, which may write unknown ones in bytes."""
    if _kind(parts["model"]) != "BPE":
        return {"alphabet": "characters", "symbols": {}}
    space = _space(parts)
    symbols = {encode_text(token.replace(space, " ")): i for token, i in ids.items() if len(token) == 1}
    bytes_too = parts["model"].get("byte_fallback")
    byte_ids = tuple(ids.get(name, UNKNOWN) for name in _BYTES) if bytes_too else ()
    return {"alphabet": "characters", "symbols": symbols, "byte_ids": byte_ids}


def _all_bytes(parts: dict[str, Any], alphabet: str, tokens: Collection[str]) -> list[bytes]:
    """The bytes of all tokens as the vocabulary writes them."""
    model, space = parts["model"], _space(parts)
    suffix = model.get("end_of_word_suffix") or ""
    prefix = model.get("continuing_subword_prefix") or ""
    single = _BYTES if model.get("byte_fallback") else {}
    texts = list(tokens)
    if suffix or prefix:
        texts = [token.removesuffix(suffix).removeprefix(prefix) or token for token in texts]
    letters = from_letters(texts) if alphabet == "bytes" else [None] * len(texts)
    found = [raw or encode_text(text.replace(space, " ")) for raw, text in zip(letters, texts, strict=True)]
    if single:
        found = [bytes([single[token]]) if token in single else raw for token, raw in zip(tokens, found, strict=True)]
    return found


def _merges(model: dict[str, Any], ids: dict[str, int]) -> Sequence[tuple[int, int, int]]:
    """The merges (left id, right id, new id)."""
    return LaterMerges(len(model["merges"]), lambda: _merge_rows(model, ids)) if model["merges"] else ()


def _merge_rows(model: dict[str, Any], ids: dict[str, int]) -> np.ndarray:
    """The merges as rows of an array; older files write a pair as one text with a space.

    >>> _merge_rows({"merges": ["h u", "hu g"]}, {"h": 0, "u": 1, "g": 2, "hu": 3, "hug": 4}).tolist()
    [[0, 1, 3], [3, 2, 4]]
    """
    left, right = _halves(model["merges"])
    prefix = len(model.get("continuing_subword_prefix") or "")
    behind = pc.utf8_slice_codeunits(right, prefix) if prefix else right
    joined = pc.binary_join_element_wise(left, behind, pa.scalar("", _TEXTS))
    names, numbers = pa.array(list(ids), _TEXTS), np.fromiter(ids.values(), np.int64, len(ids))
    found = [pc.index_in(column, names) for column in (left, right, joined)]
    if any(column.null_count for column in found):
        raise FormatError("a merge is of tokens that the vocabulary does not have")
    return np.column_stack([numbers[column.to_numpy()] for column in found])


def _halves(merges: list[str] | list[list[str]]) -> tuple[pa.Array, pa.Array]:
    """The left and the right tokens of merges."""
    if not isinstance(merges[0], str):
        return tuple(pa.array([pair[side] for pair in merges], _TEXTS) for side in (0, 1))
    halves = pc.split_pattern(pa.array(merges, _TEXTS), " ", max_splits=1).flatten()
    if len(halves) != 2 * len(merges):
        raise FormatError("a merge is not of two tokens")
    return halves.take(np.arange(0, len(halves), 2)), halves.take(np.arange(1, len(halves), 2))


def _endings(model: dict[str, Any], ids: dict[str, int]) -> dict[int, int]:
    """The id of the last symbol of each token that ends a word, where the vocabulary writes that with a suffix.

    >>> _endings({"end_of_word_suffix": "</w>"}, {"c": 0, "t": 1, "t</w>": 2, "ct</w>": 3})
    {2: 2, 3: 2}
    """
    suffix = model.get("end_of_word_suffix")
    if not suffix:
        return {}
    ending = {token: i for token, i in ids.items() if token.endswith(suffix) and token != suffix}
    return {i: ids[token[-len(suffix) - 1 :]] for token, i in ending.items() if token[-len(suffix) - 1 :] in ids}


def _pretokenizer(parts: dict[str, Any]) -> Pretokenizer:
    """One of ours where the file's own is the same; else what the screen says of it."""
    kinds = [part for part in _all_parts(parts.get("pre_tokenizer")) if part.get("type") != "Sequence"]
    if _is_byte_level(kinds[-1:], use_regex=True) and len(kinds) == 1:
        return PRETOKENIZERS["gpt2"]
    splits = kinds[:-1] if _is_byte_level(kinds[-1:], use_regex=False) else kinds
    for row in PRETOKENIZERS.values():
        plain = {"type": "Split", "pattern": {"Regex": row.pattern}, "behavior": "Isolated", "invert": False}
        if splits == spelling(row) or (row.lossless and splits == [plain]):
            return row
    title = " + ".join(str(part.get("type")) for part in kinds) or "none"
    return Pretokenizer(
        title, "The file's own, carried out by the library tokenizers.", (("text", r"[\s\S]+"),), lossless=True
    )


def _is_byte_level(kinds: list[dict[str, Any]], use_regex: bool) -> bool:
    """Whether the part, if there is one, writes bytes as letters and puts no space before the text."""
    return any(
        part.get("type") == "ByteLevel"
        and not part.get("add_prefix_space", True)
        and part.get("use_regex", True) == use_regex
        for part in kinds
    )
