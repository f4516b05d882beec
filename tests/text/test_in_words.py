"""Numbers that people see."""

import pytest

from bpe_core.text.in_words import listed, percent


@pytest.mark.parametrize("whole", [7, 1000, 128_000])
def test_a_share_is_nothing_or_all_only_if_it_is_so(whole):
    for part in {0, 1, whole // 2, whole - 1, whole}:
        assert (percent(part, whole) == "0%") == (part == 0)
        assert (percent(part, whole) == "100%") == (part == whole)


def test_names_in_a_row():
    assert [listed(list(names)) for names in ("", "a", "ab", "abcd")] == ["", "a", "a and b", "a, b, c and d"]
