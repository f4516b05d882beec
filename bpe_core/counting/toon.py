"""Data as TOON, Token-Oriented Object Notation: objects by indentation, and like objects as a table.

    users[2]{id,name}:          a list of objects with the same keys: the keys once, then a row for each
      1,Ada
      2,"Grace, née Murray"
    tags[2]: new,open           a list of plain values
    prices[2:]{net,tax}:        an object of such objects: each row begins with its key
      book: 10,0.7
      pen: 2,0.38
    sizes[2]:                   any other list
      - 3
      - width: 4

The rules are those of version 4.4 of the specification, https://github.com/toon-format/spec. Two spaces indent, and a
comma is the delimiter. Data is what `json.loads` returns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_LIKE_A_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_SPECIAL = re.compile(r'[\x00-\x1f:"\\\[\]{},]|^[-# ]| \Z')
_CONTROL = re.compile(r"[\x00-\x1f]")
_STEP = "  "
_Fields = dict[str, "_Fields | None"]  # the keys of a table; None for a column, or the keys of the objects in it


def toon(data: object) -> str:
    """Return data as TOON.

    >>> print(toon({"users": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "no: 7"}], "open": True}))
    users[2]{id,name}:
      1,Ada
      2,"no: 7"
    open: true
    """
    return "\n".join(_lines("", data, ""))


def _lines(name: str, value: object, indent: str) -> Iterator[str]:
    """Yield the lines of a named value; "" is the name of the whole data."""
    if isinstance(value, dict):
        fields = _fields([*value.values()]) if len(value) > 1 else None
        if fields:
            yield f"{indent}{name}[{len(value)}:]{_header(fields)}:"
            yield from (f"{indent}{_STEP}{_key(key)}: {_row(each, fields)}" for key, each in value.items())
            return
        if name:
            yield f"{indent}{name}:"
            indent += _STEP
        for key, each in value.items():
            yield from _lines(_key(key), each, indent)
    elif isinstance(value, list):
        fields = _fields(value)
        if fields:
            yield f"{indent}{name}[{len(value)}]{_header(fields)}:"
            yield from (f"{indent}{_STEP}{_row(each, fields)}" for each in value)
        elif value:
            yield from _list(name, value, indent)
        else:
            yield f"{indent}{name}: []" if name else "[]"
    else:
        yield f"{indent}{name}: {_plain(value)}" if name else _plain(value)


def _list(name: str, values: Sequence[object], indent: str) -> Iterator[str]:
    """Yield the lines of a list that is no table."""
    head = f"{indent}{name}[{len(values)}]:"
    if not any(isinstance(each, (dict, list)) for each in values):
        yield f"{head} {','.join(map(_plain, values))}".rstrip(" ")
        return
    yield head
    for each in values:
        yield from _item(each, indent + _STEP)


def _item(value: object, indent: str) -> Iterator[str]:
    """Yield the lines of an item of a list. The hyphen takes the place of the first line's indentation."""
    if isinstance(value, dict):
        inside = indent + _STEP
        fields = (line for key, each in value.items() for line in _lines(_key(key), each, inside))
        yield f"{indent}- {next(fields)[len(inside) :]}" if value else f"{indent}-"
        yield from fields
    elif isinstance(value, list):
        lines = _list("", value, indent)
        yield f"{indent}- {next(lines)[len(indent) :]}"
        yield from lines
    else:
        yield f"{indent}- {_plain(value)}"


def _fields(values: Sequence[object]) -> _Fields | None:
    """Return the keys of objects that make a table; None if they make none."""
    objects = [each for each in values if isinstance(each, dict) and each]
    if not objects or len(objects) < len(values) or any(each.keys() != objects[0].keys() for each in objects):
        return None
    found: _Fields = {}
    for key in objects[0]:
        column = [each[key] for each in objects]
        found[key] = None
        if any(isinstance(each, (dict, list)) for each in column):
            found[key] = _fields(column)
            if found[key] is None:
                return None
    return found


def _header(fields: _Fields) -> str:
    names = (_key(key) + (_header(inner) if inner else "") for key, inner in fields.items())
    return "{" + ",".join(names) + "}"


def _row(value: dict[str, object], fields: _Fields) -> str:
    cells = (_row(value[key], inner) if inner else _plain(value[key]) for key, inner in fields.items())  # type: ignore[arg-type]
    return ",".join(cells)


def _key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else _quoted(key)


def _plain(value: object) -> str:
    if isinstance(value, str):
        return _quoted(value) if _needs_quotes(value) else value
    return _number(value) if isinstance(value, float) else json.dumps(value)


def _needs_quotes(text: str) -> bool:
    return (
        text in ("", "true", "false", "null")
        or _SPECIAL.search(text) is not None
        or _LIKE_A_NUMBER.fullmatch(text) is not None
    )


def _quoted(text: str) -> str:
    r"""Return a text in quotes.

    >>> print(_quoted('a "b"\n\0'))
    "a \"b\"\n\u0000"
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _CONTROL.sub(_escaped, escaped) + '"'


def _escaped(found: re.Match[str]) -> str:
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(found[0], f"\\u{ord(found[0]):04x}")


def _number(value: float) -> str:
    """Return a number without an exponent, unless it is very large or very small.

    >>> _number(1e6), _number(1.50), _number(-0.0), _number(1e-7), _number(0.00001)
    ('1000000', '1.5', '0', '1e-7', '0.00001')
    """
    if value and not 1e-6 <= abs(value) < 1e21:
        return re.sub(r"e([+-])0", r"e\1", repr(value))
    text = format(Decimal(repr(value)), "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text) if value else "0"
