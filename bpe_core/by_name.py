"""Tokenizers by name or of files: what the core asks of the later chapters that load them.

A training may start from "gpt2" or "mine.json", and `trim` takes such names too. The core has no names and no files of
its own. Each function imports the chapter that has them when it is called (`tests/test_imports.py`).
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bpe_core.published import Published
    from bpe_core.record.run import Run
    from bpe_core.tokenizer.tokenizer import Tokenizer

GivenTokenizer: TypeAlias = "Tokenizer | Run | str | PathLike[str]"
"""What a caller gives where a tokenizer is wanted: see `files.opened`."""


def opened(tokenizer: GivenTokenizer) -> Tokenizer:
    """Return a tokenizer, or that of a run, or load it by its name or path (see `files.opened`)."""
    from bpe_core import files

    return files.opened(tokenizer)


def opened_beside(tokenizer: GivenTokenizer, other: object, order: str) -> Tokenizer:
    """Return a tokenizer as `opened` does; where it was swapped with `other`, the error says the order of a call."""
    from bpe_core import files

    return files.opened_beside(tokenizer, other, order)


def published(name: str) -> Published | None:
    """Return the row of the vocabulary of this name that ships with the project, or None."""
    from bpe_core.published import named

    return named(name)


def name_of(tokenizer: Tokenizer) -> str | None:
    """Return the key in `PUBLISHED` of a tokenizer that was loaded by its name; None for any other."""
    from bpe_core import published

    return published.name_of(tokenizer)


def with_merges(tokenizer: Tokenizer) -> Tokenizer:
    """Return our own tokenizer with the same ids, and with merges; `MergesError` says what prevents that."""
    from bpe_core.files import conversion

    return conversion.with_merges(tokenizer)


def trimmed_file(tokenizer: Tokenizer, ids: Mapping[int, int]) -> Tokenizer:
    """Return the tokenizer of a file with the tokens in `ids` alone; `ids`: old id → new id."""
    from bpe_core.files import conversion

    return conversion.trimmed_file(tokenizer, ids)
