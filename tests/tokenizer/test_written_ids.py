"""Ids as people paste them, and texts that are no ids."""

import json
import time
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.tokenizer.written_ids import FORMS as FORMS_PRINTED
from bpe_core.tokenizer.written_ids import form_of, ids_alone, read_ids

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
    # Python's libraries
    lambda ids: str([np.int64(i) for i in ids]),
    lambda ids: "\n".join(map(repr, map(np.int32, ids))),
    lambda ids: repr(np.array(ids, np.int32)),
    lambda ids: str(np.array([ids])),
    lambda ids: str({"input_ids": np.array([ids]), "attention_mask": np.array([[1] * len(ids)])}),
    lambda ids: str({"input_ids": [*map(np.int64, ids)]}),
    lambda ids: pd.Series(ids, name="ids").to_string(dtype=True, name=True, length=True),
    lambda ids: pd.Series(ids, index=[f"t{i}" for i in range(len(ids))]).to_string(dtype=True),
    lambda ids: f"shape: ({len(ids)},)\nSeries: 'ids' [i64]\n[\n" + "".join(f"\t{i}\n" for i in ids) + "]",
    lambda ids: f"[tensor({ids[:5]}, device='cuda:0'), tensor({ids[5:]}, device='cuda:0')]",
    lambda ids: str([*map("tensor({})".format, ids)]).replace("'", ""),
    lambda ids: f"tf.Tensor({np.array([ids])}, shape=(1, {len(ids)}), dtype=int32)",
    lambda ids: f"<tf.Tensor: shape=({len(ids)},), dtype=int32, numpy={np.array(ids, np.int32)!r}>",
    lambda ids: f"{{'input_ids': <tf.Tensor: shape=(1, 8), dtype=int32, numpy=array([{ids}], dtype=int32)>, 'x': [1]}}",
    lambda ids: f"Array({ids}, dtype=int32)",
    lambda ids: f"Tensor(shape=[1, {len(ids)}], dtype=int64, place=Place(cpu), stop_gradient=True,\n       [{ids}])",
    # engines
    lambda ids: "[ " + ", ".join(map(str, ids)) + " ]",
    lambda ids: (
        "[ " + ", ".join(f"'{'a,' * (i % 3)}':{i}" for i in map(abs, ids)) + " ]" if min(ids) >= 0 else str(ids)
    ),
    lambda ids: (
        f"INFO 11-28 engine.py:3] request: prompt: 'a [1]', SamplingParams(n=1, stop_token_ids=[2]), "
        f"prompt_token_ids: {ids}, lora_request: None."
    ),
    lambda ids: (
        f"RequestOutput(request_id=0, prompt='a', prompt_token_ids={ids[:4]}, outputs=[CompletionOutput(index=0, "
        f"text='b', token_ids={tuple(ids[4:])}, cumulative_logprob=-1.5)], finished=True)"
    ),
    lambda ids: f"prompt_token_ids={ids}",
    lambda ids: f"token_ids: tensor({ids})",
    lambda ids: json.dumps({"model": "a", "input": ids}),
    lambda ids: json.dumps({"model": "a", "prompt": [ids], "max_tokens": 5}),
    lambda ids: json.dumps({"tokens": [{"id": i, "piece": "a[1]"} for i in ids]}),
    lambda ids: json.dumps([{"input_ids": ids[:2]}, {"input_ids": ids[2:]}]),
    # other languages
    lambda ids: "{" + ", ".join(map(str, ids)) + "}",
    lambda ids: "{{" + ", ".join(map(str, ids)) + "}}",
    lambda ids: "[]int32{" + ", ".join(map(str, ids)) + "}",
    lambda ids: "[" + " ".join(map(str, ids)) + "]",
    lambda ids: f"vec!{ids}",
    lambda ids: "[" + ", ".join(f"{i}i64" for i in ids) + "]",
    lambda ids: f"Int32Array({len(ids)}) [\n  {str(ids)[1:-1]}\n]",
    lambda ids: f"BigInt64Array({len(ids)}) [ " + ", ".join(f"{i}n" for i in ids) + " ]",
    lambda ids: (
        f"Tensor {{\n  dims: [ 1, 8 ],\n  data: BigInt64Array(8) [ {', '.join(f'{i}n' for i in ids)} ],\n  size: 8\n}}"
    ),
    lambda ids: f"new int[]{{{str(ids)[1:-1]}}}",
    lambda ids: f"std::vector<int>{{{str(ids)[1:-1]}}}",
    lambda ids: f"{len(ids)}-element Vector{{Int64}}:\n" + "\n".join(f" {i}" for i in ids),
    lambda ids: "".join(
        f"{f'[{at + 1}]':>5} " + "   ".join(map(str, ids[at : at + 7])) + "\n" for at in range(0, len(ids), 7)
    ),
    lambda ids: "Array\n(\n" + "".join(f"    [{at}] => {i}\n" for at, i in enumerate(ids)) + ")\n",
    lambda ids: "input_ids:\n" + "".join(f"  - {i}\n" for i in ids) + "attention_mask:\n  - 1\n",
    lambda ids: "".join(f"- {i}\n" for i in ids),
    lambda ids: f"input_ids: {ids}",
]


