"""Data in YAML, read so that it stays what is written: of anything else than JSON has, the text stays.

    size: 3          3                    a number as JSON writes it
    date: 2024-01-02 "2024-01-02"         YAML's older versions would make a date of it, and 750 of 12:30
    on: yes          {"on": "yes"}        and true of "on" and "yes"

References to other places (`&name`, `*name`), tags and several documents are refused, and so is what is nested deeply:
nine lines of references can stand for a billion values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bpe_core.counting.found_files import FoundFileError
from bpe_core.extras import needed
from bpe_core.text.encodings import without_mark

LONGEST = 1_000_000  # characters
MOST_DEPTH = 60  # of lists and objects in each other
MOST_EVENTS = 400_000
MOST_DIGITS = 300
_NULL, _BOOL = ("", "~", "null"), {"true": True, "false": False}
_TOO_DEEP = f"it is nested more than {MOST_DEPTH} deep"
_BRACKET = re.compile(r"[\[\]{}]")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")


def read_yaml(text: str) -> object:
    """Return the data in a text of YAML; `FoundFileError` if it cannot be read, or is refused: see above.

    >>> read_yaml("size: 3\\nday: 2024-01-02\\nnames: [Ada, on]")
    {'size': 3, 'day': '2024-01-02', 'names': ['Ada', 'on']}
    """
    with needed("files", "YAML"):
        import yaml
    if len(text) > LONGEST:
        raise FoundFileError(f"it has more than {LONGEST:,} characters of YAML")
    _check_brackets(text)
    try:
        return _value(yaml.parse(without_mark(text), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise FoundFileError(f"it is no YAML that can be read: {' '.join(str(error).split())[:100]}") from None


def _check_brackets(text: str) -> None:
    """Raise `FoundFileError` for brackets that are nested deeply: the parser would take minutes before it says so."""
    depth = 0
    for found in _BRACKET.finditer(text):
        depth = depth + 1 if found[0] in "[{" else max(depth - 1, 0)
        if depth > MOST_DEPTH:
            raise FoundFileError(_TOO_DEEP)


def _value(events: Iterable[Any]) -> object:
    """Return the value that the parser's events write. No function calls itself, so that no depth ends the process."""
    import yaml

    found: list[object] = []
    inside: list[tuple[bool, list[object]]] = [(False, found)]  # is it an object, and what it has so far
    for number, event in enumerate(events):
        if isinstance(event, yaml.DocumentStartEvent) and found:
            raise ValueError("it has several documents")
        if getattr(event, "anchor", None) or getattr(event, "tag", None):
            raise ValueError("it has references or tags")
        if isinstance(event, yaml.ScalarEvent):
            inside[-1][1].append(_plain(event.value) if event.implicit[0] else event.value)
        elif isinstance(event, yaml.CollectionStartEvent):
            inside.append((isinstance(event, yaml.MappingStartEvent), []))
        elif isinstance(event, yaml.CollectionEndEvent):
            is_object, inner = inside.pop()
            inside[-1][1].append(_object(inner) if is_object else inner)
        if len(inside) > MOST_DEPTH or number > MOST_EVENTS:
            raise ValueError(_TOO_DEEP if len(inside) > MOST_DEPTH else f"it has more than {MOST_EVENTS:,} values")
    if not found:
        raise ValueError("there is nothing in it")
    return found[0]


def _object(inner: list[object]) -> dict[str, object]:
    """Return an object of its names and values in turn. A name is a text, as in JSON."""
    names = [name if isinstance(name, str) else _written(name) for name in inner[::2]]
    if len({*names}) < len(names):
        raise ValueError("it has a name twice in one object")
    return dict(zip(names, inner[1::2], strict=True))


def _written(name: object) -> str:
    """Return the name of a value as YAML writes it, such as 3 or true."""
    if isinstance(name, (list, dict)):
        raise ValueError("a list is the name of a value")
    return "null" if name is None else str(name).lower()


def _plain(text: str) -> object:
    """Return the value of a text without quotes."""
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    number = _NUMBER.fullmatch(text) if len(text) <= MOST_DIGITS else None
    if not number:
        return text
    value = float(text) if number[2] else int(text)
    return value if str(value) == text else text
