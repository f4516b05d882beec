"""For all tests of pages: Streamlit's driver does less; see `quick_driver`."""

from collections.abc import Iterator

import pytest

from tests.pages.driver import quick_driver


@pytest.fixture(scope="session", autouse=True)
def quick() -> Iterator[None]:
    with quick_driver():
        yield
