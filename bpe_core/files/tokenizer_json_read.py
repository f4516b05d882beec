"""Reading `tokenizer.json`: the library `tokenizers` opens it, and we read its vocabulary.

The library encodes and decodes. It does not return the bytes of each token, nor the merges; we read both.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import regex

from bpe_core.extras import MissingExtraError
from bpe_core.files.beside import RULES, Beside, NamedToken
from bpe_core.files.format import FormatError, Parts
from bpe_core.files.hugging_face_parts import splitting_parts
from bpe_core.files.libraries import HuggingFace, NotInstalled, all_parts
from bpe_core.files.library_tokenizer import LaterMerges, LibraryTokenizer
from bpe_core.files.placed_tokens import placing_of
from bpe_core.files.reading import MAX_PATTERN, by_id, kind_of
from bpe_core.files.tokenizer_classes import not_applied
from bpe_core.text.alphabet import LETTER_OF, encode_text, from_letters
from bpe_core.text.arrays import Integers, numbers_in
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.assumptions import CUT, DROPPED, PADDED
from bpe_core.tokenizer.base_symbols import UNKNOWN
from bpe_core.tokenizer.model_kinds import ModelKind
from bpe_core.tokenizer.tokenizer import ADDED, BYTE, WITHIN

_BYTES = {f"<0x{byte:02X}>": byte for byte in range(256)}
# If a model has one of these fields, a token's bytes alone do not decide when the token is used. The token's position
# in the word decides, or the whole word.
_NOT_ALONE = ("continuing_subword_prefix", "ignore_merges")
_ALIKE = [["ByteLevel"], ["Metaspace"], ["WordPiece"], ["Replace", "ByteFallback", "Fuse"]]  # decoders, but for `Strip`


class _Alphabet(NamedTuple):
    """The fields of `Tokenizer` that say what its base symbols are."""

    alphabet: str
    symbols: dict[bytes, int]
    byte_ids: tuple[int, ...] = ()


def read_tokenizer_json(content: bytes, parts: Parts) -> LibraryTokenizer:
    """Return the tokenizer in a `tokenizer.json`; `FormatError` where the library cannot open it.

    `parts`: the same content, parsed.

    >>> import json
    >>> model = {"type": "BPE", "vocab": {"h": 0, "u": 1, "hu": 2}, "merges": [["h", "u"]]}
    >>> parts = {"version": "1.0", "model": model}
    >>> read_tokenizer_json(json.dumps(parts).encode(), parts).ids("hu")
    [2]
    """
    for stage in ("normalizer", "pre_tokenizer", "post_processor", "decoder"):
        kind_of(parts.get(stage) or {}, dict, f"the {stage}")  # the library takes a list for a sequence
    library = _opened(content, parts)
    model, kind = parts["model"], _kind(parts["model"])
    ids = {row[0]: i for i, row in enumerate(model["vocab"])} if kind is ModelKind.UNIGRAM else model["vocab"]
    # A Unigram model may have a piece twice. Its library takes the last one in a text; each is a token.
    texts = [row[0] for row in model["vocab"]] if kind is ModelKind.UNIGRAM else list(ids)
    base, added = _alphabet(parts, ids), _added(parts, library)
    apart = {row["content"]: row["id"] for row in added if not row.get("special")}
    ordinary = _ordinary(model, apart.keys() & ids.keys())
    around, around_two = library.around()
    names, unknown = {row["content"]: row["id"] for row in added}, model.get("unk_token")
    if isinstance(library, NotInstalled) and model["merges"]:
        _merge_rows(model, ids)  # a library reads them when it opens a file; here a wrong one is found now
    return LibraryTokenizer(
        tokens=by_id(
            _all_bytes(parts, base.alphabet, texts),
            range(len(texts)) if kind is ModelKind.UNIGRAM else ids.values(),
        ),
        merges=_merges(model, ids) if kind.has_merges else (),
        pretokenizer=_pretokenizer(parts),
        special_tokens={row["content"]: row["id"] for row in added if row["content"] not in ordinary},
        model=kind,
        library=library,
        scores={i: row[1] for i, row in enumerate(model["vocab"])} if kind is ModelKind.UNIGRAM else {},
        unknown_id=model.get("unk_id") if kind is ModelKind.UNIGRAM else names.get(unknown, ids.get(unknown)),
        endings=_endings(model, ids),
        kinds={i: ADDED for name, i in apart.items() if name not in ordinary} | _kinds(model, ids),
        merges_alone=kind.has_merges and not any(map(model.get, _NOT_ALONE)),
        content=content,
        parts={**parts, "model": {key: part for key, part in model.items() if key not in ("vocab", "merges")}},
        decodes_alike=_decodes_alike(parts.get("decoder")),
        rewrites=_rewrites(parts.get("decoder")),
        replaced=_replaced(parts.get("decoder")),
        longest_word=model.get("max_input_chars_per_word", 100) if kind is ModelKind.WORDPIECE else None,
        joins_bytes=_decoders(parts.get("decoder")) == ["ByteLevel"],
        whole_words=bool(model.get("ignore_merges")),
        around=around,
        around_two=around_two,
        **base._asdict(),
    )


def _opened(content: bytes, parts: Parts) -> HuggingFace | NotInstalled:
    """Return the library that has opened the file; where it is not installed, what takes its place."""
    model = parts["model"]
    try:  # first the library, which says best what is wrong with a file
        return HuggingFace(content, lambda copy: placing_of(copy, model, _kind(model), _writes_letters(parts)))
    except MissingExtraError as error:
        if _kind(model) is not ModelKind.BPE:
            raise
        return NotInstalled(error, parts)


def read_with_neighbours(content: bytes, parts: Parts, beside: Beside) -> LibraryTokenizer:
    """Return the tokenizer in a `tokenizer.json` with what the files beside it say: see `read_tokenizer_json`."""
    found = read_tokenizer_json(*with_neighbours(content, parts, beside))
    assumed = (*not_applied(parts, beside), *_not_done(parts))
    return replace(found, assumptions=assumed) if assumed else found


def _not_done(parts: Parts) -> Iterator[str]:
    """Yield a sentence for each wish of the file that is for a model: its ids are not those of a text."""
    most = (parts.get("truncation") or {}).get("max_length")
    if isinstance(most, int):
        yield CUT.format(most)
    if parts.get("padding"):
        yield PADDED
    if parts["model"].get("dropout"):
        yield DROPPED


def with_neighbours(content: bytes, parts: Parts, beside: Beside) -> tuple[bytes, Parts]:
    """Return a `tokenizer.json` as it is and parsed, with what the files beside it say, as in transformers.

    Tokens that only they name are added, with their rules; a token that they call special is special. What is put
    around a text is as the `tokenizer.json` says, whatever the config says about BOS and EOS.
    """
    if not beside.names_tokens:
        return content, parts
    rows = kind_of(parts.get("added_tokens") or [], list, "added_tokens")
    own = [(row["id"], NamedToken(row["content"], bool(row.get("special")), _rules(row))) for row in rows]
    vocabulary = kind_of(parts["model"], dict, "the model").get("vocab") or {}
    ids = vocabulary if isinstance(vocabulary, dict) else {row[0]: i for i, row in enumerate(vocabulary)}
    changed = {**parts, "added_tokens": beside.token_parts(ids, own=own)}
    if changed == parts:
        return content, parts
    return json.dumps(changed, ensure_ascii=False).encode("utf-8", "surrogatepass"), changed


def _rules(row: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(rule for rule in RULES if row.get(rule))


def _added(parts: Parts, library: HuggingFace | NotInstalled) -> list[dict[str, Any]]:
    """Return the added tokens with the library's ids, which differ from the file's ids if the file leaves a gap."""
    found = [{**row, "id": library.id_of(row["content"])} for row in parts.get("added_tokens") or []]
    return [row for row in found if row["id"] is not None]


def _decodes_alike(part: object) -> bool:
    """Return whether a `decoder` gives a token the same text after every other token.

    >>> _decodes_alike({"type": "ByteLevel"}), _decodes_alike({"type": "BPEDecoder", "suffix": "</w>"})
    (True, False)
    """
    kinds = [str(each.get("type")) for each in _steps(part) if each.get("type") != "Strip" or each.get("stop")]
    return kinds in _ALIKE


def _decoders(part: object) -> list[str]:
    return [str(each.get("type")) for each in _steps(part)]


def _rewrites(part: object) -> bool:
    """Return whether a `decoder` may change the text of earlier tokens when more tokens come.

    `Fuse` and `ByteLevel` join all tokens; a part after them may then change what several tokens make together.

    One text that is replaced is `_replaced`.

    >>> fuse, strip = {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}
    >>> two = {"type": "Replace", "pattern": {"Regex": "a+"}, "content": "c"}
    >>> [_rewrites({"type": "Sequence", "decoders": [*parts]}) for parts in ((two, fuse, strip), (fuse, two))]
    [False, True]
    """
    after = [each for each in _after_joining(part) if each.get("type") not in ("Fuse", "Strip")]
    if len(after) == 1 and "String" in after[0].get("pattern", {}):
        return False
    return not all(
        each.get("type") == "Metaspace"
        or (each.get("type") == "Replace" and len(each["pattern"].get("String", "ab")) == 1)
        for each in after
    )


def _replaced(part: object) -> str:
    """Return the text that a `decoder` replaces by another one when all tokens are joined; "" for none.

    >>> fuse, mark = {"type": "Fuse"}, {"type": "Replace", "pattern": {"String": "</w>"}, "content": " "}
    >>> _replaced({"type": "Sequence", "decoders": [fuse, mark]}), _replaced(mark)
    ('</w>', '')
    """
    after = [each for each in _after_joining(part) if each.get("type") == "Replace"]
    return str(after[0]["pattern"].get("String", "")) if len(after) == 1 else ""


def _after_joining(part: object) -> list[dict[str, Any]]:
    """Return the parts of a `decoder` that come after one that joins all tokens."""
    parts = _steps(part)
    kinds = _decoders(part)
    joining = [number for number, kind in enumerate(kinds) if kind in ("Fuse", "ByteLevel")]
    return parts[joining[0] + 1 :] if joining else []


def _ordinary(model: dict[str, Any], names: Collection[str]) -> Collection[str]:
    """Return the names that the model itself can make, such as by merges. `names`: added tokens in the vocabulary.

    >>> _ordinary({"vocab": {}, "merges": ["h u"]}, {"hu", "<think>"})
    {'hu'}
    """
    if not names or not _kind(model).has_merges:
        return names
    made = {pair.replace(" ", "") if isinstance(pair, str) else "".join(pair) for pair in model["merges"]}
    return {name for name in names if len(name) == 1 or name in made or name in _BYTES}


def _kinds(model: dict[str, Any], ids: dict[str, int]) -> dict[int, str]:
    """Return id → kind of the model's tokens that have a kind: see `kinds` at `Tokenizer`."""
    found: dict[int, str] = {}
    if model.get("byte_fallback"):
        found |= {ids[name]: BYTE for name in _BYTES if name in ids}
    prefix = model.get("continuing_subword_prefix")
    if prefix:
        found |= {i: WITHIN for token, i in ids.items() if token.startswith(prefix) and token != prefix}
    return found


