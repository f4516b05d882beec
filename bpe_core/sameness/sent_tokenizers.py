"""Comparing tokenizers of unknown origin in a process of its own: what is sent there, and what it does.

A file that is opened for a visitor has its library in another process. The process that compares needs both libraries,
so it gets the files and opens them again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bpe_core.files import load, loads
from bpe_core.files.format import FormatError
from bpe_core.files.reading import gc_paused
from bpe_core.files.safely import GivenFiles, files_of
from bpe_core.sameness.composition import Composition
from bpe_core.sameness.same import Sameness, sameness
from bpe_core.tokenizer.tokenizer import Tokenizer


class Sent(NamedTuple):
    """A tokenizer that another process can have: its name, its files, or itself if it needs no library.

    `template`: its chat template; "" if there is none, or none is known.
    """

    tokenizer: str | GivenFiles | Tokenizer
    template: str = ""


def sent(tokenizer: Tokenizer, template: str = "") -> Sent:
    """Return a tokenizer as it can be sent.

    >>> from bpe_core import load
    >>> sent(load("gpt2")).tokenizer == load("gpt2")
    True
    """
    return Sent(files_of(tokenizer) or tokenizer, template)


def sameness_of(
    one: Sent, other: Sent, seconds: float, *, progress: Callable[[str, int, int], None] | None = None
) -> Sameness:
    """Compare two tokenizers: see `same`. Every error becomes a `FormatError`: a library's may not be picklable.

    >>> found = sameness_of(Sent("gpt2"), Sent("p50k_base"), 10.0)
    >>> found.text, found.one_ids
    ('  ', (220, 220))
    """
    try:
        with gc_paused():
            sides = _composition(one), _composition(other)
        return sameness(*sides, seconds, progress)
    except MemoryError:
        raise
    except Exception as error:
        raise FormatError(str(error) or type(error).__name__) from None


def _composition(given: Sent) -> Composition:
    match given.tokenizer:
        case str() as name:
            return Composition(load(name), given.template)
        case GivenFiles() as files:
            return Composition(loads(*files), given.template)
        case tokenizer:
            return Composition(tokenizer, given.template)
