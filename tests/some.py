"""Rows that run the same code: `make test` tries some, `make test-all` tries all."""

import os
from collections.abc import Iterable
from random import Random
from typing import Any, TypeVar

import pytest

Row = TypeVar("Row")
EXAMPLES = int(os.environ.get("MERGESCOPE_EXAMPLES", "15"))  # that Hypothesis tries


def some(rows: Iterable[Any], every: int = 3) -> list[Any]:
    """Return a test's parameters. A few, at even distances, are for `make test`; the others are thorough.

    A row of several parameters is a tuple.
    """
    return [row if number % every == 0 else later(row) for number, row in enumerate(rows)]


def later(row: Any) -> Any:
    """Return a row that only `make test-all` tries."""
    return pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.thorough)


def only(rows: Iterable[Any], *first: Any) -> list[Any]:
    """Return a test's parameters; all but the named ones are thorough."""
    return [row if row in first else later(row) for row in rows]


def a_few(rows: Iterable[Row]) -> list[Row]:
    """Return as many rows as Hypothesis tries examples, always the same ones, in their order; all if there are
    no more. `make test-all` tries twenty times as many."""
    given = [*rows]
    chosen = Random(1).sample(range(len(given)), min(EXAMPLES, len(given)))
    return [given[at] for at in sorted(chosen)]