@given(
    st.lists(
        st.tuples(st.integers(0, 300_000), st.sampled_from(["<s>", " a", "\n", "'", " -> '", "5 -> 'x"])), min_size=1
    )
)
def test_a_listing_with_pieces_has_the_ids_of_its_lines(rows):
    """llama-tokenize prints each id, an arrow and the piece as it is, with its line breaks."""
    listing = "".join(f"{i:6d} -> '{piece}'\n" for i, piece in rows)
    assert read_ids(listing) == read_ids(f"main: number of tokens = 3\n{listing}") == [i for i, _ in rows]
    assert ids_alone(listing) == ([i for i, _ in rows] if len(rows) > 1 else None)


@pytest.mark.parametrize("form", FORMS_PRINTED, ids=lambda form: form.title)
def test_a_row_of_the_table_reads_its_own_example(form):
    assert form_of(form.example.strip()) is form
    assert read_ids(form.example) == [15496, 995]
    assert ids_alone(form.example) == ([15496, 995] if form.surely else None)


@pytest.mark.parametrize("form", FORMS)
@given(IDS)
def test_every_form_gives_the_same_ids(form, ids):
    assert read_ids(form(ids)) == ids
    assert ids_alone(form(ids)) == ids


WITH_A_POINT = (
    lambda ids: np.array2string(np.array(ids, float), formatter={"float_kind": "{:.0f}.".format}),
    lambda ids: "[" + " ".join(f"{i:.8e}" for i in ids) + "]",
    lambda ids: str([float(i) for i in ids]),
    lambda ids: str([*np.array(ids, float)]),
    lambda ids: "tensor([" + ", ".join(f"{i}." for i in ids) + "])",
    lambda ids: str(pd.Series(ids, dtype=float)),
    lambda ids: json.dumps({"input_ids": [float(i) for i in ids]}),
    lambda ids: f"input_ids: {' '.join(map(str, ids))}",
    lambda ids: f"input_ids = {', '.join(map(str, ids))}\nattention_mask = 1, 1",
    lambda ids: f"prompt ids={' '.join(map(str, ids))}",
)


@pytest.mark.parametrize("form", WITH_A_POINT)
@given(st.lists(st.integers(0, 300_000), min_size=2, max_size=50))
def test_a_form_that_may_be_a_text_is_read_where_ids_are_asked_for(form, ids):
    assert read_ids(form(ids)) == ids
    assert ids_alone(form(ids)) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[ 464. 3290.5]", "'3290.5' is not an id; ids are whole numbers"),
        ("[ 464.  ... 3290.]", "the list of ids is cut short"),
        ("tensor([4.6400e+02, 1.5190e+05])", "'1.5190e.05' may be rounded; print the ids as whole"),
        ("[4.645e+02]", "'4.645e.02' is not an id"),
        (str(np.array([1.0, 300_000.0])), "'3.e.05' may be rounded"),
        ("input_ids: 464 3290 ...", "the list of ids is cut short"),
        ("input_ids: 464 dogs", "'dogs' is not an id"),
        ("[1.5, 2]", "'1.5' is not an id; ids are whole numbers"),
        ("[1, 2", "a bracket is missing"),
        ("tensor([1, 2, ..., 9, 10])", "the list of ids is cut short"),
        ("[1 2 … 9]", "the list of ids is cut short"),
        (repr(np.arange(5000)), "the list of ids is cut short"),
        (str(np.arange(5000)), "the list of ids is cut short"),
        (str(pd.Series(range(500))), "the list of ids is cut short"),
        ("Uint32Array(200) [\n  1, 2,\n  ... 100 more items\n]", "the list of ids is cut short"),
        ("{'input_ids': tensor([[1, 2,  ..., 5]]), 'x': tensor([1])}", "the list of ids is cut short"),
        ("15496, 995, 3...", "the list of ids is cut short"),
        ("[1, 2, <97 more>]", "the list of ids is cut short"),
        ("shape: (9,)\nSeries: '' [i64]\n[\n\t1\n\t…\n\t9\n]", "the list of ids is cut short"),
        ("3-element Vector{Int64}:\n 1\n ⋮\n 3", "the list of ids is cut short"),
        ("tensor([1]) and tensor([2])", "'and tensor"),
        ("{'input_ids': tensor([1, 2", "a bracket is missing"),
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
    [
        "",
        "1 2 3",
        "[7]",
        "15496",
        "(1, 2)",
        "3.14 1,000,000 2nd",
        "{}",
        "a[1, 2]",
        "f(x)",
        "-",
        "[]",
        "2\n3\n4\n5",
        "2024",
        "-5",
        "f(1, 2)",
        "Hello (1, 2) world",
        "- 1\n- 2",
        "the ids: [1, 2]",
        "x = [1, 2]",
        "1 2\n3 4",
    ],
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


@pytest.mark.parametrize("text", ["a: b\n", "[ '", "{'a'", "ids: ", "- ", "<a [1 ", "vec<", "f(", "INFO a: ", "1 -> '"])
def test_a_long_text_that_only_begins_like_a_form_takes_no_long_time(text):
    started = time.process_time()
    assert ids_alone(text * 20_000, 1_000) is None
    assert time.process_time() - started < 5
