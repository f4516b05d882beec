"""A cache of values that belong to a run or a tokenizer. A value is computed once, and dropped with its owner."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeVar
from weakref import WeakKeyDictionary

MOST_BYTES = 4 << 20  # of all pickled values of an owner; a chunk of frames takes 10 kB pickled, 100 kB in memory
_values: WeakKeyDictionary[object, OrderedDict[Hashable, bytes]] = WeakKeyDictionary()
_lock = Lock()
Value = TypeVar("Value")


def cached(owner: object, name: Hashable, make: Callable[[], Value]) -> Value:
    """Return the value of `make()`, computed once for each owner and name.

    The least recently used values of an owner are dropped when all its values together exceed `MOST_BYTES`.

    >>> class Owner: ...
    >>> owner = Owner()
    >>> cached(owner, "squares", lambda: [1, 4]), cached(owner, "squares", lambda: [])
    ([1, 4], [1, 4])
    """
    with _lock:
        values = _values.setdefault(owner, OrderedDict())
        pickled = values.get(name)
        if pickled:
            values.move_to_end(name)
    if pickled:
        found: Value = pickle.loads(pickled)
        return found
    made = make()
    pickled = pickle.dumps(made)
    with _lock:
        values[name] = pickled
        while len(values) > 1 and sum(map(len, values.values())) > MOST_BYTES:
            values.popitem(last=False)
    return made