def _kind(model: dict[str, Any]) -> ModelKind:
    """Return the kind of the model. Older files do not name it; then other fields of the model show it.

    >>> _kind({"vocab": {}, "merges": []}), _kind({"vocab": [["a", 0.0]]})
    ('BPE', 'Unigram')
    """
    if "type" in model:
        return ModelKind(model["type"])
    if "merges" in model:
        return ModelKind.BPE
    if isinstance(model["vocab"], list):
        return ModelKind.UNIGRAM
    return ModelKind.WORDPIECE if "continuing_subword_prefix" in model else ModelKind.WORD_LEVEL


def _steps(part: object) -> list[dict[str, Any]]:
    """Return the parts in a part of the file, in order, without the sequences that hold them."""
    return [each for each in all_parts(part) if each.get("type") != "Sequence"]


def _stage_parts(parts: Parts) -> Iterator[dict[str, Any]]:
    for stage in ("normalizer", "pre_tokenizer", "decoder"):
        yield from all_parts(parts.get(stage))


def _writes_letters(parts: Parts) -> bool:
    return any(part.get("type") == "ByteLevel" for part in _stage_parts(parts))


def _space(parts: Parts) -> str:
    """Return the character that tokens have in place of a space, by default a space.

    >>> _space({"pre_tokenizer": {"type": "Metaspace", "replacement": "▁"}})
    '▁'
    """
    for part in _stage_parts(parts):
        if part.get("type") == "Metaspace":
            return str(part["replacement"])
        if part.get("type") == "Replace" and part.get("pattern") == {"String": " "} and len(part["content"]) == 1:
            return str(part["content"])
    return " "


