"""Every row of the table of faults still applies, and is tried on the tests of its file."""

import pytest

from tests.changed import ROOT, belonging
from tests.planted.__main__ import with_fault
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
