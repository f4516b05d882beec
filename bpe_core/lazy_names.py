"""The names of a package that imports each when it is first used. Its `__init__.pyi` says where each is."""

from collections.abc import Callable
from importlib import import_module
from re import MULTILINE, findall
from typing import Any


def homes_of(spec: Any) -> dict[str, str]:
    """Return the module of each name of a package, as its `__init__.pyi` says it. `spec`: the package's `__spec__`.

    >>> import bpe_core
    >>> homes_of(bpe_core.__spec__)["train"]
    'bpe_core.record.run_training'
    """
    stub = spec.loader.get_data(spec.origin + "i").decode()
    return {name: module for module, name in findall(r"^from (\S+) import (\S+) as \2$", stub, MULTILINE)}


def lazy_names(namespace: dict[str, Any]) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return what a package calls `__all__`, `__getattr__` and `__dir__`. `namespace`: its `globals()`.

    All names are listed, imported or not, so that `help` shows them.

    >>> from bpe_core import files
    >>> "save" in dir(files)
    True
    """
    package, homes = namespace["__name__"], homes_of(namespace["__spec__"])

    def found(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return sorted(homes), found, lambda: sorted({*namespace, *homes})
