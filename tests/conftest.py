"""What all tests share: how many examples Hypothesis tries, and why tests were skipped.

`MERGESCOPE_EXAMPLES=300` tries twenty times as many examples as usual, as `make test-all` does.
"""

import gc
import os

import pytest
from hypothesis import settings

from bpe_core.published import PUBLISHED, published_vocabulary
from tests.some import EXAMPLES

# A published vocabulary that a test has loaded is there for the next one: the engine keeps only the latest few.
published_vocabulary.LATEST = len(PUBLISHED)

collect_ignore = ["benchmarks"]  # reading it takes a second in each process: test_benchmarks.py runs its doctests

# On a slow machine, with other tests beside it, a server of the tests must not give up as early as a real one does.
for limit in ("MERGESCOPE_FILE_SECONDS", "MERGESCOPE_UNATTENDED_SECONDS"):
    os.environ.setdefault(limit, "200")

# No test compiles but those that are about it (test_compiled_loop, test_compiling): it takes 5 s in each process.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

settings.register_profile("ours", max_examples=EXAMPLES, deadline=None)
settings.load_profile("ours")


def pytest_collection_finish() -> None:
    """Leave the tests and the modules out of all looks for garbage: each would take a tenth of a second for them."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    # One line a reason, where pytest's own -rs prints one a test.
    for reason in {report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])}:
        terminalreporter.write_line(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    """A report that can travel between processes, also where the test was on half a character."""
    report = yield
    if report.longrepr is not None and not isinstance(report.longrepr, tuple):
        shown = str(report.longrepr)
        if shown.encode("utf-8", "replace").decode() != shown:
            report.longrepr = shown.encode("utf-8", "backslashreplace").decode()
            report.sections.clear()
    return report
