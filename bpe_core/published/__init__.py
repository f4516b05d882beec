"""Vocabularies that others have published, as tokenizers.

GPT-2's ships with the project and needs no network. The others are fetched by tiktoken, where it is installed and can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bpe_core.published.errors import PublishedError
from bpe_core.published.gpt2 import load_gpt2
from bpe_core.published.openai import fetch
from bpe_core.tokenizer.tokenizer import Tokenizer

__all__ = ["PUBLISHED", "Published", "PublishedError"]


@dataclass(frozen=True)
class Published:
    """A vocabulary by its name on the screen; `load()` gives the tokenizer or raises `PublishedError`."""

    title: str
    about: str
    load: Callable[[], Tokenizer]
    offline: bool = False


PUBLISHED: dict[str, Published] = {
    "gpt2": Published("GPT-2", "GPT-2's vocabulary of 2019", load_gpt2, offline=True),
    "p50k_base": Published("p50k_base (Codex)", "Codex's vocabulary", partial(fetch, "p50k_base", "gpt2")),
    "cl100k_base": Published(
        "cl100k_base (GPT-4)", "the vocabulary of GPT-3.5 and GPT-4", partial(fetch, "cl100k_base", "cl100k")
    ),
    "o200k_base": Published("o200k_base (GPT-4o)", "the vocabulary of GPT-4o", partial(fetch, "o200k_base", "o200k")),
}
