"""Which files can carry a tokenizer trained with some settings, and the nearest settings that they can."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from bpe_core import Settings, train
from bpe_core.files import FORMATS, FormatError, dumps

# What may be changed, the least first.
CHANGES: tuple[dict[str, Any], ...] = (
    {"alphabet": "bytes"},
    {"word_marker": "none"},
    {"alphabet": "bytes", "word_marker": "none"},
    {"alphabet": "bytes", "word_marker": "none", "normalizers": ()},
    {"alphabet": "bytes", "word_marker": "none", "normalizers": (), "pretokenizer": "gpt2"},
    {"alphabet": "bytes", "word_marker": "none", "normalizers": (), "pretokenizer": "gpt2", "special_tokens": ()},
)
NAMES = {
    ("alphabet", "bytes"): "bytes as the alphabet",
    ("word_marker", "none"): "no word marker",
    ("normalizers", ()): "no normalizers",
    ("pretokenizer", "gpt2"): "GPT-2's split",
    ("special_tokens", ()): "no special tokens",
}


def carried(settings: Settings) -> frozenset[str]:
    """The formats that can carry a tokenizer with these settings, found by writing a small one.

    >>> sorted(carried(Settings()))
    ['.tiktoken', 'minbpe', 'tokenizer.json', 'vocab.json + merges.txt']
    """
    tokenizer = train("a b", replace(settings, vocab_size=400 + len(settings.special_tokens), forced={})).tokenizer()
    found = set()
    for name in FORMATS:
        try:
            dumps(tokenizer, name)
        except FormatError:
            continue
        found.add(name)
    return frozenset(found)


@lru_cache(maxsize=64)
def nearest(settings: Settings) -> dict[str, Any]:
    """The fewest changes to settings that no format can carry, so that one can; {} where there is nothing to change.

    >>> nearest(Settings("whitespace", "characters", "end"))
    {'word_marker': 'none'}
    """
    for change in () if carried(settings) else CHANGES:
        wanted = {name: value for name, value in change.items() if getattr(settings, name) != value}
        if wanted and carried(replace(settings, **wanted)):
            return wanted
    return {}


def named(change: dict[str, Any]) -> str:
    """The changes in words.

    >>> named({"alphabet": "bytes", "word_marker": "none"})
    'bytes as the alphabet and no word marker'
    """
    *first, last = [NAMES[name, value] for name, value in change.items()]
    return f"{', '.join(first)} and {last}" if first else last
