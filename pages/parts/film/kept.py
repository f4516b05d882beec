"""What was worked out for a run or a tokenizer, kept as long as that is, for all who look at it."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeVar
from weakref import WeakKeyDictionary

MOST_BYTES = 4 << 20  # of a run or a tokenizer; a chunk of frames has some 10 kB, and is ten times as large unpacked
_kept: WeakKeyDictionary[object, OrderedDict[Hashable, bytes]] = WeakKeyDictionary()
_lock = Lock()
Made = TypeVar("Made")


def kept(owner: object, name: Hashable, make: Callable[[], Made]) -> Made:
    """What `make` gives, made once an owner and name. What is longest unused makes room."""
    with _lock:
        things = _kept.setdefault(owner, OrderedDict())
        packed = things.get(name)
        if packed:
            things.move_to_end(name)
    if packed:
        return pickle.loads(packed)
    made = make()
    packed = pickle.dumps(made)
    with _lock:
        things[name] = packed
        while len(things) > 1 and sum(map(len, things.values())) > MOST_BYTES:
            things.popitem(last=False)
    return made
