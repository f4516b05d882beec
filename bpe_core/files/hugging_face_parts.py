"""Parts of Hugging Face's `tokenizer.json` that several of our writers have: normalizers, special tokens, texts."""

from __future__ import annotations

from collections.abc import Mapping

from bpe_core.files.format import FormatError
from bpe_core.text.normalizers import NORMALIZERS


def _spelling(key: str) -> Mapping[str, object]:
    """How a normalizer is spelt, which stands in its row."""
    row = NORMALIZERS[key]
    if row.hugging_face is None:
        raise FormatError(f"Hugging Face's files have no normalizer like {row.title}")
    return row.hugging_face


def normalizer_json(keys: tuple[str, ...]) -> Mapping[str, object] | None:
    """The JSON of a chain of normalizers; `FormatError` for one that their files cannot name.

    >>> normalizer_json(("nfc", "lowercase"))
    {'type': 'Sequence', 'normalizers': [{'type': 'NFC'}, {'type': 'Lowercase'}]}
    """
    rows = [_spelling(key) for key in keys]
    return rows[0] if len(rows) == 1 else {"type": "Sequence", "normalizers": rows} if rows else None


def special_tokens_json(names: Mapping[str, int]) -> list[dict[str, object]]:
    """The `added_tokens` of special tokens, name → id: found wherever their name stands in the text as it was typed.

    >>> [(row["id"], row["content"], row["special"]) for row in special_tokens_json({"<b>": 9, "<a>": 8})]
    [(8, '<a>', True), (9, '<b>', True)]
    """
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return [{"id": i, "content": name, **flags} for name, i in sorted(names.items(), key=lambda row: row[1])]


def whole_text(token: bytes) -> str:
    """The text of a token; `FormatError` for a lone surrogate, which JSON in UTF-8 cannot hold.

    >>> whole_text(b"hug")
    'hug'
    """
    try:
        return token.decode()
    except UnicodeDecodeError:
        raise FormatError("tokenizer.json holds text, and a token has half a character (a lone surrogate)") from None
