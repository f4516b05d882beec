"""The rows that a question sees of the tables that grow: those of version 3.0.0, and those that it names itself."""

import re
from ast import literal_eval
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from tests.version_3.expressions import evaluated
from tests.version_3.record import read

TABLES = ("PRETOKENIZERS", "NORMALIZERS", "TIE_RULES", "FORMATS", "PUBLISHED")


@cache
def _first_rows(table: str) -> frozenset[str]:
    return frozenset(literal_eval(read("values.txt")[f"list({table})"][0]))


@contextmanager
def rows_for(question: str) -> Iterator[None]:
    """Hide the rows that came later and that the question does not name: a new row changes no other answer.

    Afterwards the tables have their rows in the order in which they had them: other tests compare it.
    """
    before = [(table, evaluated(table), dict(evaluated(table))) for table in TABLES]
    for table, found, rows in before:
        for key in rows.keys() - _first_rows(table):
            if not re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", question):
                del found[key]
    try:
        yield
    finally:
        for _, found, rows in before:
            found.clear()
            found.update(rows)
