"""One server for the tests that ask what no function answers."""

from collections.abc import Iterator

import pytest

from tests.campaign.server import ROOT
from tests.pages.server.under_path import BASE, COMMAND
from tests.server import serving


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    with serving(COMMAND, ROOT, BASE) as url:
        yield url
