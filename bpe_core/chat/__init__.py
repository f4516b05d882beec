"""Chat: from the turns of a chat to the tokens that a model is given.

A name is imported when it is first used, since a template's process has a home here too, and needs none of them.
"""

from importlib import import_module
from re import MULTILINE, findall

_STUB = __spec__.loader.get_data(__file__ + "i").decode()  # says each name's module, as that of `bpe_core` does
_HOMES = {name: module for module, name in findall(r"^from (\S+) import (\S+) as \2$", _STUB, MULTILINE)}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Import a name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'bpe_core.chat' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
