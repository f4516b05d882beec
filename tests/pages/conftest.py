"""For all tests of pages: Streamlit does not search for components."""

from collections.abc import Iterator

import pytest

from tests.pages.driver import without_search


@pytest.fixture(scope="session", autouse=True)
def no_search_for_components() -> Iterator[None]:
    with without_search():
        yield
