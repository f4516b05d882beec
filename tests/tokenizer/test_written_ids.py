"""Ids as people paste them, and texts that are no ids."""

import json
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.tokenizer.written_ids import ids_alone, read_ids

IDS = st.lists(st.integers(-100, 300_000), min_size=8, max_size=40)
FORMS = [
    str,
    json.dumps,
    lambda ids: str([ids]),
    lambda ids: " ".join(map(str, ids)),
    lambda ids: "\n".join(map(str, ids)) + "\n",
    lambda ids: ", ".join(map(str, ids)),
    lambda ids: str(tuple(ids)),
    lambda ids: f"tensor({ids}, device='cuda:0', dtype=torch.int32)",
    lambda ids: f" torch.tensor([{ids}])\n",
    lambda ids: repr(np.array([ids])),
    lambda ids: str(np.array(ids)),
    lambda ids: json.dumps({"ids": ids, "tokens": ["[1", "]", "a"] * 5, "spans": [[0, 1]] * 3, "bytes": ["2c"]}),
    lambda ids: str({"input_ids": [ids], "attention_mask": [[1] * len(ids)]}),
    lambda ids: f"{{'input_ids': tensor([{ids}]), 'attention_mask': tensor([[1, 1]], device='mps:0')}}",
    lambda ids: json.dumps({"ids": ids[:3]}) + "\n" + json.dumps({"ids": ids[3:]}),
]


@given(IDS, st.sampled_from(FORMS))
def test_every_form_gives_the_same_ids(ids, form):
    assert read_ids(form(ids)) == ids
    assert ids_alone(form(ids)) == ids


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1.5, 2]", "'1.5' is not an id; ids are whole numbers"),
        ("[1, 2", "a bracket is missing"),
        ("tensor([1, 2, ..., 9, 10])", "the list of ids is cut short"),
        ("[1 2 … 9]", "the list of ids is cut short"),
        ('{"tokens": [1, 2]}', "no list of ids with the name ids"),
        ("12345678901234567890", "is not an id"),
        ("[1, ٣]", "'٣' is not an id"),
        ("1e3 0x1F", "'1e3' is not an id"),
    ],
)
def test_what_is_no_list_of_ids_is_one_sentence(text, message):
    with pytest.raises(ValueError, match=message):
        read_ids(text)
    assert ids_alone(text) is None


@pytest.mark.parametrize(
    "text",
    ["", "1 2 3", "[7]", "15496", "(1, 2)", "3.14 1,000,000 2nd", "{}", "a[1, 2]", "f(x)", "-", "[]", "2\n3\n4\n5"],
)
def test_a_text_that_may_be_meant_as_text_stays_text(text):
    assert ids_alone(text) is None


@given(IDS, st.sampled_from(FORMS), st.integers(0, 50))
def test_only_so_many_are_read(ids, form, most):
    assert read_ids(form(ids), most) == ids[:most]


def test_two_ids_in_brackets_are_ids():
    assert ids_alone(" [15496, 995]\n") == [15496, 995]
    assert read_ids("") == []
    assert read_ids("(1; 2)\n3\t[4]") == [1, 2, 3, 4]


def test_a_file_full_of_ids_is_read_no_further_than_asked():
    """A visitor may open 50 MB of them."""
    text = "[" + "12, " * 2_500_000 + "]"
    tracemalloc.start()
    try:
        assert ids_alone(text, 1_000) == [12] * 1_000
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
