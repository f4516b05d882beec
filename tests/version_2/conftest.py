"""Pages are opened here too, with the quick driver; and tables have the rows of version 2.0.0 only."""

from ast import literal_eval
from collections.abc import Iterator

import pytest

from tests.pages.driver import quick_driver
from tests.version_2.expressions import evaluated
from tests.version_2.record import read

TABLES = ("PRETOKENIZERS", "NORMALIZERS", "TIE_RULES", "FORMATS", "PUBLISHED")
ROWS = {table: literal_eval(read("values.txt")[f"list({table})"][0]) for table in TABLES}


@pytest.fixture(scope="session", autouse=True)
def quick() -> Iterator[None]:
    with quick_driver():
        yield


@pytest.fixture(autouse=True)
def no_later_rows() -> Iterator[None]:
    """Hide the rows that came later: a new pretokenizer changes nothing of the former ones.

    Afterwards the tables have their rows in the order in which they had them: other tests compare it.
    """
    before = [(found, dict(found)) for found in map(evaluated, TABLES)]
    for (found, _), rows in zip(before, ROWS.values(), strict=True):
        for key in found.keys() - set(rows):
            del found[key]
    yield
    for found, rows in before:
        found.clear()
        found.update(rows)
