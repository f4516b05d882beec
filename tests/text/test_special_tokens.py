"""Special tokens in a text."""

from hypothesis import given
from hypothesis import strategies as st

from bpe_core.text.special_tokens import segments
from tests.texts import TEXTS

NAMES = ("<s>", "<mask>", "a<|>", "<|>", "a b", " ")
HOSTILE = st.lists(st.sampled_from([*NAMES, "a", "b", "<", ">", "\n", "é"]), max_size=14).map("".join)


@given(HOSTILE | TEXTS)
def test_segments_join_to_the_text(text):
    found = list(segments(text, NAMES))
    assert "".join(segment for segment, _, _ in found) == text
    assert all(text.startswith(segment, start) and segment for segment, start, _ in found)
    assert all(name in (None, segment) for segment, _, name in found)
    assert not any(name in segment for segment, _, what in found if what is None for name in NAMES)


def test_the_longest_name_counts():
    assert [name for _, _, name in segments("xa<|>", NAMES)] == [None, "a<|>"]
    for names in (("<s>", "<s>2"), ("<s>2", "<s>")):
        assert [name for _, _, name in segments("<s><s>2", names)] == ["<s>", "<s>2"]


def test_much_text_and_many_names_take_linear_time():
    """Quadratic, these would take minutes."""
    assert sum(name == "<s>" for _, _, name in segments("<s>" * 100_000, NAMES)) == 100_000
    assert list(segments("x" * 1_000_000, NAMES)) == [("x" * 1_000_000, 0, None)]
