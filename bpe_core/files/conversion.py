"""Conversion of a library's `tokenizer.json` to our own `Tokenizer`, so that any format can be written.

This is possible if our `Tokenizer` has each part of the file: a byte-level BPE model, a pretokenizer and normalizers of
our tables, and special tokens without rules of their own. Both tokenizers then give the same ids for every text.
"""

from __future__ import annotations

import json
from typing import Any

from bpe_core.files.format import FormatError, Parts
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.reading import by_id
from bpe_core.text.normalizers import NORMALIZERS
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.tokenizer import ADDED, Tokenizer

REFUSED = "only the file's own library has all its rules, so it is not converted: "  # an error's beginning
_RULES = ("lstrip", "rstrip", "single_word", "normalized")  # of an added token; each is off for a plain special token
# Options of a BPE model that `Tokenizer` does not have.
_OPTIONS = ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback")


def as_ours(tokenizer: LibraryTokenizer) -> Tokenizer:
    """Return a `Tokenizer` with the same ids for every text; `FormatError` says which part of the file prevents that.

    >>> from bpe_core import Settings, dumps, loads, train
    >>> tok = train("hug hug pug", Settings("gpt2", vocab_size=258)).tokenizer()
    >>> as_ours(loads(dumps(tok))) == tok
    True
    """
    parts = json.loads(tokenizer.content) if tokenizer.content.startswith(b"{") else {}
    reason = _obstacle(tokenizer, parts)
    if reason:
        raise FormatError(f"{REFUSED}{reason}")
    special = set(tokenizer.special_tokens.values())
    return Tokenizer(
        tokens=by_id((token, i) for i, token in enumerate(tokenizer.tokens) if token and i not in special),
        merges=tuple(tokenizer.merges),
        pretokenizer=tokenizer.pretokenizer,
        special_tokens=tokenizer.special_tokens,
        normalizers=_normalizers(parts.get("normalizer")) or (),
        kinds=dict.fromkeys(tokenizer.vocabulary.added, ADDED),
        around=tokenizer.around,
        around_two=tokenizer.around_two,
        roles=tokenizer.roles,
        whole_words=bool(parts["model"].get("ignore_merges")),
    )


def _obstacle(tokenizer: LibraryTokenizer, parts: Parts) -> str:
    """Return the part of a file that `Tokenizer` does not have; "" if there is none."""
    model: dict[str, Any] = parts.get("model") or {}
    if not tokenizer.model.has_merges:
        return f"its model is {tokenizer.model}, which has no merges"
    if not parts:
        return "its tokens are SentencePiece's"
    if tokenizer.alphabet != "bytes" or tokenizer.byte_ids:
        return "its base symbols are characters"
    if len(tokenizer.symbols or ()) < 256:
        return "it lacks some of the 256 bytes"
    odd = [name for name in _OPTIONS if model.get(name)]
    if odd:
        return f"its model has {odd[0]}"
    if tokenizer.pretokenizer not in PRETOKENIZERS.values():
        return f"its pretokenizer is {tokenizer.pretokenizer.title}"
    if not _writes_bytes(parts):
        return "its pretokenizer does not end with ByteLevel, so its base symbols are characters"
    if _normalizers(parts.get("normalizer")) is None:
        return f"its normalizer is {parts['normalizer'].get('type')}"
    found = tokenizer.special_tokens
    ruled = [row["content"] for row in parts.get("added_tokens") or [] if row["content"] not in found or _ruled(row)]
    return f"its added token {ruled[0]!r:.60} has rules of its own" if ruled else ""


def _writes_bytes(parts: Parts) -> bool:
    """Return whether the file's pretokenizer turns pretokens into bytes. A decoder from bytes is no proof of that."""
    components = _components(parts.get("pre_tokenizer"), "pretokenizers")
    return bool(components) and components[-1].get("type") == "ByteLevel"


def _ruled(row: Parts) -> bool:
    return any(row.get(rule) for rule in _RULES)


def _normalizers(part: Parts | None) -> tuple[str, ...] | None:
    """Return the keys of a file's normalizers; None if `NORMALIZERS` lacks one of them."""
    components = _components(part, "normalizers")
    keys = [next((key for key, row in NORMALIZERS.items() if row.hugging_face == stage), None) for stage in components]
    return None if None in keys else tuple(key for key in keys if key)


def _components(part: Parts | None, name: str) -> list[Parts]:
    """Return the parts in a sequence, or a single part in a list. `name`: the key of the sequence's list.

    >>> _components({"type": "NFC"}, "normalizers"), _components(None, "normalizers")
    ([{'type': 'NFC'}], [])
    """
    if not part:
        return []
    return list(part[name]) if part.get("type") == "Sequence" else [part]
