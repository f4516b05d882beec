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
# What each of them brings, and what it takes away.
NAMES = {
    ("alphabet", "bytes"): ("bytes as the alphabet", "this alphabet"),
    ("word_marker", "none"): ("no word marker", "a word marker"),
    ("normalizers", ()): ("no normalizers", "these normalizers"),
    ("pretokenizer", "gpt2"): ("GPT-2's split", "this split"),
    ("special_tokens", ()): ("no special tokens", "these special tokens"),
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


def keeping_spaces(settings: Settings, change: dict[str, Any]) -> dict[str, Any]:
    """Changes to settings so that a file holds the tokenizer and its split keeps the spaces; {} where `change` does.

    >>> keeping_spaces(Settings("whitespace", "characters", "end"), {"word_marker": "none"})
    {'pretokenizer': 'gpt2', 'word_marker': 'none'}
    """
    if not change or replace(settings, **change).splitter.lossless:
        return {}
    return {"pretokenizer": "gpt2"} | nearest(replace(settings, pretokenizer="gpt2"))


def named(change: dict[str, Any]) -> str:
    """The changes in words.

    >>> named({"alphabet": "bytes", "word_marker": "none"})
    'bytes as the alphabet and no word marker'
    """
    return _listed([NAMES[name, value][0] for name, value in change.items()])


def offer(settings: Settings, change: dict[str, Any]) -> str:
    """Why there is no file, and what the change brings.

    >>> print(offer(Settings("whitespace", "characters", "end"), {"word_marker": "none"}))
    No file format can hold a word marker. Another vocabulary, trained without it, fits into tokenizer.json. It loses \
the spaces between words; one with GPT-2's split keeps them.
    """
    taken = [NAMES[name, value][1] for name, value in change.items()]
    without = "without it" if taken == ["a word marker"] else f"with {named(change)}"
    changed = replace(settings, **change)
    files = ", ".join(name for name in FORMATS if name in carried(changed))
    said = f"No file format can hold {_listed(taken)}. Another vocabulary, trained {without}, fits into {files}."
    loses = " It loses the spaces between words; one with GPT-2's split keeps them."
    return said if changed.splitter.lossless else said + loses


def _listed(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
