"""The formats that can carry a tokenizer with some settings, and the nearest settings that a format can carry."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from bpe_core import Settings, SettingsError, train
from bpe_core.files import FORMATS, READABLE, FormatError, dumps

# The changes to settings to try, the smallest first.
CHANGES: tuple[dict[str, Any], ...] = (
    {"alphabet": "bytes"},
    {"word_marker": "none"},
    {"alphabet": "bytes", "word_marker": "none"},
    {"alphabet": "bytes", "word_marker": "none", "normalizers": ()},
    {"alphabet": "bytes", "word_marker": "none", "normalizers": (), "pretokenizer": "gpt2"},
    {"alphabet": "bytes", "word_marker": "none", "normalizers": (), "pretokenizer": "gpt2", "special_tokens": ()},
)
# (field, new value in a change) → in words, the new value, and the former value, which no format can carry.
# A word marker is a symbol of its own; `end_of_word_suffix` of a tokenizer.json is a part of a word's last symbol.
NAMES = {
    ("alphabet", "bytes"): ("bytes as the alphabet", "this alphabet"),
    ("word_marker", "none"): ("no word marker", "this word marker"),
    ("normalizers", ()): ("no normalizers", "these normalizers"),
    ("pretokenizer", "gpt2"): ("GPT-2's split", "this split"),
    ("special_tokens", ()): ("no special tokens", "these special tokens"),
}


def carried(settings: Settings) -> frozenset[str]:
    """Return the formats that a tokenizer with these settings can be written to and read from.

    A small tokenizer with the settings is written to each format to find out.

    >>> sorted(carried(Settings()))
    ['.tiktoken', 'minbpe', 'tokenizer.json', 'vocab.json + merges.txt']
    """
    tokenizer = train("a b", replace(settings, vocab_size=400 + len(settings.special_tokens), forced={})).tokenizer()
    found = set()
    for name in FORMATS.keys() & READABLE:
        try:
            dumps(tokenizer, name)
        except FormatError:
            continue
        found.add(name)
    return frozenset(found)


def _changed(settings: Settings, change: dict[str, Any]) -> Settings:
    """Return settings with a change. A change of the pretokenizer empties the pattern, which only "custom" uses."""
    pattern = "" if "pretokenizer" in change else settings.pattern
    return replace(settings, **{**change, "pattern": pattern})


@lru_cache(maxsize=64)
def nearest(settings: Settings) -> dict[str, Any]:
    """Return the smallest change to the settings after which some format can carry them; {} if none is needed.

    >>> nearest(Settings("whitespace", "characters", "end"))
    {'word_marker': 'none'}
    """
    for change in () if carried(settings) else CHANGES:
        wanted = {name: value for name, value in change.items() if getattr(settings, name) != value}
        try:
            if wanted and carried(_changed(settings, wanted)):
                return wanted
        except SettingsError:  # such as a vocabulary that is too small for bytes
            continue
    return {}


def keeping_spaces(settings: Settings, change: dict[str, Any]) -> dict[str, Any]:
    """Return a change after which a format can carry the settings and the split keeps spaces; {} if `change` suffices.

    >>> keeping_spaces(Settings("whitespace", "characters", "end"), {"word_marker": "none"})
    {'pretokenizer': 'gpt2', 'word_marker': 'none'}
    """
    if not change or _changed(settings, change).splitter.lossless:
        return {}
    split = {"pretokenizer": "gpt2"}
    return split | nearest(_changed(settings, split))


def named(change: dict[str, Any]) -> str:
    """Return a change in words.

    >>> named({"alphabet": "bytes", "word_marker": "none"})
    'bytes as the alphabet and no word marker'
    """
    return _listed([NAMES[name, value][0] for name, value in change.items()])


def offer(settings: Settings, change: dict[str, Any]) -> str:
    """Return sentences: why no file can carry the settings, and what is gained and lost by retraining with the change.

    >>> print(offer(Settings("whitespace", "characters", "end"), {"word_marker": "none"}))
    No tokenizer file can hold this word marker. Retrain with no word marker, and you can save tokenizer.json. Texts \
decoded with it have no spaces between words; with GPT-2's split, they keep them.
    """
    taken = _listed([NAMES[name, value][1] for name, value in change.items()])
    changed = _changed(settings, change)
    files = ", ".join(name for name in FORMATS if name in carried(changed))
    sentences = f"No tokenizer file can hold {taken}. Retrain with {named(change)}, and you can save {files}."
    loses = " Texts decoded with it have no spaces between words; with GPT-2's split, they keep them."
    return sentences if changed.splitter.lossless else sentences + loses


def _listed(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
