"""A chart along the slider is drawn in one file and gets its rows in another: both have the same names."""

from collections.abc import Iterator
from typing import Any

import pytest

from bpe_core import Settings, train
from bpe_core.pictures.film.film_side import ALONG
from pages.parts.ui import film_charts

CHARTS = film_charts.along()


def fields(specification: Any) -> Iterator[str]:
    """Yield the fields of the data that a chart draws."""
    if isinstance(specification, dict):
        if "field" in specification:
            yield specification["field"]
        for part in specification.values():
            yield from fields(part)
    elif isinstance(specification, list):
        for part in specification:
            yield from fields(part)


def test_every_chart_has_rows_and_all_rows_a_chart():
    assert CHARTS.keys() == ALONG.keys()


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_draws_what_its_rows_have(name: str):
    drawn = set(fields(CHARTS[name]["chart"])) - {"number"}  # which charts.js gives to every row
    assert drawn
    assert all(drawn <= row.keys() for row in ALONG[name](train("low low lower", Settings()), 3))


def test_the_legend_says_that_counts_are_not_drawn_as_long_as_they_are():
    counts = CHARTS["timeline"]["chart"]["layer"][0]["encoding"]["y"]["scale"]
    assert counts["type"] == "symlog"
    assert CHARTS["timeline"]["legend"][0][0] == "Count of each merge, logarithmic"
