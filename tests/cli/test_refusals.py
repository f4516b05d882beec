"""What the commands cannot do: one line says so, and nothing is left behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.children import ran
from tests.cli.driver import PLAIN, ROOT, STORY, command, ended, run


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "required: COMMAND"),
        (["train", STORY], 2, "required: --vocab-size, --out"),
        (["train", STORY, "--vocab-size", "many", "--out", "x"], 2, "'many' is not a whole number"),
        (["train", "missing.txt", "--vocab-size", "300", "--out", "x"], 1, "missing.txt: No such file or directory"),
        (["train", STORY, "--vocab-size", "100", "--out", "x"], 1, "vocab_size 100 is below the 256 base symbols"),
        (["train", STORY, "--vocab-size", "300", "--out", "no/x"], 1, "no: there is no such folder"),
        (
            ["train", "missing.txt", "--vocab-size", "300", "--out", "x.tiktoken", "--pretokenizer", "whitespace"],
            1,
            "a rank file is written for a split that keeps every character",
        ),
        (["encode", STORY], 1, "this file is not a tokenizer"),
        (["encode", "", STORY], 1, "a name is needed, such as gpt-4o"),
        (["encode", "gpt2", ""], 1, "the name of a file is empty; - is standard input"),
        (["train", "", "--vocab-size", "300", "--out", "x"], 1, "the name of a file is empty"),
        (["encode", sys.executable], 1, "python"),
        (["compare", sys.executable], 2, "this is not text in UTF-8"),
        (["train", STORY, "--vocab-size", "300", "--out", ""], 2, "a name is needed"),
        (["train", STORY, "--vocab-size", "300", "--out", "-"], 2, "a name is needed"),
        (["train", STORY, "--vocab-size", "300", "--out", "new/"], 1, "new: there is no such folder"),
        (["train", STORY, "--vocab-size", "300", "--out", "merges.txt"], 1, "merges.txt has to end in vocab.json"),
        (["train", STORY, "--vocab-size", "300", "--out", STORY], 1, "is read by this command, and would be"),
        (["train", STORY, "--vocab-size", "300", "--out", "/proc/x"], 1, "/proc/x: "),
        (["train", STORY, "--vocab-size", "300", "--out", "x", "--workers", "100000"], 2, "up to 64 can count"),
        (["train", STORY, "--vocab-size", "300", "--out", "x", "--pattern", ""], 1, "the pattern is empty"),
        (["train", STORY, "--vocab-size", "300", "--out", "x", "--pattern", "("], 1, "does not compile"),
        (
            ["train", STORY, "--vocab-size", "300", "--out", "x", "--special-tokens", ""],
            1,
            "special_tokens must be different",
        ),
        (["train", STORY, "--vocab-size", "300", "--out", "x", "--dask", "nowhere"], 1, "no Dask cluster at nowhere"),
        (["train", STORY, STORY, "no.txt", "--vocab-size", "300", "--out", "x"], 1, "no.txt: No such file"),
        (["train", STORY, "--vocab-size", "300", "--out", "x", "--tie-rule", "mine"], 2, "invalid choice: 'mine'"),
        (["trim", "gpt2", STORY, "--out", "x", "--ids", "./x"], 1, "x would be written twice: give each file a name"),
        (["trim", "gpt2", STORY, "--out", "x.tiktoken", "--ids", "x.tiktoken.json"], 1, "would be written twice"),
        (["train", ".", "--vocab-size", "300", "--out", "x"], 1, ".: this is a folder, and a file is needed"),
        (["train", "-", STORY, "-", "--vocab-size", "300", "--out", "x"], 1, "and - is given twice"),
        (["steps", STORY, "--pattern", "a", "--pretokenizer", "line"], 1, "--pattern and --pretokenizer both say"),
        (["steps", STORY, "--start", "gpt2", "--alphabet", "characters"], 1, "--alphabet has no effect with --start"),
        (["encode", "gpt2", "--text", "a\udcff"], 2, "this is not text in UTF-8 (byte 2)"),
        (["encode"], 2, "required: tokenizer (see"),
        (["encode", "gpt2", "no\x1b[31mpe"], 1, "no\\x1b[31mpe"),
        (["count", "-", "-"], 1, "standard input can be read once only"),
        (["site", STORY], 1, "this is a file, and a folder is needed"),
        (["count", STORY, "--tokenizer", "gpt-4o,qwen"], 1, "each tokenizer has its own --tokenizer"),
        (["film", STORY, "--beside", "gpt2", "--out", "x.html"], 2, "'gpt2' is not a setting and its value, such as"),
        (["film", STORY, "--beside", "tie-rule=mine", "--out", "x.html"], 2, "'mine' is not one of first-seen"),
        (["film", STORY, "--out", "tokenizer.json"], 2, "'tokenizer.json' has to end in .html"),
        (["page", "gpt2", STORY, "--out", "x"], 2, "'x' has to end in .html"),
        (["encode", "gpt2", "--pretokenizer", "cl100k", STORY], 1, "gpt2: this vocabulary says itself how text is"),
        (
            ["compare", STORY, "--tokenizers", "gpt2", "gpt-4o", "--pretokenizers", "gpt2", "bert"],
            2,
            "choose one of them",
        ),
        (["film", STORY, "--step", "99", "--out", "x.html"], 1, "this run: it has steps 0 to 44"),
        (["draw", "step", STORY, "--out", "x.gif"], 2, "'x.gif' has to end in .svg, .png, .html or .tex"),
        (["draw", "step", STORY, "--step", "99", "--out", "x.svg"], 1, "this run: it has steps 0 to 44"),
        (["draw", "step", STORY, "--scale", "3", "--out", "x.svg"], 1, "--scale is for PNG, not for x.svg"),
        (["draw", "step", STORY, "--width", "1", "--out", "x.svg"], 2, "'1' is not a whole number from 200"),
    ],
)
def test_errors_are_one_line_and_leave_nothing(tmp_path, monkeypatch, capsys, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    assert ended(*arguments) == code
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1 or (code == 2 and arguments[0] != "compare")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ids", [["x"], ["99999"], ["-2"], ["--", "--5"], ["²"], ["9" * 5000]])
def test_ids_that_are_none(tokenizer, capsys, ids):
    assert ended("decode", tokenizer, *ids) == 1
    errors = capsys.readouterr().err
    assert ids[-1][:40] in errors
    assert errors.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("name", ["site", "gallery"])
def test_an_index_page_that_another_wrote_stays(tmp_path, name):
    (tmp_path / "index.html").write_text("my own page")
    assert b"index.html is there already and is none of ours" in run(name, tmp_path).stderr
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("index.html", "my own page")]


def test_a_text_of_the_command_line_is_read_where_python_takes_it_for_ascii():
    in_ascii = "é".encode().decode("ascii", "surrogateescape")
    assert run("encode", "gpt2", "--text", in_ascii).stdout == run("encode", "gpt2", "--text", "é").stdout


def test_a_column_is_said_to_be_of_no_table():
    done = run("count", STORY, "--column", "text")
    assert (done.returncode, b"none of these files is a table" in done.stderr) == (0, True)


def test_a_full_disk_is_one_line(tokenizer):
    for line in (["decode", tokenizer, 72], ["--help"]):
        with open("/dev/full", "wb") as full:
            done = ran(command(*line), stdout=full, stderr=subprocess.PIPE, env={**PLAIN, "PYTHONPATH": str(ROOT)})
        assert (done.returncode, done.stderr) == (1, b"bpe_core: No space left on device\n")


@pytest.mark.parametrize("command", ["encode", "decode"])
def test_a_closed_output_is_an_error(tokenizer, command):
    script = f"'{sys.executable}' -m bpe_core {command} '{tokenizer}' >&-"
    environment = {**PLAIN, "PYTHONPATH": str(ROOT)}
    done = ran(["bash", "-c", script], input=b"72", stderr=subprocess.PIPE, env=environment)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == b"bpe_core: standard output is closed, so there is nowhere to write to"


def test_a_text_that_cannot_be_read_costs_only_itself(tmp_path):
    (tmp_path / "a.txt").write_text("low")
    (tmp_path / "16.txt").write_bytes("low low".encode("utf-16-le"))
    files = [tmp_path / name for name in ("a.txt", "missing.txt", "16.txt", "a.txt")]
    ids = b"9319\n"
    for options, each in (((), ids), (("--count",), b"1\n")):
        done = run("encode", "gpt2", *files, *options)
        assert (done.returncode, done.stdout) == (1, each * 2)
        assert done.stderr.decode().splitlines() == [
            f"{files[1]}: there is no such file",
            f"{files[2]}: this is text in UTF-16 without a byte order mark: save it as UTF-8",
            "bpe_core: 2 texts could not be encoded",
        ]
    assert run("show", "gpt2", *files).stdout.count(b"low") == 2
    (line,) = run("encode", "gpt2", files[1]).stderr.decode().splitlines()
    assert line == f"bpe_core: {files[1]}: there is no such file"


def test_a_tokenizer_in_the_place_of_a_file_is_told_its_option():
    done = run("count", STORY, "--tokenizer", "gpt-4o", "qwen")
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        "qwen: no such file or directory",
        "each tokenizer has its own --tokenizer, such as --tokenizer gpt-4o --tokenizer qwen",
        "bpe_core: 1 file could not be counted, or only in part",
    ]
