"""A cache per run, shared by all visitors, gone with the run."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeVar
from weakref import WeakKeyDictionary

from bpe_core import Run

MOST = 256  # things of a run: a chunk of frames has about 30 kB
_kept: WeakKeyDictionary[Run, OrderedDict[Hashable, object]] = WeakKeyDictionary()
_lock = Lock()
Made = TypeVar("Made")


def kept(run: Run, name: Hashable, make: Callable[[], Made]) -> Made:
    """What `make` gives, made once a run and name; of more than `MOST` names the oldest is forgotten."""
    with _lock:
        things = _kept.setdefault(run, OrderedDict())
        if name in things:
            return things[name]
    made = make()
    with _lock:
        things[name] = made
        while len(things) > MOST:
            things.popitem(last=False)
    return made
