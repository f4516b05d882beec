"""The presets of the Train page: settings that train as a known tokenizer does. And the word marker of a split."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from bpe_core import PRETOKENIZERS
from bpe_core.settings import BYTE_SYMBOLS, WordMarker
from pages.parts.session.page_states import Train


class Preset(NamedTuple):
    """Settings that train as a known tokenizer does. `about`: what they are, and what that tokenizer does besides."""

    title: str
    about: str
    settings: Mapping[str, Any]


def _preset(title: str, about: str, *, normalizers: tuple[str, ...] = (), **settings: str) -> Preset:
    return Preset(title, about, {**settings, "normalizers": normalizers})


# Every row has the same settings. The others, such as the vocabulary size, belong to the text.
PRESETS = {
    "gpt2": _preset(
        "GPT-2",
        "GPT-2's split, bytes, no marker; how GPT-2 broke ties was not published.",
        pretokenizer="gpt2",
        alphabet="bytes",
        word_marker="none",
        tie_rule="first-seen",
    ),
    "sentencepiece": _preset(
        "SentencePiece",
        "NFKC, a split before every space, characters. It also puts a space before the text, and has its own tie rule.",
        pretokenizer="metaspace",
        alphabet="characters",
        word_marker="none",
        tie_rule="first-seen",
        normalizers=("nfkc",),
    ),
    "paper": _preset(
        "Sennrich et al.",
        "The paper of 2016: words, characters, a mark at the end of every word.",
        pretokenizer="whitespace",
        alphabet="characters",
        word_marker="end",
        tie_rule="first-seen",
    ),
    "selene": _preset(
        "SELENE notebook",
        "As Sennrich et al.; ties by a list in which changed words move to the end.",
        pretokenizer="whitespace",
        alphabet="characters",
        word_marker="end",
        tie_rule="corpus-order",
    ),
}
OWN_SETTINGS = "These settings are your own."
BERT = "BERT splits like this, and learns its tokens by WordPiece: see Algorithms."
MARKED_TWICE = "This split keeps spaces, so that a word marker marks every word twice."


def preset_of(now: Train) -> str:
    """Return the key of the preset that the page's settings equal; "" for none.

    >>> preset_of(Train()), preset_of(Train(alphabet="bytes"))
    ('paper', '')
    """
    return next(
        (
            key
            for key, row in PRESETS.items()
            if all(getattr(now, name) == value for name, value in row.settings.items())
        ),
        "",
    )


def with_preset(now: Train, key: str) -> Train:
    """Return the state with a preset's settings. A vocabulary that is too small for them gets the page's size.

    >>> with_preset(Train(vocab_size=20), "gpt2").vocab_size
    1000
    """
    changed: dict[str, Any] = {**PRESETS[key].settings, "marker_chosen": False}
    least = BYTE_SYMBOLS + len(now.special_tokens)
    if changed["alphabet"] == "bytes" and now.vocab_size <= least:
        changed["vocab_size"] = max(Train().vocab_size, least + 1)
    return replace(now, **changed)


def suitable_marker(pretokenizer: str) -> WordMarker:
    """Return the word marker for a split: none if the split keeps spaces, which mark words already.

    >>> suitable_marker("gpt2"), suitable_marker("whitespace"), suitable_marker("custom")
    ('none', 'end', 'end')
    """
    row = PRETOKENIZERS.get(pretokenizer)
    return "none" if row and row.lossless else Train().word_marker


def with_suitable_marker(now: Train) -> Train:
    """Return the state with the word marker for its split, unless the visitor chose the marker."""
    return now if now.marker_chosen else replace(now, word_marker=suitable_marker(now.pretokenizer))


def without_marker(now: Train) -> Train:
    """Return the state without a word marker."""
    return replace(now, word_marker="none", marker_chosen=False)


def marks_twice(now: Train) -> bool:
    """Return whether a word marker stands beside spaces that the split keeps."""
    return now.word_marker != "none" and suitable_marker(now.pretokenizer) == "none"


def about(now: Train) -> str:
    """Return a sentence about the page's settings.

    >>> about(Train(pretokenizer="bert"))
    'BERT splits like this, and learns its tokens by WordPiece: see Algorithms.'
    """
    if marks_twice(now):
        return MARKED_TWICE
    if key := preset_of(now):
        return PRESETS[key].about
    return BERT if now.pretokenizer == "bert" else OWN_SETTINGS
