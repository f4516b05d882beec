"""The same data in other notations: how many tokens each takes, and which keys cost the most.

    a file      {"users": [{"id": 1, "name": "Ada"}, …]}        .json, .jsonl, .csv, .tsv or .yaml
    data        what `json.loads` returns; a table is a list of objects
    texts       the data as indented JSON, as JSON without spaces, as YAML, as CSV and as TOON
    keys        users, users.id, users.name: each token of the JSON without spaces belongs to the key where it begins

A CSV cell in the form of a JSON number counts as a number. Only the beginning of a long list is compared.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from itertools import accumulate
from math import isinf
from os import PathLike
from typing import NamedTuple

import numpy as np

from bpe_core import arguments, files, shortcuts
from bpe_core.by_name import GivenTokenizer
from bpe_core.counting.file_rows import refuse_constant, rows, table_records
from bpe_core.counting.found_files import Found, FoundFile, FoundFileError, LeftOut, in_paths
from bpe_core.counting.table_records import DELIMITERS, LONGEST
from bpe_core.counting.toon import toon
from bpe_core.counting.yaml_text import read_yaml
from bpe_core.extras import needed
from bpe_core.text.encodings import without_mark
from bpe_core.text.in_words import counted, listed, percent
from bpe_core.tokenizer.tokenizer import Tokenizer

MOST_CHARACTERS = 1_000_000  # in the JSON without spaces
TOO_DEEP = "its lists and objects are nested too deeply"
LINES, TABLES = (".jsonl", ".ndjson"), tuple(DELIMITERS)
YAML = (".yaml", ".yml")
ENDINGS = (".json", *LINES, *TABLES, *YAML)
NO_TABLE = "the data is no list of objects that have the same keys and plain values"
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")


class KeyCost(NamedTuple):
    """What a key costs. `key`: with the keys of the objects around it; "" for what stands around all of them.

    `tokens`: how many the key's name and its plain values take each time. `of_name`: the tokens that write the name.
    """

    key: str
    tokens: int
    of_name: int
    times: int


@dataclass(frozen=True)
class Notations:
    """The tokens of the same data in several notations.

    `tokens`: notation → how many tokens. `missing`: notation → why it cannot write this data. `keys`: the dearest
    first, in JSON without spaces; their tokens add up to its tokens. `cut`: how many elements of a longer list were
    compared; None for all data.
    """

    tokens: Mapping[str, int]
    missing: Mapping[str, str]
    keys: tuple[KeyCost, ...]
    cut: int | None

    _repr_html_ = shortcuts.in_notebook

    def __repr__(self) -> str:
        """Return the shortest notation; the keys are too many to print."""
        return f"<Notations: {self.summary}>"

    @property
    def summary(self) -> str:
        """Which notation has the fewest tokens, and how many fewer than the one with the most."""
        return self.fewest(f"of the first {counted(self.cut, 'record')} " if self.cut else "")

    def fewest(self, of: str) -> str:
        """Return the fewest tokens, their notation, and how many fewer than the most. `of`: words about the tokens."""
        least, most = (choose(self.tokens, key=lambda name: self.tokens[name]) for choose in (min, max))
        needed, needed_most = self.tokens[least], self.tokens[most]
        if needed == needed_most:
            return f"{counted(needed, 'token')} {of}in each notation"
        less = percent(needed_most - needed, needed_most)
        return f"{counted(needed, 'token')} {of}as {least}, {less} fewer than as {most}"


def notations(found_file: Found | str | PathLike[str], tokenizer: GivenTokenizer) -> Notations:
    """Return the tokens of a file's data in each notation. Raises `FoundFileError` and `OSError`.

    `found_file`: the path of a `.json`, `.jsonl`, `.ndjson`, `.csv`, `.tsv`, `.tab`, `.yaml` or `.yml`, or what
    `counting.found_files.in_memory` found. `tokenizer`: a tokenizer, or what
    `load` takes.

    >>> from bpe_core import load
    >>> from bpe_core.counting.found_files import in_memory
    >>> (file,) = in_memory([("dogs.csv", b"name,age\\nRex,3\\nBella,5\\nMax,4\\n")])
    >>> found = notations(file, load("gpt-4o"))
    >>> found.tokens
    {'JSON, indented': 57, 'JSON without spaces': 27, 'YAML': 32, 'CSV': 16, 'TOON': 22}
    >>> found.keys[0]
    KeyCost(key='name', tokens=13, of_name=6, times=3)
    """
    tokenizer = files.opened_beside(tokenizer, found_file, "notations(file, tokenizer)")
    file = _file(found_file)
    try:
        data, cut = read(file)
        texts = _texts(data)
    except FoundFileError as error:
        named = not isinstance(found_file, FoundFile)  # who has looked for files names them too
        raise FoundFileError(f"{file.name}: {error}" if named else str(error)) from None
    tokens = {name: tokenizer.count(text, specials=False) for name, text in texts.items() if text is not None}
    missing = {name: NO_TABLE for name, text in texts.items() if text is None}
    return Notations(tokens, missing, keys(data, tokenizer), cut)


def _texts(data: object) -> dict[str, str | None]:
    """Return the data in each notation; None for one that cannot write it."""
    try:
        texts = {name: write(data) for name, write in NOTATIONS.items()}
        "".join(filter(None, texts.values())).encode()
    except RecursionError:
        raise FoundFileError(TOO_DEEP) from None
    except UnicodeEncodeError:
        raise FoundFileError("it has half of a surrogate pair, which is no character") from None
    return texts


def _file(given: Found | str | PathLike[str]) -> FoundFile:
    """Return the file that a caller means. Raises `FoundFileError` for one that was left out."""
    found = given if isinstance(given, (FoundFile, LeftOut)) else next(in_paths(arguments.file_at(given)))
    if isinstance(found, LeftOut):
        raise FoundFileError(f"{found.name} is left out: {found.why}")
    return found


def read(found_file: FoundFile) -> tuple[object, int | None]:
    """Return the data of a file; if it is cut, also how many elements of its list are left. Raises `FoundFileError`."""
    if found_file.ending in LINES:
        return _first(json_value(line, row) for row, line in enumerate(_lines(found_file), 1) if line.strip())
    if found_file.ending in TABLES:
        return _first(_objects(found_file))
    text = next(_lines(found_file))
    try:
        data = read_yaml(text) if found_file.ending in YAML else json_value(text)
    except FoundFileError as error:
        other = "" if found_file.ending in ENDINGS else f"; a file of data ends in {listed(ENDINGS, 'or')}"
        raise FoundFileError(f"{error}{other}") from None
    if isinstance(data, list):
        return _first(iter(data))
    if len(compact_json(data)) > MOST_CHARACTERS:
        raise FoundFileError(f"its data has more than {MOST_CHARACTERS:,} characters, and is no list that could be cut")
    return data, None


def _lines(found_file: FoundFile) -> Iterator[str]:
    """Yield the lines of JSON lines, or a whole text."""
    parts: list[str] = []
    size = 0
    for part in rows(found_file):
        size += len(part.text)
        if size > LONGEST:
            raise FoundFileError(f"it has more than {LONGEST >> 20} MB of JSON in one piece")
        parts.append(part.text)
        if part.ends:
            yield "".join(parts)
            parts, size = [], 0


def json_value(text: str, row: int = 0) -> object:
    """Return the value in a text of JSON.

    Raises `FoundFileError` for a text that is none, a name that an object has twice, and a number that is too large.

    `row`: the number of a row of JSON lines, for the error.

    >>> json_value("[1 2]", 7)
    Traceback (most recent call last):
        ...
    bpe_core.counting.found_files.FoundFileError: it is no JSON: Expecting ',' delimiter (row 7, column 4)
    """
    try:
        data: object = json.loads(
            without_mark(text), parse_constant=refuse_constant, parse_float=_finite, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        place = f"row {row:,}" if row else f"line {error.lineno:,}"
        raise FoundFileError(f"it is no JSON: {error.msg} ({place}, column {error.colno:,})") from None
    except RecursionError:
        raise FoundFileError(TOO_DEEP) from None
    except FoundFileError:
        raise
    except ValueError as error:  # also Python's own, for a number of thousands of digits
        why = str(error) if len(str(error)) <= 100 else "a number has too many digits"
        raise FoundFileError(f"it is no JSON: {why}{f' (row {row:,})' if row else ''}") from None
    return data


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if (twice := arguments.twice_in(name for name, _ in pairs)) is not None:
        raise FoundFileError(f"it has the name “{twice[:40]}” twice in one object")
    return dict(pairs)


def _finite(written: str) -> float:
    if isinf(number := float(written)):
        raise ValueError(f"{written[:40]} is too large a number")
    return number


def _objects(found_file: FoundFile) -> Iterator[object]:
    """Yield each record of a table as an object."""
    records = table_records(found_file)
    names = next(records, [])
    if len(set(names)) < len(names):
        raise FoundFileError("two of its columns have the same name")
    for number, values in enumerate(records, 1):
        if len(values) != len(names):
            raise FoundFileError(f"row {number:,} has {len(values):,} values, and the header {len(names):,}")
        yield dict(zip(names, map(_cell, values), strict=True))


def _cell(text: str) -> object:
    if not _NUMBER.fullmatch(text) or len(text) > 300:
        return text
    value = json.loads(text)
    return value if json.dumps(value) == text else text


def _first(elements: Iterator[object]) -> tuple[list[object], int | None]:
    """Return the elements that have no more than `MOST_CHARACTERS` together, and how many they are if more follow."""
    found: list[object] = []
    size = 0
    for each in elements:
        size += len(compact_json(each)) + 1
        if size > MOST_CHARACTERS and found:
            return found, len(found)
        found.append(each)
    return found, None


def compact_json(data: object) -> str:
    """Return data as JSON without spaces."""
    try:
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        raise FoundFileError(TOO_DEEP) from None


def _indented_json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2)


def _yaml(data: object) -> str:
    with needed("files", "YAML"):
        import yaml
    # The faster writer of the same library writes no emoji but their numbers.
    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=float("inf"))
    return text.removesuffix("\n").removesuffix("\n...")


def _csv(data: object) -> str | None:
    """Return a list of objects as CSV, or None if it is no table. Nothing is written for `null`."""
    if not isinstance(data, list) or not data or not all(isinstance(each, dict) for each in data):
        return None
    names = data[0].keys()
    if not names or any(each.keys() != names for each in data):
        return None
    if any(isinstance(value, (dict, list)) for each in data for value in each.values()):
        return None
    return "\n".join(map(_csv_record, [names, *([_in_csv(each[name]) for name in names] for each in data)]))


def _csv_record(cells: Iterable[str]) -> str:
    """Return a record of a CSV, without a line end. A cell with either character of a line end is in quotes.

    >>> _csv_record(["a", "b\\r", ""])
    'a,"b\\r",'
    """
    record = StringIO(newline="")
    csv.writer(record, lineterminator="\r\n").writerow(cells)  # it quotes the characters of its own line end alone
    return record.getvalue().removesuffix("\r\n")


def _in_csv(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)


NOTATIONS: Mapping[str, Callable[[object], str | None]] = {
    "JSON, indented": _indented_json,
    "JSON without spaces": compact_json,
    "YAML": _yaml,
    "CSV": _csv,
    "TOON": toon,
}


class _JsonPart(NamedTuple):
    """A part of JSON without spaces. `is_name`: whether it writes the name of `key`, and not what belongs to it."""

    text: str
    key: str
    is_name: bool = False


def keys(data: object, tokenizer: Tokenizer) -> tuple[KeyCost, ...]:
    """Return what each key costs in JSON without spaces, the dearest first.

    A token belongs to the key in whose part it begins: `{"a":` and `1` in `{"a":1}` to `a`, or to what is around it.
    """
    pieces = [*pieces_of(data)]
    ends = np.fromiter(accumulate(len(piece.text) for piece in pieces), np.intp, len(pieces))
    spans = tokenizer.encode("".join(piece.text for piece in pieces), specials=False).spans
    starts = np.array([start for start, _ in spans], np.intp)
    counts = np.bincount(np.searchsorted(ends, starts, "right"), minlength=len(pieces)).tolist()
    costs: dict[str, list[int]] = {}
    for piece, count in zip(pieces, counts, strict=False):
        cost = costs.setdefault(piece.key, [0, 0, 0])
        cost[0] += count
        cost[1] += count * piece.is_name
        cost[2] += piece.is_name
    found = [KeyCost(key, *cost) for key, cost in costs.items()]
    return tuple(sorted(found, key=lambda cost: (-cost.tokens, cost.key)))


def pieces_of(data: object, key: str = "") -> Iterator[_JsonPart]:
    """Yield the parts of data as JSON without spaces.

    >>> [piece.text for piece in pieces_of({"a": [1, {"b": None}]})]
    ['{', '"a":', '[', '1', ',', '{', '"b":', 'null', '}', ']', '}']
    """
    if isinstance(data, dict):
        yield _JsonPart("{", key)
        for number, (name, value) in enumerate(data.items()):
            inner = f"{key}.{name}" if key else name
            yield _JsonPart(("," if number else "") + compact_json(name) + ":", inner, True)
            yield from pieces_of(value, inner)
        yield _JsonPart("}", key)
    elif isinstance(data, list):
        yield _JsonPart("[", key)
        for number, value in enumerate(data):
            if number:
                yield _JsonPart(",", key)
            yield from pieces_of(value, key)
        yield _JsonPart("]", key)
    else:
        yield _JsonPart(compact_json(data), key)
