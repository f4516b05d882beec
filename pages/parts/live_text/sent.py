"""What a component has sent: it comes from a browser, so nothing is sure about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def part(sent: Any, name: str) -> Mapping[str, Any]:
    """Return the mapping that was sent under a name; an empty one if there is none.

    >>> part({"typed": {"number": 7}}, "typed"), part({"typed": 7}, "typed"), part(None, "typed")
    ({'number': 7}, {}, {})
    """
    found = sent.get(name) if isinstance(sent, Mapping) else None
    return found if isinstance(found, Mapping) else {}
