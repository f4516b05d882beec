"""How many bytes objects take with all that they contain: caches are limited by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import is_dataclass
from sys import getsizeof

import numpy as np

ARRAY_HEAD = 112  # bytes of an array besides its numbers
_PLAIN = frozenset({int, str, bytes, float, bool})  # types of objects without contents


def held_bytes(*things: object, apart: Iterable[object] = ()) -> int:
    """Return how many bytes some objects take with their contents; an object that several contain counts once.

    `apart`: objects that do not count. Their contents count only if another object contains them as well.

    Contents are the items of tuples, lists and dictionaries, and the attributes of dataclasses, cached ones included.

    >>> held_bytes(np.zeros(1000)) - ARRAY_HEAD
    8000
    >>> word = "w" * 1000
    >>> held_bytes((word, word)) < 1200
    True
    """
    size, rest = 0, list(things)
    seen = {id(each) for each in apart}
    while rest:
        thing = rest.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        size += thing.nbytes + ARRAY_HEAD if isinstance(thing, np.ndarray) else getsizeof(thing)
        if type(thing) in _PLAIN:  # nearly all of them
            continue
        if isinstance(thing, (tuple, list)):
            rest += thing
        elif isinstance(thing, dict):
            rest += [*thing.keys(), *thing.values()]
        elif is_dataclass(thing) and not isinstance(thing, type):
            rest.append(vars(thing))
    return size
