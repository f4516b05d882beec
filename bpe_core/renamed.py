"""Former public names, of version 1.0.0. They still work, with a warning, until version 2."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any


def former_names(what: str, names: Mapping[str, str]) -> Callable[[Any, str], Any]:
    """Return a `__getattr__` that looks up a class's former names. `names`: former name → present path.

    `what` names an object of the class in warnings and errors. Type checkers would take every name for an attribute of
    the class, so hide the assignment from type checkers (`if not TYPE_CHECKING`).

    >>> class Walk:
    ...     vocabulary = "the vocabulary"
    ...     __getattr__ = former_names("a walk", {"tokenizer": "vocabulary"})
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     Walk().tokenizer, str(caught[0].message)
    ('the vocabulary', "a walk's tokenizer is now its vocabulary")
    >>> Walk().text
    Traceback (most recent call last):
        ...
    AttributeError: a walk has no 'text'
    """

    def look_up(self: Any, name: str) -> Any:
        if name not in names:
            raise AttributeError(f"{what} has no {name!r}")
        now = "not public any more" if names[name].startswith("_") else f"now its {names[name]}"
        warnings.warn(f"{what}'s {name} is {now}", DeprecationWarning, stacklevel=2)
        return attrgetter(names[name])(self)

    return look_up
