"""The app with the path of a proxy, in a process of its own, for the tests that ask it what no function answers."""

import sys
from collections.abc import Iterator

import pytest

from tests.campaign.server import ROOT
from tests.server import serving

COMMAND = [sys.executable, "-c", "from bpe_core.cli.mergescope import main; main()"]
BASE = "/some/where"


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    with serving(COMMAND, ROOT, BASE) as url:
        yield url
