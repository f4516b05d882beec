"""Our normalizers as Hugging Face's `normalizer` writes them, and back."""

from __future__ import annotations

from bpe_core.files.format import FormatError

NORMALIZER_OF: dict[str, dict] = {
    "nfc": {"type": "NFC"},
    "nfd": {"type": "NFD"},
    "nfkc": {"type": "NFKC"},
    "nfkd": {"type": "NFKD"},
    "lowercase": {"type": "Lowercase"},
    "strip-accents": {"type": "StripAccents"},
    "bert": {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,  # as `lowercase`
        "lowercase": True,
    },
}


def normalizer_json(keys: tuple[str, ...]) -> dict | None:
    """The JSON of a chain of normalizers.

    >>> normalizer_json(("nfc", "lowercase"))
    {'type': 'Sequence', 'normalizers': [{'type': 'NFC'}, {'type': 'Lowercase'}]}
    """
    rows = [NORMALIZER_OF[key] for key in keys]
    return rows[0] if len(rows) == 1 else {"type": "Sequence", "normalizers": rows} if rows else None


def normalizer_key(part: dict) -> str | None:
    """The key of one of their normalizers that ours equals, or None; `FormatError` for a BERT with other options.

    >>> normalizer_key({"type": "Lowercase"})
    'lowercase'
    """
    key = next((key for key, row in NORMALIZER_OF.items() if row["type"] == part.get("type")), None)
    if key == "bert":
        ours = NORMALIZER_OF[key] | {"strip_accents": True}
        theirs = {**part, "strip_accents": True} if part.get("strip_accents") is None else part
        wrong = next((name for name, value in ours.items() if theirs.get(name) is not value and name != "type"), None)
        if wrong:
            raise FormatError(f"the normalizer BertNormalizer has {wrong} off, which is not supported")
    return key
