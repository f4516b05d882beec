"""Tokenizers as files: loading and saving them. Each format is a module, and a row of `opening.ALL_FORMATS`.

A name is imported when it is first used, since `load("gpt2")` needs no format.
"""

from bpe_core.lazy_names import lazy_names

__all__, __getattr__, __dir__ = lazy_names(globals())
