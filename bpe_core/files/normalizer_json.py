"""Our normalizers as Hugging Face's `normalizer` writes them, and back; how each is spelt stands in its row."""

from __future__ import annotations

from collections.abc import Mapping

from bpe_core.files.format import FormatError
from bpe_core.text.normalizers import NORMALIZERS


def _spelling(key: str) -> Mapping[str, object]:
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


def normalizer_key(part: dict) -> str | None:
    """The key of one of their normalizers that ours equals, or None; `FormatError` for a BERT with other options.

    >>> normalizer_key({"type": "Lowercase"})
    'lowercase'
    """
    rows = ((key, row.hugging_face) for key, row in NORMALIZERS.items() if row.hugging_face is not None)
    key = next((key for key, spelt in rows if spelt["type"] == part.get("type")), None)
    if key == "bert":
        ours = {**_spelling(key), "strip_accents": True}
        theirs = {**part, "strip_accents": True} if part.get("strip_accents") is None else part
        wrong = next((name for name, value in ours.items() if theirs.get(name) is not value and name != "type"), None)
        if wrong:
            raise FormatError(f"the normalizer BertNormalizer has {wrong} off, which is not supported")
    return key
