"""Our normalizers as Hugging Face's `normalizer` writes them; how each is spelt stands in its row."""

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