def _alphabet(parts: Parts, ids: Mapping[str, int]) -> _Alphabet:
    """Return the base symbols: bytes written as letters, or characters. Unknown characters may become bytes.

    >>> _alphabet({"model": {"type": "BPE"}}, {"h": 0, "u": 1, "hu": 2})
    _Alphabet(alphabet='characters', symbols={b'h': 0, b'u': 1}, byte_ids=())
    """
    if _writes_letters(parts):
        return _Alphabet("bytes", {bytes([byte]): ids[letter] for byte, letter in LETTER_OF.items() if letter in ids})
    if not _kind(parts["model"]).has_merges:
        return _Alphabet("characters", {})
    space = _space(parts)
    symbols = {encode_text(token.replace(space, " ")): i for token, i in ids.items() if len(token) == 1}
    bytes_too = parts["model"].get("byte_fallback")
    byte_ids = tuple(ids.get(name, UNKNOWN) for name in _BYTES) if bytes_too else ()
    return _Alphabet("characters", symbols, byte_ids)


def _all_bytes(parts: Parts, alphabet: str, tokens: Collection[str]) -> list[bytes]:
    """Return the bytes of all tokens. `tokens`: the tokens as the vocabulary writes them."""
    model, space = parts["model"], _space(parts)
    suffix = model.get("end_of_word_suffix") or ""
    prefix = model.get("continuing_subword_prefix") or ""
    single = _BYTES if model.get("byte_fallback") else {}
    texts = list(tokens)
    if suffix or prefix:
        texts = [token.removesuffix(suffix).removeprefix(prefix) or token for token in texts]
    letters = from_letters(texts) if alphabet == "bytes" else [None] * len(texts)
    found = [*filter(None, letters)]
    if len(found) < len(texts):
        found = [raw or encode_text(text.replace(space, " ")) for raw, text in zip(letters, texts, strict=True)]
    if single:
        found = [bytes([single[token]]) if token in single else raw for token, raw in zip(tokens, found, strict=True)]
    return found


