"""The formats that can carry a tokenizer with some settings, and the nearest settings that a format can carry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from bpe_core import Settings, SettingsError, Tokenizer, train
from bpe_core.files import FORMATS, READABLE, FormatError, dumps
from bpe_core.files.conversion import opens_alone
from bpe_core.settings import BYTE_SYMBOLS
from bpe_core.text.in_words import listed

# The changes to settings to try, the smallest first.
CHANGES: tuple[dict[str, Any], ...] = (
    {"alphabet": "bytes"},
    {"word_marker": "none"},
    {"alphabet": "bytes", "word_marker": "none"},
    {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none"},
    {"alphabet": "bytes", "word_marker": "none", "normalizers": ()},
    {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "normalizers": ()},
    {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "normalizers": (), "special_tokens": ()},
)
# (field, new value in a change) → in words, the new value, and the former value, which no format can carry.
# A word marker is a symbol of its own; `end_of_word_suffix` of a tokenizer.json is a part of a word's last symbol.
NAMES = {
    ("alphabet", "bytes"): ("bytes", "this alphabet"),
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
    tokenizer = _small(settings)
    found = set()
    for name in FORMATS.keys() & READABLE:
        try:
            dumps(tokenizer, name)
        except FormatError:
            continue
        found.add(name)
    return frozenset(found)


def _small(settings: Settings) -> Tokenizer:
    """Return a small tokenizer with the settings."""
    size = 400 + len(settings.special_tokens)
    return train("a b", replace(settings, vocab_size=size, forced={})).tokenizer()


def _opens_everywhere(settings: Settings) -> bool:
    """Return whether some file opens in every library that it is for and in a plain install, and keeps spaces."""
    return settings.splitter.lossless and bool(carried(settings)) and opens_alone(_small(settings))


def _changed(settings: Settings, change: dict[str, Any]) -> Settings:
    """Return settings with a change. A change of the pretokenizer empties the pattern, which only "custom" uses.

    The vocabulary has room for bytes: see `presets.with_suitable_size`.
    """
    pattern = "" if "pretokenizer" in change else settings.pattern
    size = max(settings.vocab_size, BYTE_SYMBOLS + len(settings.special_tokens) + 1)
    return replace(settings, **{**change, "pattern": pattern, "vocab_size": size})


def _smallest(settings: Settings, suits: Callable[[Settings], object]) -> dict[str, Any]:
    """Return the smallest change after which the settings suit; {} for none."""
    for change in CHANGES:
        wanted = {name: value for name, value in change.items() if getattr(settings, name) != value}
        try:
            if wanted and suits(_changed(settings, wanted)):
                return wanted
        except SettingsError:  # such as across words with another split
            continue
    return {}


@lru_cache(maxsize=64)
def nearest(settings: Settings) -> dict[str, Any]:
    """Return the smallest change after which a file can carry the settings, opens everywhere and keeps spaces.

    {} if some file can carry them as they are.

    >>> nearest(Settings("whitespace", "characters", "end"))
    {'pretokenizer': 'gpt2', 'alphabet': 'bytes', 'word_marker': 'none'}
    """
    return {} if carried(settings) else _smallest(settings, _opens_everywhere)


def named(change: dict[str, Any]) -> str:
    """Return a change in words.

    >>> named({"alphabet": "bytes", "word_marker": "none"})
    'bytes and no word marker'
    """
    return listed([NAMES[name, value][0] for name, value in change.items()])


def offer(settings: Settings, change: dict[str, Any]) -> str:
    """Return sentences: why no file can carry the settings, and what is gained by retraining with the change.

    >>> settings = Settings("whitespace", "characters", "end")
    >>> print(offer(settings, nearest(settings)))
    No tokenizer file can hold this word marker. Retrain with GPT-2's split, bytes and no word marker, and you can \
save tokenizer.json, vocab.json + merges.txt, .tiktoken and minbpe.
    """
    taken = listed([NAMES[name, value][1] for name, value in _smallest(settings, carried).items()])
    held = carried(_changed(settings, change))
    files = listed([name for name in FORMATS if name in held])
    return f"No tokenizer file can hold {taken}. Retrain with {named(change)}, and you can save {files}."
