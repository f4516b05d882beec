"""What commands say of a file by its content: the notations of data, and that a text is a chat."""

import json

import pytest

from bpe_core import load
from bpe_core.counting.other_notations import NOTATIONS, notations
from tests.cli.driver import ok, run

ROWS = [{"id": i, "name": f"Name {i}"} for i in range(9)]
CSV = "id,name\n" + "".join(f"{row['id']},{row['name']}\n" for row in ROWS)


@pytest.fixture
def data(tmp_path):
    (tmp_path / "rows.json").write_text(json.dumps(ROWS))
    return tmp_path / "rows.json"


def test_the_notations_of_data_are_those_of_the_library_the_fewest_tokens_first(data):
    counts = notations(data, "gpt-4o").tokens
    head, names, *table = ok("count", data, "--notations").decode().splitlines()
    assert head == str(data)
    assert names.split() == ["tokens", "notation"]
    shown = [line.split(maxsplit=1) for line in table[: len(NOTATIONS)]]
    assert {name: int(tokens) for tokens, name in shown} == counts
    assert [name for _, name in shown] == sorted(counts, key=counts.__getitem__)
    assert table[len(NOTATIONS)].split() == ["tokens", "of", "the", "name", "times", "dearest", "keys"]
    assert {line.split(maxsplit=3)[-1] for line in table[-3:]} == {"id", "name", "(outside all keys)"}


def test_other_forms_and_several_tokenizers(data):
    tokenizers = ("--tokenizer", "gpt2", "--tokenizer", "qwen")
    (found,) = json.loads(ok("count", data, "--notations", "--json", *tokenizers))
    assert found["notations"] == {name: dict(notations(data, name).tokens) for name in ("gpt2", "qwen")}
    assert sum(key["tokens"] for key in found["keys"]) == load("gpt2").count(NOTATIONS["JSON without spaces"](ROWS))
    rows = ok("count", data, "--notations", "--csv", *tokenizers).decode().split("\r\n")
    assert rows[0] == "gpt2,qwen,notation,file"
    assert len(rows) == 2 + len(NOTATIONS)


def test_what_has_no_ending_is_recognised_by_its_content(tmp_path, data):
    named, bare = tmp_path / "rows.csv", tmp_path / "rows"
    named.write_text(CSV)
    bare.write_text(CSV)
    first, second = (ok("count", each, "--notations").decode().split("\n", 1)[1] for each in (named, bare))
    assert first == second
    assert ok("count", "--notations", given=CSV.encode()).decode().split("\n", 1)[1] == first


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.txt", "no data", "none of these files is data"),
        ("a.json", "{", "1 file could not be read as data"),
        ("a.yaml", "a: *b", "1 file could not be read as data"),
    ],
)
def test_what_is_no_data_is_an_error(tmp_path, name, content, why):
    (tmp_path / name).write_text(content)
    done = run("count", tmp_path / name, "--notations")
    assert done.returncode
    assert why in done.stderr.decode()
    assert not done.stdout


def test_showing_a_chat_names_the_command_for_chats(tmp_path):
    (tmp_path / "a.json").write_text('[["user", "Hi"], ["assistant", "Hello"]]')
    said = run("show", "qwen", tmp_path / "a.json").stderr.decode()
    assert f"this is a chat of 2 turns; what a model is given of it: mergescope chat qwen {tmp_path / 'a.json'}" in said
    assert b"mergescope chat" not in run("show", "qwen", "--text", '[["red", "blue"]]').stderr
    (tmp_path / "my chat.json").write_text('[["user", "Hi"]]')
    said = run("show", "gpt-4o", tmp_path / "my chat.json").stderr.decode()
    assert f"mergescope chat gpt-4o '{tmp_path / 'my chat.json'}' --template FILE" in said, "it has no known template"
    assert "mergescope chat qwen FILE\n" in run("show", "qwen", "--text", '[["user", "Hi"]]').stderr.decode()
    assert run("show", "qwen", "--text", "dog").stderr == b"1 token, 3 characters\n"
