"""The same data in several notations: read back by other readers, counted by tiktoken, and its keys by hand."""

import csv
import io
import json
import string

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core import Settings, load, train
from bpe_core.counting import other_notations as module
from bpe_core.counting.found_files import FoundFileError, in_memory
from bpe_core.counting.in_child import CountingError, FilesInChild
from bpe_core.counting.other_notations import NO_TABLE, NOTATIONS, notations, pieces_of
from bpe_core.counting.toon import toon
from tests.counting.tiktokens import tiktokens
from tests.json_values import data, plain

BYTES = train("low", Settings(vocab_size=256)).tokenizer()  # a token for each byte
ROWS = [{"id": i, "name": f"Ada, {i}", "open": i % 2 == 0, "note": None} for i in range(40)]
TABLES = st.lists(st.text(max_size=5), min_size=1, max_size=4, unique=True).flatmap(
    lambda names: st.lists(st.fixed_dictionaries(dict.fromkeys(names, plain)), min_size=1, max_size=5)
)


def source(name, content):
    (found,) = in_memory([(name, content if isinstance(content, bytes) else json.dumps(content).encode())])
    return found


@given(data)
def test_json_and_yaml_read_back_to_the_same_data(value):
    compact = NOTATIONS["JSON without spaces"](value)
    assert json.loads(NOTATIONS["JSON, indented"](value)) == json.loads(compact) == value
    assert "".join(piece.text for piece in pieces_of(value)) == compact
    if not set(compact) & set("\x85\u2028\u2029"):  # PyYAML itself does not read these in keys as it writes them
        assert yaml.safe_load(NOTATIONS["YAML"](value)) == value


@example([{"\r": None}])
@given(TABLES)
def test_csv_reads_back_to_the_same_table(rows):
    names, *values = csv.reader(io.StringIO(NOTATIONS["CSV"](rows), newline=""))
    assert names == [*rows[0]]
    assert len(values) == len(rows)
    for row, cells in zip(rows, values, strict=True):
        for value, cell in zip((row[name] for name in names), cells, strict=True):
            read = cell if value is None or isinstance(value, str) else json.loads(cell)
            assert read == ("" if value is None else value)


@pytest.mark.parametrize("other", [[1], [{}], [], {"a": 1}, [{"a": 1}, {"b": 1}], [{"a": []}], [{"a": {}}], "text"])
def test_what_is_no_table_is_not_written_as_csv(other):
    assert NOTATIONS["CSV"](other) is None
    assert notations(source("a.json", other), BYTES).missing == {"CSV": NO_TABLE}


# Each is as version 4.4.0 of the package @toon-format/toon writes it; tests/published holds many more to the package.
TOON = {
    "a: 1": {"a": 1},
    "[]": [],
    "": {},
    "[2]: 1,x y": [1, "x y"],
    "[2]{id,name}:\n  1,Ada\n  2,\"a,b\"": [{"id": 1, "name": "Ada"}, {"name": "a,b", "id": 2}],
    "[2:]{net}:\n  book: 10\n  pen: 2": {"book": {"net": 10}, "pen": {"net": 2}},
    "items[2]:\n  - a: 1\n    b[1]{c}:\n      2\n  - 3": {"items": [{"a": 1, "b": [{"c": 2}]}, 3]},
    "[3]:\n  -\n  - [0]:\n  - [1]: 5": [{}, [], [5]],
    "[1]{at{x,y},\"a-b\"}:\n  1.5,0,null": [{"at": {"x": 1.5, "y": -0.0}, "a-b": None}],
}  # fmt: skip


@pytest.mark.parametrize("written", TOON)
def test_toon_is_written_as_its_package_writes_it(written):
    assert toon(TOON[written]) == written


def test_tokens_are_tiktokens_and_a_csv_is_the_same_data_as_the_json_of_its_rows():
    found = notations(source("rows.json", ROWS), load("gpt2"))
    count = tiktokens("gpt2")
    assert found.tokens["JSON without spaces"] == count(json.dumps(ROWS, separators=(",", ":")))
    assert found.tokens["JSON, indented"] == count(json.dumps(ROWS, indent=2))
    assert found.tokens["YAML"] == count(yaml.safe_dump(ROWS, sort_keys=False)[:-1])
    assert (found.missing, found.cut) == ({}, None)
    table = "id,name\n" + "".join(f'{i},"Ada, {i}"\n' for i in range(40))
    rows = [{"id": row["id"], "name": row["name"]} for row in ROWS]
    lines = "\n\n".join(map(json.dumps, rows))
    assert notations(source("a.csv", table.encode()), BYTES) == notations(source("a.json", rows), BYTES)
    assert notations(source("a.tsv", table.replace(",", "\t").encode()), BYTES).missing == {}
    assert notations(source("a.jsonl", lines.encode()), BYTES) == notations(source("a.json", rows), BYTES)
    cells = [{"a": "007", "b": "1e5"}, {"a": -1.5, "b": "1.50"}]
    assert module.read(source("a.csv", b"a,b\n007,1e5\n-1.5,1.50")) == (cells, None)


