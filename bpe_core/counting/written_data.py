"""Data in a text: JSON, JSON lines, a table with commas or tabs, or YAML; and a shorter notation for it.

Prose may look like data: a poem has as many commas in each line, an address book is YAML. So a text is data only if it
is nothing else. Of a long one, all but JSON is decided by its beginning:

    JSON          a list or an object with something in it
    JSON lines    two lines or more, each an object
    CSV, TSV      a header of names, and two records or more with as many values; for tabs one is enough
    YAML          lines of names and values, some of them indented under a name or in a list
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from io import BytesIO
from itertools import takewhile
from typing import NamedTuple

import regex

from bpe_core.counting.found_files import FoundFile, FoundFileError
from bpe_core.counting.other_notations import NOTATIONS, json_value, read
from bpe_core.counting.table_records import LONGEST as LONGEST_CELL
from bpe_core.counting.yaml_text import read_yaml
from bpe_core.extras import MissingExtraError
from bpe_core.text.encodings import without_mark
from bpe_core.tokenizer.tokenizer import Tokenizer

LONGEST = 1_000_000  # characters of a text that is looked at
COUNTED = 20_000  # characters of a text of which the notations are counted at once
LOOKED_AT = 8_000  # characters of a long text by whose lines it is known
PARSED = 2_000  # characters of YAML that are parsed to see whether it is some; the parser is slow
MOST_COLUMNS = 1_000
QUICK = tuple(name for name in NOTATIONS if name != "YAML")  # the notations that take little time to write
_HEADER = regex.compile(r"[\p{L}_#][\p{L}\p{M}\p{N} _.:/#%&'()\-]{0,59}")
_YAML_LINE = re.compile(
    r"""[ ]{0,40}(?:-[ ]+){0,4}(?:(?P<key>[\w./-]{1,60}|"[^"\n]{1,60}"|'[^'\n]{1,60}'):(?:[ ]+(?P<value>\S.*))?"""
    r"|-[ ].*|[#].*|---)[ ]*"
)


class WrittenData(NamedTuple):
    """Data that a text is. `form`: "JSON", "JSON lines", "CSV", "TSV" or "YAML". `ending`: of a file that has it."""

    form: str
    ending: str


class Shorter(NamedTuple):
    """A notation that takes fewer tokens for the same data than the text does, and how many both take."""

    notation: str
    tokens: int
    instead_of: int


def data_in(text: str) -> WrittenData | None:
    """Return which data a text surely is; None for any other text, and for one of more than `LONGEST` characters.

    >>> data_in('{"a": [1, 2]}').form, data_in("name,age\\nAda,36\\nAlan,41").form
    ('JSON', 'CSV')
    >>> data_in("2024"), data_in("Roses are red, violets are blue,\\nSugar is sweet, and so are you.")
    (None, None)
    """
    if len(text) > LONGEST or not text.strip():
        return None
    text = without_mark(text)
    return next((WrittenData(form, ending) for form, (ending, fits) in _FORMS.items() if fits(text)), None)


def shorter(text: str, data: WrittenData, tokenizer: Tokenizer) -> Shorter | None:
    """Return the notation that takes the fewest tokens for the data in a text; None if none of `QUICK` takes fewer.

    Also None for a text of more than `COUNTED` characters, and for one with the name of a special token: a page counts
    such a text in two ways.

    >>> from bpe_core import load
    >>> text = '[{"name": "Ada", "age": 36}, {"name": "Alan", "age": 41}]'
    >>> shorter(text, data_in(text), load("gpt-4o"))
    Shorter(notation='CSV', tokens=11, instead_of=25)
    """
    if len(text) > COUNTED or any(name in text for name in tokenizer.special_tokens):
        return None
    try:
        values, cut = read(FoundFile(f"text{data.ending}", 0, lambda: BytesIO(text.encode())))
        texts = {name: written for name in QUICK if (written := NOTATIONS[name](values)) is not None}
        "".join(texts.values()).encode()
    except (FoundFileError, UnicodeEncodeError, RecursionError):
        return None
    if cut is not None:
        return None
    own = tokenizer.count(text, specials=False)
    tokens = {name: tokenizer.count(each, specials=False) for name, each in texts.items()}
    fewest = min(tokens, key=lambda name: tokens[name])
    return Shorter(fewest, tokens[fewest], own) if tokens[fewest] < own else None


def _is_json(text: str) -> bool:
    stripped = text.strip()
    if stripped[:1] + stripped[-1:] not in ("[]", "{}"):
        return False
    try:
        return bool(json_value(stripped))
    except FoundFileError:
        return False


def _lines(text: str) -> list[str]:
    """Return the lines of a text that are not blank; of a long one, those of its beginning."""
    lines = (text[:LOOKED_AT].rpartition("\n")[0] if len(text) > LOOKED_AT else text).split("\n")
    return [line.rstrip("\r") for line in lines if line.strip()]


def _is_json_lines(text: str) -> bool:
    lines = _lines(text)
    return len(lines) > 1 and all(line[:1] == "{" and _is_json(line) for line in lines)


def _is_table(text: str, delimiter: str, least: int) -> bool:
    """Return whether a text is a header of names and `least` records or more, with as many values each."""
    lines = _lines(text)
    if len(lines) <= least or not 0 < lines[0].count(delimiter) < MOST_COLUMNS:
        return False
    csv.field_size_limit(LONGEST_CELL)
    try:
        header, *records = csv.reader([f"{line}\n" for line in lines], delimiter=delimiter)
    except csv.Error:
        return False
    names = [name.strip() for name in header]
    fit = all(map(_HEADER.fullmatch, names)) and all(name.count("(") == name.count(")") for name in names)
    same = len(records) >= least and all(len(record) == len(header) for record in records)
    spaced = sum(each[:1] == " " for row in records for each in row[1:])  # as after a comma in prose
    apart = delimiter == "\t" or 2 * spaced < len(records) * (len(names) - 1)
    return len({*names}) == len(names) and fit and same and apart


def _is_yaml(text: str) -> bool:
    """Return whether each line of a text is one of YAML, and some are within a list or a name, and its beginning is."""
    lines = _lines(text)
    found = [*takewhile(bool, map(_YAML_LINE.fullmatch, lines))]
    if len(lines) < 3 or len(found) < len(lines):
        return False
    named = [each for each in found if each and each["key"]]
    valued = [each for each in named if each["value"]]
    inner = [each for each in valued if each[0][0] in " -"]
    if len(valued) < 2 or len(named) < 3 or not inner:
        return False
    end = text.rfind("\n", 0, PARSED) if len(text) > PARSED else len(text)
    try:
        return isinstance(read_yaml(text[:end]), (list, dict))
    except (FoundFileError, MissingExtraError):
        return False


_FORMS: Mapping[str, tuple[str, Callable[[str], bool]]] = {
    "JSON": (".json", _is_json),
    "JSON lines": (".jsonl", _is_json_lines),
    "TSV": (".tsv", lambda text: _is_table(text, "\t", 1)),
    "CSV": (".csv", lambda text: _is_table(text, ",", 2) or _is_table(text, ";", 2)),
    "YAML": (".yaml", _is_yaml),
}
