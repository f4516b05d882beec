"""Rows of which `make test` tries some and `make test-all` all: rows that run the same code."""

from collections.abc import Iterable
from typing import Any

import pytest


def some(rows: Iterable[Any], every: int = 3) -> list[Any]:
    """Return a test's parameters; all but every so manyth are thorough. A row of several parameters is a tuple."""
    return [row if number % every == 0 else later(row) for number, row in enumerate(rows)]


def later(row: Any) -> Any:
    """Return a row that only `make test-all` tries."""
    return pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.thorough)


def only(rows: Iterable[Any], *first: Any) -> list[Any]:
    """Return a test's parameters; all but the named ones are thorough."""
    return [row if row in first else later(row) for row in rows]
