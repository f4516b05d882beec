"""For all tests of pages: Streamlit's driver does less; see `quick_driver`."""

import sys
from collections.abc import Iterator

import pytest

from tests.pages.driver import quick_driver


@pytest.fixture(scope="session", autouse=True)
def quick() -> Iterator[None]:
    with quick_driver():
        yield


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """Keep this process's main module: the driver puts a script there, which children of later tests would run."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before