def test_the_tokens_of_a_key_are_those_that_begin_in_it():
    value = {"users": [{"id": 1, "é": "low"}, {"id": 22, "é": None}], "users.id": 3}
    found = {cost.key: cost[1:] for cost in notations(source("a.json", value), BYTES).keys}
    assert found == {
        "": (len("{}"), 0, 0),
        "users": (len('"users":[{},{}]'), len('"users":'), 1),
        "users.id": (len('"id":1"id":22,"users.id":3'), len('"id":"id":,"users.id":'), 3),
        "users.é": (len(',"é":"low","é":null'.encode()), len(',"é":,"é":'.encode()), 2),
    }
    found = notations(source("rows.json", ROWS), load("gpt-4o"))
    assert sum(cost.tokens for cost in found.keys) == found.tokens["JSON without spaces"]
    assert [cost.tokens for cost in found.keys] == sorted((cost.tokens for cost in found.keys), reverse=True)


BAD = {
    "it is no JSON: Expecting": ("a.json", b"{'a': 1}"),
    "it is no JSON: NaN is no number": ("a.json", b'{"a": NaN}'),
    r"it is no JSON: Expecting value \(row 2, column 1\)": ("a.jsonl", b'{"a": 1}\n\nlow'),
    "; a file of data ends in .json, .*, .yaml or .yml": ("a.txt", b"low"),
    "^its lists and objects are nested too deeply$": ("a.json", b"[" * 50_000 + b"]" * 50_000),
    "nested too deeply": ("a.json", b"[" * 900 + b"]" * 900),
    "^it is no JSON: a number has too many digits$": ("a.json", b'{"a": ' + b"1" * 5000 + b"}"),
    "^it has the name “a” twice in one object$": ("a.json", b'{"a": 1, "b": {"a": 1, "a": 2}}'),
    "half of a surrogate pair": ("a.json", rb'"\ud83d"'),
    "row 2 has 3 values, and the header 2": ("a.csv", b"a,b\n1,2\n1,2,3\n"),
    "two of its columns have the same name": ("a.csv", b"a,a\n1,2\n"),
    "more than 1,000,000 characters, and is no list": ("a.json", json.dumps({"a": "low" * 400_000}).encode()),
    "this is not text in UTF-8": ("a.csv", b"a,b\n\xff,1\n"),
    "more than 16 MB": ("a.jsonl", b'"' + b"a" * (17 << 20) + b'"'),
}


@pytest.mark.parametrize("why", BAD)
def test_what_cannot_be_read_is_said(why, tmp_path):
    with pytest.raises(FoundFileError, match=why) as caught:
        notations(source(*BAD[why]), BYTES)
    path = tmp_path / BAD[why][0]
    path.write_bytes(BAD[why][1])
    with pytest.raises(FoundFileError) as named:  # a caller who gave a path may have given many
        notations(path, BYTES)
    assert str(named.value) == f"{path}: {caught.value}"


def test_of_a_long_list_the_first_elements_are_compared_and_a_process_answers(monkeypatch):
    monkeypatch.setattr(module, "MOST_CHARACTERS", 100)
    rows = [{"a": letter} for letter in string.ascii_letters]  # 10 characters each, with a comma
    lines = "\n".join(map(json.dumps, rows)).encode()
    for name, content in {"a.json": rows, "a.jsonl": lines}.items():
        assert module.read(source(name, content)) == (rows[:10], 10)
    monkeypatch.undo()
    files = FilesInChild([("a.jsonl", lines), ("b.json", b"low")])
    assert files.notations("a.jsonl", "gpt2") == notations(source("a.jsonl", lines), load("gpt2"))
    with pytest.raises(CountingError, match="it is no JSON"):
        files.notations("b.json", "gpt2")
    files.end()
