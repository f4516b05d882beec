"""Every row of the table of faults still applies, and is tried on the tests of its file."""

from contextlib import contextmanager

import pytest

from tests.changed import PYTEST, ROOT, belonging, commands
from tests.planted.__main__ import ALL, ELSEWHERE, FAILED, NOWHERE, caught, with_fault
from tests.planted.faults import FAULTS, Fault


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.about)
def test_a_fault_applies_and_its_file_has_tests(fault):
    text = (ROOT / fault.file).read_text(encoding="utf-8")
    wrong = with_fault(fault, text)
    assert wrong != text
    if fault.file.endswith(".py"):
        compile(wrong, fault.file, "exec")
    assert [*belonging(fault.file)]
    assert fault.about.endswith(".")


def test_a_row_whose_text_is_not_there_once_is_an_error_that_says_so():
    for text, times in (("b", 0), ("aba", 2)):
        with pytest.raises(SystemExit, match=f"^x.py has the text 'a' {times} times, where a fault replaces it"):
            with_fault(Fault("x.py", "a", "c", "A slip."), text)


class Pretended:
    """A copy in which a test fails for one command with the fault, and for another command without it."""

    def __init__(self, command: list[str], without: list[str]) -> None:
        self.fails = {True: command, False: without}
        self.has_fault = False

    @contextmanager
    def planted(self, _fault: Fault):
        self.has_fault = True
        yield
        self.has_fault = False

    def failing(self, command: list[str]) -> str:
        return "tests/test_a.py::test_b" if command == self.fails[self.has_fault] else ""


def test_a_fault_is_tried_on_the_tests_of_its_file_then_on_its_journeys_then_on_all():
    fault, test = Fault("pages/train.py", "a", "b", "A slip."), "tests/test_a.py::test_b"
    tests, journeys = commands([fault.file])
    expected = [(tests, test), (journeys, f"journey: {test}"), (ALL, f"{ELSEWHERE}{test}"), ([], NOWHERE)]
    assert [caught(Pretended(command, []), fault)[0] for command, _ in expected] == [name for _, name in expected]
    with pytest.raises(SystemExit, match=f"^{test} fails without a fault too"):
        caught(Pretended(tests, [*PYTEST, test]), fault)


@pytest.mark.parametrize(
    ("line", "test"),
    [
        ("FAILED tests/test_a.py::test_b - assert 1 == 2", "tests/test_a.py::test_b"),
        ("FAILED tests/test_a.py::test_b[a - b] - assert", "tests/test_a.py::test_b"),
        ("FAILED bpe_core/ties.py::bpe_core.ties.TieRule.site_key", "bpe_core/ties.py::bpe_core.ties.TieRule.site_key"),
        ("ERROR tests/test_a.py - ImportError", "tests/test_a.py"),
    ],
)
def test_the_test_that_failed_is_read_from_what_pytest_says(line, test):
    assert FAILED.search(f"1 failed\n{line}\nFAILED tests/test_z.py::test_z\n")[1] == test
