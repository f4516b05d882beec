"""What two pretokenizers make of the same text, segment by segment."""

from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS
from bpe_core.text.split_difference import split_differences
from tests.texts import TEXTS

CUTS = st.sampled_from(list(PRETOKENIZERS))


def words(pretokens):
    return [word for pretoken in pretokens if (word := pretoken.text.strip())]


@given(TEXTS, CUTS, CUTS)
def test_differences_are_what_is_left_when_equal_words_are_taken_away(text, left, right):
    one, other = PRETOKENIZERS[left].split(text), PRETOKENIZERS[right].split(text)
    found = split_differences(one, other)
    sizes = [sum(len(difference[side]) * count for difference, count in found.items()) for side in (0, 1)]
    # Both have as many words in common: those outside the differences.
    assert len(words(one)) - sizes[0] == len(words(other)) - sizes[1]
    assert all(difference.one != difference.other for difference in found)
    if left == right:
        assert not found


def test_the_published_example():
    text = "one dog. one dinosaur. one dingo."
    found = split_differences(PRETOKENIZERS["whitespace"].split(text), PRETOKENIZERS["gpt2"].split(text))
    assert dict(found) == {
        (("dog.",), ("dog", ".")): 1,
        (("dinosaur.",), ("dinosaur", ".")): 1,
        (("dingo.",), ("dingo", ".")): 1,
    }
