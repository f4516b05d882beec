"""Reading llama.cpp's GGUF: a model with its tokenizer, as llama.cpp reads it.

The vocabulary in the header becomes the content of a file that a library opens: a `tokenizer.json` for byte-pair
encoding and WordPiece, a SentencePiece model for SentencePiece's two kinds. That library computes the ids, as it does
for files of other formats. Where llama.cpp gives other ids than the original tokenizer, ours are llama.cpp's:

- Byte-pair encoding: the split is llama.cpp's (see `gguf_splits`), and the text is not normalized.
- WordPiece: a word may have more than 100 characters; every mark (`\\p{M}`) goes where accents are stripped, the vowel
  signs of Hindi too; of a Korean syllable its first letter is left.
- SentencePiece's byte-pair encoding: the text is not normalized; the pieces that the file calls unused are used.
- Unigram: the pieces that the file calls unused are used; there is no byte fallback.

Names of special tokens are searched for in a text before it is split, the longest name first, in all four kinds. If
SentencePiece joins pieces of ordinary text to the name of a control token, the result is that token. For 506 texts in
each kind and in each split, the ids are llama-cpp-python 0.3.36's. One thing is not followed, and hardly any text shows
it: llama.cpp may join pieces to the name of a byte, such as `<0x0A>`. It sums Unigram's scores with double precision
and SentencePiece does not; no text is known to show it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bpe_core.files.beside import Beside
from bpe_core.files.format import Format, FormatError
from bpe_core.files.gguf_splits import Split, split_named
from bpe_core.files.gguf_vocabulary import (
    BPE,
    BYTE,
    CONTROL,
    NORMAL,
    UNIGRAM,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    GgufVocabulary,
    Normalizing,
    read_vocabulary,
    sentencepiece_file,
)
from bpe_core.files.hugging_face_parts import post_processor_part, pretokenizer_part
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.partitioned import Partitioned, overlapping
from bpe_core.files.reading import MAX_MERGES
from bpe_core.files.sentencepiece_model import read_sentencepiece
from bpe_core.files.tokenizer_json_read import read_tokenizer_json
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.text.rules import Pretokenizer
from bpe_core.tokenizer.assumptions import GGUF_ALONE
from bpe_core.tokenizer.encoding import Around
from bpe_core.tokenizer.tokenizer import ADDED

_LETTERS = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
_SPACES_SHOWN = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
_CHARACTERS_DECODED = {
    "type": "Sequence",
    "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
    ],
}
_BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
_PHANTOM = "▁"  # where a word begins in a BERT vocabulary of llama.cpp; else a space
_LONGEST = 1 << 31  # characters of a word: llama.cpp has no limit
_CHINESE = (
    "\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f"
)
_NO_CHARACTERS = r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\p{Cf}\p{Co}" + "\ufffd]"
_HANGUL, _FIRST_LETTERS, _WITH_ONE = 0xAC00, 0x1100, 588  # each first letter begins 588 syllables


def _in_order(parts: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return {"type": "Sequence", name: parts}


def _split(pattern: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def _file(vocabulary: GgufVocabulary, around: Around, **parts: Any) -> bytes:
    """Return a `tokenizer.json`; `parts`: its model and how it splits, normalizes and decodes."""
    found = vocabulary.of_types(UNKNOWN, CONTROL, USER_DEFINED)
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    added = [
        {"id": i, "content": name, **plain, "special": vocabulary.types[i] != USER_DEFINED}
        | ({strips: True} if (strips := vocabulary.strips.get(name)) else {})
        for name, i in found.items()
    ]
    names = {vocabulary.tokens[i]: i for i in (*around.before, *around.after)}
    ends = {"added_tokens": added, "post_processor": post_processor_part(around, names)}
    return json.dumps({"version": "1.0", **ends, **parts}, ensure_ascii=False).encode()


def _byte_pairs(vocabulary: GgufVocabulary, chosen: Pretokenizer | None) -> LibraryTokenizer:
    name = "gemma4" if vocabulary.get("model", "") == "gemma4" else vocabulary.get("pre", "")
    split = Split((), ()) if chosen and not name else split_named(name)
    if "tokenizer.ggml.merges" not in vocabulary.values:
        raise FormatError(
            "the GGUF has no tokenizer.ggml.merges: it is an old conversion without its merges; convert the model "
            "again, with llama.cpp's convert_hf_to_gguf.py"
        )
    lines = vocabulary.texts("merges")
    if len(lines) > MAX_MERGES:
        raise FormatError(f"the GGUF has {len(lines):,} merges; up to {MAX_MERGES:,} can be read")
    halves = [(line[:at], line[at + 1 :]) for line in lines if (at := line.find(" ", 1)) > 0]
    strange = next((half for pair in halves for half in (*pair, "".join(pair)) if half not in vocabulary.ids), None)
    if strange is not None:
        raise FormatError(f"the GGUF has a merge with {strange!r:.60}, which is no token of it")
    model = {
        "type": "BPE", "vocab": vocabulary.ids, "merges": [*dict.fromkeys(halves)], "ignore_merges": split.whole_words
    }  # fmt: skip
    around = vocabulary.around(11, 11, split.add_bos, add_eos=False, always_bos=split.characters and split.add_bos)
    cuts = [*map(_split, split.patterns)]
    parts: dict[str, Any]
    if split.characters and _PHANTOM in "".join(vocabulary.tokens):
        parts = {
            "normalizer": _SPACES_SHOWN,
            "pre_tokenizer": _in_order(cuts, "pretokenizers"),
            "decoder": _CHARACTERS_DECODED,
        }
        model |= {"byte_fallback": True}
    else:
        parts = {
            "normalizer": None,
            "pre_tokenizer": _in_order([*cuts, _LETTERS], "pretokenizers"),
            "decoder": _LETTERS,
        }
    if chosen and not name:
        parts["pre_tokenizer"] = pretokenizer_part(chosen, "bytes")
    content = _file(vocabulary, around, model=model, **parts)
    found = _longest_names_first(vocabulary, read_tokenizer_json(content, json.loads(content)))
    if found.pretokenizer in PRETOKENIZERS.values():
        return found
    if chosen and not name:
        return replace(found, pretokenizer=chosen)
    return replace(found, pretokenizer=replace(found.pretokenizer, title=f"{name} of llama.cpp"))


def _longest_names_first(vocabulary: GgufVocabulary, tokenizer: LibraryTokenizer) -> LibraryTokenizer:
    """Return a tokenizer that finds the longest special token of a text first, as llama.cpp does.

    Its library finds them from the left to the right, which is the same unless one can begin within another.
    """
    always, specials = vocabulary.of_types(USER_DEFINED), vocabulary.of_types(UNKNOWN, CONTROL)
    if not overlapping({**always, **specials}):
        return tokenizer
    return replace(
        tokenizer, library=Partitioned(tokenizer.library, always, specials, vocabulary.strips), finds_names=True
    )


def _wordpiece(vocabulary: GgufVocabulary) -> LibraryTokenizer:
    special = vocabulary.of_types(UNKNOWN, CONTROL, USER_DEFINED).keys()
    ids = {token if token in special else _with_hashes(token): i for token, i in vocabulary.ids.items()}
    if len(ids) < len(vocabulary.ids) or "" in ids:
        raise FormatError("the GGUF has a token of WordPiece twice, or an empty one")
    lower = vocabulary.get("normalizer.lowercase", True)
    strip = vocabulary.get("normalizer.strip_accents", lower)
    unknown = [*ids][vocabulary.needed("unknown", 100)]
    model = {
        "type": "WordPiece", "unk_token": unknown, "continuing_subword_prefix": "##",
        "max_input_chars_per_word": _LONGEST, "vocab": ids,
    }  # fmt: skip
    cuts = [{"type": "WhitespaceSplit"}, _split(rf"[\p{{P}}$+<=>^`|~{_CHINESE}]")]
    content = _file(
        vocabulary,
        Around((vocabulary.needed("bos", 101),), (vocabulary.needed("seperator", 102),)),
        normalizer=_in_order(_normalizers(lower, strip), "normalizers"),
        pre_tokenizer=_in_order(cuts, "pretokenizers"),
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
        model=model,
    )
    return _longest_names_first(vocabulary, read_tokenizer_json(content, json.loads(content)))


def _with_hashes(token: str) -> str:
    """Return a token as BERT's own files write it. Where a word begins llama.cpp has `▁`, and elsewhere nothing.

    >>> _with_hashes("▁play"), _with_hashes("ing"), _with_hashes("[unused1]")
    ('play', '##ing', '[unused1]')
    """
    if token.startswith(_PHANTOM):
        return token.removeprefix(_PHANTOM)
    return token if token.startswith("[") and token.endswith("]") else f"##{token}"


def _normalizers(lower: bool, strip: bool) -> list[dict[str, Any]]:
    """Return the parts that do what llama.cpp does to the characters of a text before WordPiece."""
    first_letters = [
        _replaced(f"[{chr(begin)}-{chr(begin + _WITH_ONE - 1)}]", chr(_FIRST_LETTERS + number))
        for number, begin in enumerate(range(_HANGUL, _HANGUL + 19 * _WITH_ONE, _WITH_ONE))
    ]
    accents = [*first_letters, {"type": "NFD"}, _replaced(r"\p{M}", "")]
    small = [{"type": "Lowercase"}]
    return [*(accents if strip else []), _replaced(_NO_CHARACTERS, ""), *(small if lower else [])]


def _replaced(pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}


def _sentencepiece(vocabulary: GgufVocabulary, model: int) -> LibraryTokenizer:
    """Return the tokenizer of a SentencePiece vocabulary; `model`: `UNIGRAM` or `BPE`."""
    unknown = vocabulary.needed("unknown", 0 if model == BPE else 2)
    lacking = next((name for name in _BYTES if name not in vocabulary.ids), None) if model == BPE else None
    if lacking:
        raise FormatError(f"the GGUF lacks the token {lacking}: llama.cpp could not write every text with it")
    bytes_of = set(_BYTES) if model == BPE else set()
    pieces = [
        (token, *_as_piece(model, token in bytes_of, kind, score))
        for token, kind, score in zip(vocabulary.tokens, vocabulary.types, vocabulary.scores, strict=True)
    ]
    pieces[unknown] = (vocabulary.tokens[unknown], 0.0, UNKNOWN)
    charsmap = vocabulary.values.get("tokenizer.ggml.precompiled_charsmap") if model == UNIGRAM else None
    if charsmap is not None and not (isinstance(charsmap, np.ndarray) and charsmap.dtype.char in "bB"):
        raise FormatError("tokenizer.ggml.precompiled_charsmap of the GGUF has to be a list of bytes")
    prefix = vocabulary.get("add_space_prefix", model == BPE)
    merged = vocabulary.get("remove_extra_whitespaces", False) and model == UNIGRAM
    raw = b"" if charsmap is None else charsmap.tobytes()
    found = read_sentencepiece(sentencepiece_file(pieces, model, unknown, Normalizing(raw, prefix, merged)))
    always = vocabulary.of_types(USER_DEFINED)
    specials = vocabulary.of_types(UNKNOWN, CONTROL)
    return replace(
        found,
        library=Partitioned(found.library, always, specials, vocabulary.strips),
        special_tokens=specials | always,
        kinds={**found.kinds, **dict.fromkeys(always.values(), ADDED)},
        around=vocabulary.around(1 if model == BPE else None, 2 if model == BPE else 1, model == BPE, model != BPE),
        finds_names=True,
        content=b"",
    )


def _as_piece(model: int, is_byte: bool, kind: int, score: float) -> tuple[float, int]:
    """Return the score and the type with which SentencePiece uses a piece as llama.cpp does."""
    if is_byte:
        return 0.0, BYTE
    if model == BPE:
        return score, CONTROL if kind in (UNKNOWN, BYTE) else NORMAL
    return (0.0 if kind == USER_DEFINED else score), NORMAL if kind in (NORMAL, USER_DEFINED, UNUSED) else CONTROL


_MODELS: Mapping[str, Callable[[GgufVocabulary, Pretokenizer | None], LibraryTokenizer]] = {
    "gpt2": _byte_pairs,
    "gemma4": _byte_pairs,
    "llama": lambda vocabulary, _: _sentencepiece(vocabulary, BPE),
    "bert": lambda vocabulary, _: _wordpiece(vocabulary),
    "t5": lambda vocabulary, _: _sentencepiece(vocabulary, UNIGRAM),
}


def read_gguf(content: bytes, chosen: Pretokenizer | None = None) -> LibraryTokenizer:
    """Return the tokenizer in a GGUF, or in its header alone; `FormatError` says what is wrong, or not known here.

    `chosen`: the pretokenizer for a file that does not say how text is split, which llama.cpp's older files do not.
    """
    vocabulary = read_vocabulary(content)
    model = vocabulary.get("model", "")
    if not model:
        raise FormatError("the GGUF has no tokenizer: it is no language model, or not the first part of one")
    if model not in _MODELS:
        raise FormatError(f"the GGUF has a tokenizer of the kind {model!r:.60}; {', '.join(_MODELS)} are read")
    return replace(_MODELS[model](vocabulary, chosen), roles=vocabulary.roles)


def _read(content: bytes, beside: Beside) -> LibraryTokenizer:
    found = read_gguf(content, beside.chosen)
    if not beside.files:
        return found
    return replace(found, assumptions=(*found.assumptions, GGUF_ALONE.format(" and ".join(beside.files))))


def chat_config(content: bytes) -> dict[str, Any]:
    """Return the chat templates in a GGUF as in a `tokenizer_config.json`, with the special tokens; {} for none."""
    vocabulary = read_vocabulary(content)
    templates = vocabulary.templates
    return {"chat_template": templates, **vocabulary.roles} if templates else {}


GGUF = Format(
    "llama.cpp's GGUF",
    "llama-cpp-python",
    files=("model.gguf",),
    ends=(".gguf",),
    kinds=({"gguf"},),
    read=lambda contents, _parts, beside: _read(contents["gguf"], beside),
)
