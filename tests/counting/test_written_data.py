"""Which data a text is, YAML as it is written, and the notation that is shorter."""

import json
from contextlib import nullcontext
from datetime import date

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import load
from bpe_core.counting.found_files import FoundFileError, in_memory
from bpe_core.counting.other_notations import NOTATIONS, notations
from bpe_core.counting.written_data import QUICK, data_in, shorter
from bpe_core.counting.yaml_text import MOST_DEPTH, read_yaml
from tests.counting.tiktokens import tiktokens
from tests.json_values import data

ROWS = [{"id": i, "name": f"Name {i}", "day": "2024-01-02"} for i in range(1, 30)]
BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"


@given(data)
def test_json_of_any_value_is_json_and_read_from_yaml_it_is_the_same(value):
    text = json.dumps(value)
    if isinstance(value, (list, dict)) and value:
        assert data_in(text).form == "JSON"
    written = yaml.safe_dump(value, allow_unicode=True, sort_keys=False)
    if "!!" not in written and all(char.isprintable() or char in " \n" for char in written):
        read = read_yaml(written)
        assert type(read) is type(value) or isinstance(value, float)
        if isinstance(value, str):
            assert read == value


@given(st.text())
def test_any_text_is_data_or_none_and_its_notations_can_be_read(text):
    found = data_in(text)
    if found and found.form != "YAML":
        (file,) = in_memory([(f"text{found.ending}", text.encode("utf-8", "surrogatepass"))])
        refused = pytest.raises(FoundFileError, match="surrogate") if "\\ud" in text.lower() else nullcontext()
        with refused:
            notations(file, load("gpt2"))


@pytest.mark.parametrize("name", ["gpt2", "o200k_base"])
@pytest.mark.parametrize("indent", [None, 2])
def test_the_shorter_notation_is_the_shortest_by_tiktoken(name, indent):
    count, text = tiktokens(name), json.dumps(ROWS, indent=indent)
    sizes = {each: count(NOTATIONS[each](ROWS)) for each in QUICK}
    fewest = min(sizes, key=sizes.__getitem__)
    assert shorter(text, data_in(text), load(name)) == (fewest, sizes[fewest], count(text))


def test_yaml_stays_what_is_written():
    written = "day: 2024-01-02\nhour: 12:30\non: yes\nsize: 1_000\npart: 1.50\nhalf: .5\n"
    written += "none: ~\nis: true\nn: 07\nbig: 1e99\n"
    assert yaml.safe_load(written)["day"] == date(2024, 1, 2), "what other readers make of it"
    texts = {"day": "2024-01-02", "hour": "12:30", "on": "yes", "size": "1_000", "part": "1.50", "half": ".5"}
    assert read_yaml(written) == {**texts, "none": None, "is": True, "n": "07", "big": "1e99"}
    assert read_yaml("3: a\ntrue: b\n") == {"3": "a", "true": "b"}
    assert read_yaml(f"a: {'9' * 100_000}")["a"] == "9" * 100_000


@pytest.mark.parametrize(
    "text",
    [
        BOMB, "a: !!python/name:os.system x", "a: *b", "a: 1\na: 2", "--- 1\n--- 2\n", "", "# only this", "[1, 2",
        "? [a]\n: 1",
        "[" * 100_000, "[a," * 30_000, "{a: " * 30_000, "- " * 50_000, "? " * 50_000, "\0a: 1", "a: \ud800",
        "".join(f"{' ' * depth}k:\n" for depth in range(MOST_DEPTH + 2)),
    ],
)  # fmt: skip
def test_what_is_refused_of_yaml_is_refused_in_a_sentence(text):
    with pytest.raises(FoundFileError, match=r"^it (is|has) "):
        read_yaml(text)


def test_a_number_that_json_cannot_have_is_no_data():
    assert data_in("[1e999999]") is None
    (file,) = in_memory([("a.json", b"[1e999999]")])
    with pytest.raises(FoundFileError, match="1e999999 is too large a number"):
        notations(file, load("gpt2"))


def test_a_file_of_yaml_has_notations():
    (file,) = in_memory([("a.yaml", yaml.safe_dump(ROWS, sort_keys=False).encode())])
    (same,) = in_memory([("a.json", json.dumps(ROWS).encode())])
    assert notations(file, load("gpt2")) == notations(same, load("gpt2"))
