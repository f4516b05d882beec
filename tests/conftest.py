"""What all tests share: how many examples Hypothesis tries, and why tests were skipped.

`MERGESCOPE_EXAMPLES=1000 make test` tries ten times as many examples as usual.
"""

import os

import pytest
from hypothesis import settings

settings.register_profile("ours", max_examples=int(os.environ.get("MERGESCOPE_EXAMPLES", "100")), deadline=None)
settings.load_profile("ours")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    # One line a reason, where pytest's own -rs prints one a test.
    for reason in {report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])}:
        terminalreporter.write_line(reason)
