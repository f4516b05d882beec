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

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

__version__ = "3.0.0"

# Modules that the documents of 2.0.0 imported from, and where their names are now.
_MOVED = {
    "bpe_core.counting.notations": "bpe_core.counting.other_notations",
    "bpe_core.counting.savings": "bpe_core.counting.own_tokens",
    "bpe_core.record.amounts": "bpe_core.record.enough_text",
    "bpe_core.sameness.same": "bpe_core.sameness.two_tokenizers",
    "bpe_core.text.alternatives": "bpe_core.text.pattern_parts",
    "bpe_core.tokenizer.cuts": "bpe_core.tokenizer.why_cut",
}


class _Moved:
    """Finds the modules in `_MOVED`, so that scripts which were written for 2.0.0 run."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        """Return how a module that has moved is made; None for any other."""
        return ModuleSpec(fullname, self) if fullname in _MOVED else None

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python make an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        """Fill it with what the new module has."""
        found = vars(import_module(_MOVED[module.__name__]))
        vars(module).update({name: value for name, value in found.items() if not name.startswith("__")})


sys.meta_path.append(_Moved())


@cache
def _lazy() -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    from bpe_core.lazy_names import lazy_names  # imported late, since `import bpe_core` alone loads nothing

    return lazy_names(globals())


def __getattr__(name: str) -> object:
    """Import a name or a module when it is first used."""
    names, found, _ = _lazy()
    return names if name == "__all__" else found(name)


def __dir__() -> list[str]:
    """Return all names and modules, imported or not."""
    return _lazy()[2]()
