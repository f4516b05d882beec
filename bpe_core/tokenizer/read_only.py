"""Dictionaries that nobody can change. Tokenizers are shared, and so are the dictionaries in their fields."""

from __future__ import annotations

from typing import NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class ReadOnly(dict[K, V]):
    """A dictionary that cannot be changed, but its copy `dict(…)` can. Unlike a `MappingProxyType`, it can be pickled.

    >>> ReadOnly({"<s>": 1})["<s>"]
    1
    >>> ReadOnly({"<s>": 1})["</s>"] = 2
    Traceback (most recent call last):
        ...
    TypeError: this belongs to a tokenizer, which others may use: change a copy of it, dict(…)
    """

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this belongs to a tokenizer, which others may use: change a copy of it, dict(…)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[ReadOnly[K, V]], tuple[dict[K, V]]]:
        """Pickle and copy the dictionary as a whole. By default its entries would be set one by one: an error."""
        return type(self), (dict(self),)
