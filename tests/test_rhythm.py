"""The rhythm of the visitors who type: what is measured with it keeps its meaning as long as this holds."""

from itertools import pairwise
from statistics import median

from tests.rhythm import GAPS


def test_a_hundred_keys_as_a_person_types_them():
    pauses = [at for at, gap in enumerate(GAPS) if gap == 1500]
    assert (len(GAPS), median(GAPS), len(pauses)) == (100, 250, 8)
    assert all(10 <= after - before <= 14 for before, after in pairwise(pauses))
    assert 60 <= min(GAPS) < max(gap for gap in GAPS if gap != 1500) < 1000
