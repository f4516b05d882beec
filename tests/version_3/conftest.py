"""Pages are opened here too, with the quick driver; and tables have the rows of version 3.0.0 only."""

from collections.abc import Iterator

import pytest

from tests.pages.driver import quick_driver
from tests.version_3.rows import rows_for


@pytest.fixture(scope="session", autouse=True)
def quick() -> Iterator[None]:
    with quick_driver():
        yield


@pytest.fixture(autouse=True)
def no_later_rows(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hide the rows that came later, but those that the question names."""
    callspec = getattr(request.node, "callspec", None)
    with rows_for(callspec.params.get("question", "") if callspec else ""):
        yield
