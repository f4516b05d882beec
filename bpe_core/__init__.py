"""Byte-pair encoding, recorded: train once, look at any step.

>>> from bpe_core import Settings, train
>>> run = train("low low low lower", Settings(pretokenizer="whitespace", vocab_size=258))
>>> [merge.token for merge in run.merges]
[b'lo', b'low']
>>> run.tokenizer().encode("slow").tokens
(b's', b'low')

A name is imported when it is first used, so `import bpe_core` alone loads nothing. Thus a command can be ready for
Ctrl-C before the libraries load (see `cli`).
"""

from functools import cache
from importlib import import_module
from re import MULTILINE, findall

__version__ = "2.0.0"

# After `import bpe_core` alone, these folders and modules can be used as well: `bpe_core.files.save`.
_CHAPTERS = (
    "chat",
    "corpus",
    "counting",
    "files",
    "pictures",
    "record",
    "settings",
    "text",
    "ties",
    "tokenizer",
    "training",
)


@cache
def _homes() -> dict[str, str]:
    """Return the module of each name, as `__init__.pyi` says it.

    >>> _homes()["train"]
    'bpe_core.record.run_training'
    """
    stub = __spec__.loader.get_data(__file__ + "i").decode()
    return {name: module for module, name in findall(r"^from (\S+) import (\S+) as \2$", stub, MULTILINE)}


def __getattr__(name: str) -> object:
    """Import a name or a folder when it is first used."""
    if name == "__all__":
        return sorted(_homes())
    if name in _CHAPTERS:
        return import_module(f"bpe_core.{name}")
    if name not in _homes():
        raise AttributeError(f"module 'bpe_core' has no attribute {name!r}")
    found = getattr(import_module(_homes()[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return all names, imported or not."""
    return sorted({*globals(), *_homes(), *_CHAPTERS})
