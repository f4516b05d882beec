"""What every test of a page has: no search for components."""

from collections.abc import Iterator
from unittest import mock

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager


@pytest.fixture(scope="session", autouse=True)
def no_search_for_components() -> Iterator[None]:
    """Streamlit's test driver looks through all installed packages for components, which takes longer than the page.

    The app's own components need no search.
    """
    with mock.patch.object(BidiComponentManager, "discover_and_register_components"):
        yield
