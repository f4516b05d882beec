"""A live view's request, read from the browser's messages; `channel.js` draws how requests and answers alternate."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

Version = int | str  # changes each time the view's source (the server, or a saved page) sets what the view shows
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Request(NamedTuple):
    """A view's message to its source (the server, or a saved page): the reader's choice.

    `number`: rises with each request; the answer repeats it as `answered`. `version`: the version of the last answer
    that the view adopted. `choice`: the values that a reader chose in the view, by name.
    """

    number: int = 0
    version: Version | None = None
    choice: Mapping[str, Any] = _NOTHING

    def chosen(self, version: Version) -> Mapping[str, Any]:
        """Return what the reader chose while the view showed `version`; an empty mapping for another version.

        A choice made in another version no longer counts, since the source has set the view after that choice.

        >>> request = Request(7, 2, {"text": "typed"})
        >>> request.chosen(2), dict(request.chosen(3))
        ({'text': 'typed'}, {})
        """
        return self.choice if self.version == version else _NOTHING


def read_request(messages: Any) -> Request:
    """Return the request among the messages of a view. A field of a wrong type gets its default.

    >>> read_request({"request": {"number": 7, "version": 2, "choice": {"step": 3}}})
    Request(number=7, version=2, choice={'step': 3})
    >>> read_request({"request": {"number": "7", "choice": []}}) == read_request(None) == Request()
    True
    """
    sent = messages.get("request") if isinstance(messages, Mapping) else None
    if not isinstance(sent, Mapping):
        return Request()
    number, version, choice = (sent.get(name) for name in Request._fields)
    return Request(
        number if type(number) is int else 0,
        version if type(version) in (int, str) else None,
        choice if isinstance(choice, Mapping) else _NOTHING,
    )
