"""Writing Hugging Face's `tokenizer.json`: normalizer, pretokenizer, ids, merges and special tokens in one file.

Bytes are written in GPT-2's letters (see `gpt2_bytes`); characters as themselves, with a token `<unk>` for those that
the vocabulary lacks. Format: the serialized form of Hugging Face's `tokenizers.Tokenizer`.
"""

from __future__ import annotations

import json

from bpe_core.files.format import Format, FormatError, in_unicode, only_our_own
from bpe_core.files.hugging_face_parts import normalizer_json, special_tokens_json, whole_text
from bpe_core.files.pretokenizers_written import BYTE_LEVEL, to_hugging_face
from bpe_core.files.tokenizer_json_read import read_tokenizer_json
from bpe_core.text.gpt2_bytes import in_letters
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.tokens_and_merges import UNKNOWN_TEXT

_BYTE_LEVEL_DECODER = {**BYTE_LEVEL, "use_regex": True}


def _written(tokenizer: Tokenizer) -> list[str]:
    """Every token as the file writes it."""
    if tokenizer.alphabet == "bytes":
        return [in_letters(token) for token in tokenizer.tokens]
    return list(map(whole_text, tokenizer.tokens))


def _vocabulary(tokenizer: Tokenizer, written: list[str]) -> dict[str, int]:
    """Written token → id, special tokens included."""
    vocabulary = {token: i for i, token in enumerate(written) if token}
    if len(vocabulary) < sum(map(bool, written)):
        raise FormatError("tokenizer.json holds every token once, and this vocabulary has one under two ids")
    for name, i in tokenizer.special_tokens.items():
        in_unicode(name, "the special token")
        if len(name) == 1 and tokenizer.normalizers:
            raise FormatError(f"the special token {name!r} is a character that normalizing may make: not supported")
        if vocabulary.get(name, i) != i:
            raise FormatError(f"the special token {name!r} is written like an ordinary token, and can have no other id")
        vocabulary[name] = i
    return vocabulary


def _unknown(vocabulary: dict[str, int]) -> str:
    """A name for unknown characters that the vocabulary does not have."""
    name = UNKNOWN_TEXT
    while name in vocabulary:
        name = f"<{name}>"
    return name


def _model(tokenizer: Tokenizer) -> dict:
    written = _written(tokenizer)
    vocabulary = _vocabulary(tokenizer, written)
    unknown = None
    if tokenizer.alphabet == "characters":
        unknown = _unknown(vocabulary)
        vocabulary[unknown] = max(vocabulary.values(), default=-1) + 1
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": unknown,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": vocabulary,
        "merges": [[written[left], written[right]] for left, right, _ in tokenizer.merges],
    }


def _write(tokenizer: Tokenizer) -> tuple[bytes, ...]:
    only_our_own(tokenizer, "tokenizer.json")
    if tokenizer.word_marker != "none":
        raise FormatError(
            "tokenizer.json has no word marker that is a symbol of its own, only a suffix glued to the last letter; "
            "train with the word marker “none”"
        )
    parts = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special_tokens_json(tokenizer.special_tokens),
        "normalizer": normalizer_json(tokenizer.normalizers),
        "pre_tokenizer": to_hugging_face(tokenizer.pretokenizer, tokenizer.alphabet),
        "post_processor": None,
        "decoder": _BYTE_LEVEL_DECODER if tokenizer.alphabet == "bytes" else {"type": "Fuse"},
        "model": _model(tokenizer),
    }
    return (json.dumps(parts, ensure_ascii=False, indent=1).encode(),)


TOKENIZER_JSON = Format(
    "Hugging Face tokenizer.json",
    "tokenizers, transformers",
    "tokenizers.Tokenizer.from_file('tokenizer.json')",
    files=("tokenizer.json",),
    ends=("tokenizer.json",),
    kinds=({"json"},),
    read=lambda contents, parts, _pretokenizer: read_tokenizer_json(contents["json"], parts),
    write=_write,
    fits=lambda parts: "model" in parts,
)
