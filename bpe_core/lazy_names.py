"""The names of a package that imports each when it is first used. Its `__init__.pyi` says where each is."""

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
