"""A library's `tokenizer.json` with fewer tokens. All else in the file stays as it is.

It is for files that are not converted to our own `Tokenizer`, such as one without some of the 256 bytes, in which the
library drops what it has no token for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bpe_core.files.format import FormatError
from bpe_core.files.library_tokenizer import LibraryTokenizer
from bpe_core.files.tokenizer_json_read import read_tokenizer_json
from bpe_core.tokenizer.tokenizer import Tokenizer

_IDS = ("ids", "sep", "cls")  # where a `post_processor` has ids


def trimmed_file(tokenizer: Tokenizer, ids: Mapping[int, int]) -> LibraryTokenizer:
    """Return the tokenizer with the tokens in `ids` alone: old id → new id.

    Raises `FormatError` if the file is no `tokenizer.json`, or if its library gives an added token another id.

    >>> from bpe_core import Settings, dumps, loads, train
    >>> tok = loads(dumps(train("hug hug", Settings("none", "characters", vocab_size=6)).tokenizer()))
    >>> [*map(tok.id_to_token, tok.ids("hug"))]
    [b'hug']
    >>> len(trimmed_file(tok, {i: new for new, i in enumerate(i for i in range(6) if tok.id_to_token(i) != b" ")}))
    5
    """
    if not tokenizer.content.startswith(b"{"):
        raise FormatError("only the tokens of a tokenizer.json are taken out of it: this file has another format")
    parts = json.loads(tokenizer.content)
    model = parts["model"]
    vocab = {token: ids[i] for token, i in model["vocab"].items() if i in ids}
    pairs = [pair.split(" ") if isinstance(pair, str) else pair for pair in model["merges"]]
    prefix = model.get("continuing_subword_prefix") or ""
    kept = [(left, right) for left, right in pairs if {left, right, left + right.removeprefix(prefix)} <= vocab.keys()]
    added = [{**row, "id": ids[row["id"]]} for row in parts.get("added_tokens") or [] if row["id"] in ids]
    padding = parts.get("padding") or {}
    changed = {
        **parts,
        "added_tokens": added,
        "padding": {**padding, "pad_id": ids.get(padding["pad_id"], 0)}
        if "pad_id" in padding
        else parts.get("padding"),
        "post_processor": _renumbered(parts.get("post_processor"), ids),
        "model": {**model, "vocab": vocab, "merges": kept},
    }
    found = read_tokenizer_json(json.dumps(changed).encode(), changed)
    moved = [row["content"] for row in added if found.special_tokens.get(row["content"], row["id"]) != row["id"]]
    if moved:
        raise FormatError(f"the added token {moved[0]!r:.60} would not have its place among the tokens that are left")
    return found


def _renumbered(part: Any, ids: Mapping[int, int]) -> Any:
    """Return a part of a file with new ids.

    >>> _renumbered({"type": "BertProcessing", "sep": ["[SEP]", 7], "cls": ["[CLS]", 8]}, {7: 1, 8: 2})
    {'type': 'BertProcessing', 'sep': ['[SEP]', 1], 'cls': ['[CLS]', 2]}
    """
    if isinstance(part, list):
        return [_renumbered(each, ids) for each in part]
    if not isinstance(part, dict):
        return part
    return {
        key: [ids[i] if isinstance(i, int) else i for i in value] if key in _IDS else _renumbered(value, ids)
        for key, value in part.items()
    }
