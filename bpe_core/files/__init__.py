"""Tokenizers as files: loading and saving them. Each format is a module, and a row of `opening.ALL_FORMATS`.

A name is imported when it is first used, since `load("gpt2")` needs no format.
"""

from importlib import import_module

from bpe_core.lazy_names import homes_of

_HOMES = homes_of(__spec__)
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Import a name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'bpe_core.files' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Return all names, imported or not, so that `help` lists them."""
    return sorted({*globals(), *_HOMES})