def _merges(model: dict[str, Any], ids: dict[str, int]) -> Sequence[tuple[int, int, int]]:
    """Return the merges (left id, right id, new id), which are read at first use."""
    return LaterMerges(len(model["merges"]), lambda: _merge_rows(model, ids)) if model["merges"] else ()


def _merge_rows(model: dict[str, Any], ids: dict[str, int]) -> Integers:
    """Return the merges as rows of an array. Older files write a pair as one text with a space.

    >>> _merge_rows({"merges": ["h u", "hu g"]}, {"h": 0, "u": 1, "g": 2, "hu": 3, "hug": 4}).tolist()
    [[0, 1, 3], [3, 2, 4]]
    """
    merges = model["merges"]
    pairs = [merge.split(" ", 1) for merge in merges] if isinstance(merges[0], str) else merges
    prefix = model.get("continuing_subword_prefix") or ""
    joined = (left + right[len(prefix) :] for left, right in pairs) if prefix else map("".join, pairs)
    columns = [map(itemgetter(0), pairs), map(itemgetter(1), pairs), joined]
    try:
        return np.column_stack([numbers_in(map(ids.__getitem__, texts), len(pairs)) for texts in columns])
    except IndexError:
        raise FormatError("a merge does not have two tokens") from None
    except KeyError:
        raise FormatError("a merge has a token that the vocabulary does not have") from None


