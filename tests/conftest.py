"""What all tests share: how many examples Hypothesis tries, and why tests were skipped.

`MERGESCOPE_THOROUGH=1 make test` tries ten times as many examples.
"""

import os

import pytest
from hypothesis import settings

settings.register_profile("quick", max_examples=40, deadline=None)
settings.register_profile("thorough", max_examples=400, deadline=None)
settings.load_profile("thorough" if os.environ.get("MERGESCOPE_THOROUGH") else "quick")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    # One line a reason, where pytest's own -rs prints one a test.
    for reason in {report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])}:
        terminalreporter.write_line(reason)
