"""The names of a package that imports each when it is first used. Its `__init__.pyi` says where each is."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
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

    All names and modules are listed, imported or not, so that `help` and editors show them. A module of the package can
    be used without an import of its own.

    >>> from bpe_core import files
    >>> "save" in dir(files), files.hub.__name__
    (True, 'bpe_core.files.hub')
    """
    package, homes = namespace["__name__"], homes_of(namespace["__spec__"])

    def found(name: str) -> object:
        if name in homes:
            namespace[name] = getattr(import_module(homes[name]), name)
            return namespace[name]
        if name.startswith("_") or not find_spec(f"{package}.{name}"):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(f"{package}.{name}")

    def listed() -> list[str]:
        from pkgutil import iter_modules  # imported late, since few ask for the list

        return sorted({*namespace, *homes, *(module.name for module in iter_modules(namespace["__path__"]))})

    return sorted(homes), found, listed