def _endings(model: dict[str, Any], ids: dict[str, int]) -> dict[int, int]:
    """Return the id of the last symbol of each token that ends a word, if such tokens are written with a suffix.

    >>> _endings({"end_of_word_suffix": "</w>"}, {"c": 0, "t": 1, "t</w>": 2, "ct</w>": 3})
    {2: 2, 3: 2}
    """
    suffix = model.get("end_of_word_suffix")
    if not suffix:
        return {}
    ending = {token: i for token, i in ids.items() if token.endswith(suffix) and token != suffix}
    return {i: ids[token[-len(suffix) - 1 :]] for token, i in ending.items() if token[-len(suffix) - 1 :] in ids}


def _pretokenizer(parts: Parts) -> Pretokenizer:
    """Return our pretokenizer that splits as the file does; if none does, a description of the file's pretokenizer."""
    kinds = _steps(parts.get("pre_tokenizer"))
    if _is_byte_level(kinds[-1:], use_regex=True) and len(kinds) == 1:
        return PRETOKENIZERS["gpt2"]
    splits = kinds[:-1] if _is_byte_level(kinds[-1:], use_regex=False) else kinds
    for row in PRETOKENIZERS.values():
        plain = {"type": "Split", "pattern": {"Regex": row.pattern}, "behavior": "Isolated", "invert": False}
        if splits == splitting_parts(row) or (row.lossless and splits == [plain]):
            return row
    title = " + ".join(str(part.get("type")) for part in kinds) or "none"
    about = "The file's own pretokenizer, in the library tokenizers."
    patterns = tuple(filter(None, map(_pattern, kinds)))
    return Pretokenizer(title, about, (("text", r"[\s\S]+"),), lossless=True, library_patterns=patterns)


def _pattern(part: dict[str, Any]) -> str:
    """Return the pattern of a part of a `pre_tokenizer`; "" for a part without one, or with too long a one.

    >>> _pattern({"type": "Digits", "individual_digits": True}), _pattern({"type": "Split", "pattern": {"String": "."}})
    ('\\\\p{N}', '\\\\.')
    """
    if part.get("type") == "Digits":
        return r"\p{N}" if part.get("individual_digits") else r"\p{N}+"
    if part.get("type") == "ByteLevel" and part.get("use_regex", True):
        return PRETOKENIZERS["gpt2"].pattern
    pattern = part.get("pattern") if part.get("type") == "Split" else None
    if not isinstance(pattern, dict):
        return ""
    found = str(pattern.get("Regex") or regex.escape(str(pattern.get("String", ""))))
    return found if len(found) <= MAX_PATTERN else ""


def _is_byte_level(kinds: list[dict[str, Any]], use_regex: bool) -> bool:
    """Return whether a part writes bytes as letters without putting a space before the text."""
    return any(
        part.get("type") == "ByteLevel"
        and not part.get("add_prefix_space", True)
        and part.get("use_regex", True) == use_regex
        for part in kinds
    )
