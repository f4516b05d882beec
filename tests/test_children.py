"""A child process of a test that hangs, or whose test fails, is not waited for."""

import re
import subprocess
from pathlib import Path
from signal import SIGKILL

import pytest

from tests.children import ran, started


def test_one_that_hangs_is_killed_and_its_pipes_close():
    with pytest.raises(subprocess.TimeoutExpired):
        ran(["sleep", "60"], seconds=0.1)
    with started(["sleep", "60"], seconds=0.1, stdout=subprocess.PIPE) as process:
        assert process.stdout.read() == b""
    assert process.returncode == -SIGKILL


def test_one_whose_test_fails_is_killed():
    with pytest.raises(ZeroDivisionError), started(["sleep", "60"]) as process:
        raise ZeroDivisionError
    assert process.returncode == -SIGKILL


def test_no_test_starts_one_without_a_limit():
    tests = Path(__file__).parent
    starts = re.compile(r"subprocess\.(run|Popen|call|check_\w+)\(")
    sources = {path.relative_to(tests).as_posix(): path.read_text("utf-8") for path in tests.glob("**/*.py")}
    found = {path for path, source in sources.items() if starts.search(source)}
    # an app, which is killed; a measurement, which may last; what a chat template must not do
    assert found == {"children.py", "server.py", "benchmarks/streaming.py", "chat/test_rendering.py"}
