"""A text that a library refuses costs only itself: the others are answered, and it is named with what is unknown."""

import csv
import json
import zipfile

import pytest
from tokenizers import Tokenizer as Theirs
from tokenizers import models, pre_tokenizers

from bpe_core import Settings, load, loads, train
from bpe_core.cli.main import main
from bpe_core.counting import count_files
from bpe_core.counting.file_counts import counted
from bpe_core.counting.found_files import in_memory
from bpe_core.files.format import RefusedTextError
from bpe_core.files.safely import open_safely
from bpe_core.sameness.two_tokenizers import same
from bpe_core.text import custom_patterns
from tests.cli.driver import run

PIECES = [("a", -1.0), ("b", -1.5), ("ab", -1.2)]


def unigram(with_unknown=False):
    theirs = Theirs(models.Unigram([("<unk>", 0.0), *PIECES], 0) if with_unknown else models.Unigram(PIECES))
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return theirs


@pytest.fixture
def tokenizer(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(unigram().to_str())
    return path


@pytest.fixture
def texts(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "known.txt").write_text("ab b")
    (folder / "unknown.txt").write_text("ab \u1230 b")
    with zipfile.ZipFile(folder / "both.zip", "w") as archive:
        for name in ("known.txt", "unknown.txt"):
            archive.write(folder / name, name)
    with (folder / "table.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["text"], ["ab"], ["\u1230"], ["b b"], ["a\u1230"]])
    return folder


@pytest.mark.parametrize(
    ("model", "unknown"),
    [(models.Unigram(PIECES), "'\u1230' (U+1230)"), (models.WordLevel({"ab": 0}), "'a\u1230'")],
)
def test_what_is_unknown_is_named(model, unknown):
    theirs = Theirs(model)
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    file = {"tokenizer.json": theirs.to_str().encode()}
    tok, in_child = loads(file), open_safely(file)
    for of in (tok.ids, lambda text: tok.ids_batch(["ab", text]), lambda text: tok.encode(text).spans, in_child.ids):
        with pytest.raises(RefusedTextError) as caught:
            of("ab a\u1230")
        assert f"the model has no token for {unknown}, and no unknown token" in str(caught.value)


def test_files_rows_and_archives_are_counted_but_for_what_is_refused(tokenizer, texts):
    counts = count_files(texts, [tokenizer], column="text")
    rows = {file.name.rsplit("/", 1)[-1]: (*file.tokens, file.rows, file.characters) for file in counts.files}
    assert rows.pop("table.csv") == (3, 2, 5)
    assert set(rows.values()) == {(2, 1, 4)}, "the file, and the member of the archive if archives are opened"
    assert counts.total() == sum(tokens for tokens, *_ in [*rows.values(), (3,)])
    problems = {name.rsplit("/", 1)[-1]: why for name, why in counts.problems.items()}
    assert problems.pop("table.csv").startswith("2 rows, the first of them row 2: the library tokenizers refuses")
    assert problems["unknown.txt"].startswith("the library tokenizers refuses this text")
    assert all("U+1230" in why for why in problems.values() if "refuses" in why)


def test_commands_answer_the_other_texts(tokenizer, texts, capsys):
    names = [str(texts / name) for name in ("unknown.txt", "known.txt")]
    ids = unigram().encode("ab b").ids
    for arguments, out in (
        (["encode"], " ".join(map(str, ids))),
        (["encode", "--count"], str(len(ids))),
        (["encode", "--json"], json.dumps(ids)),
        (["show"], "ab"),
    ):
        assert main([*arguments, str(tokenizer), *names]) == 1
        found = capsys.readouterr()
        assert out in found.out
        assert f"{names[0]}: the library tokenizers refuses" in found.err
        assert "U+1230" in found.err
    assert main(["count", "--json", "--tokenizer", str(tokenizer), *names]) == 1
    found = capsys.readouterr()
    assert [file["file"] for file in json.loads(found.out)["files"]] == names[1:]
    assert "U+1230" in found.err


def test_a_text_that_one_side_refuses_is_a_difference():
    one, other = (loads({"tokenizer.json": unigram(known).to_str().encode()}) for known in (False, True))
    found = same(one, other, seconds=20)
    assert found.text is not None
    assert found.other_ids is not None
    both = same(one, one, seconds=3)
    assert (both.text, both.chkhsh[0].sum) == (None, "")


def test_the_error_of_a_batch_says_which_text_is_refused():
    file = {"tokenizer.json": unigram().to_str().encode()}
    for tok in (loads(file), open_safely(file)):
        for of in (tok.ids_batch, tok.encode_batch):
            for specials in (None, False, True):
                with pytest.raises(RefusedTextError, match=r"^texts\[2\]: the library tokenizers refuses .*U\+1230"):
                    of(["ab", "", "a\u1230", "\u1231"], specials=specials)
        assert tok.ids_batch(["ab", "b"], specials=True) == [unigram().encode(text).ids for text in ("ab", "b")]


def test_a_table_keeps_its_rows_and_a_text_its_place_among_several_tokenizers(tokenizer):
    rows = ["\u1230", "ab", "a\u1230"]
    lines = [json.dumps({"text": row}, ensure_ascii=False) + "\n" for row in rows]
    files = {"one.jsonl": lines[0], "three.jsonl": "".join(lines), "a.txt": rows[0], "b.txt": "ab"}
    found = [(name, text.encode()) for name, text in files.items()]
    for given in ([tokenizer], ["gpt2", tokenizer]):
        counts = counted(in_memory(found), given, "text")
        which = "" if len(given) == 1 else "with tokenizer 2, "
        assert [(file.name, file.rows, file.characters) for file in counts.files] == [
            ("one.jsonl", 0, 0), ("three.jsonl", 1, 2), ("b.txt", 1, 2)]  # fmt: skip
        assert [file.tokens[-1] for file in counts.files] == [0, 1, 1]
        assert counts.problems["one.jsonl"].startswith(f"row 1: {which}the library tokenizers refuses this text")
        assert counts.problems["three.jsonl"].startswith(f"2 rows, the first of them row 1: {which}the library")
        assert counts.problems["a.txt"].startswith(f"{which}the library tokenizers refuses this text")
        assert counts.lengths(len(given) - 1).tolist() == [1, 1]
    assert [file.tokens[0] for file in counts.files] == [0, *[load("gpt2").count("ab")] * 2]
    whole = counted(in_memory([("a.csv", b"a\nab\n"), ("b.csv", "a\n\u1230\nab\n".encode())]), [tokenizer])
    assert [(file.name, file.whole == ()) for file in whole.files] == [("a.csv", False), ("b.csv", True)]


def test_of_many_reasons_the_first_are_said(tmp_path):
    theirs = Theirs(models.WordLevel({"ab": 0}))
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    (tmp_path / "tokenizer.json").write_text(theirs.to_str())
    lines = "".join(json.dumps({"text": f"x{number}"}) + "\n" for number in range(9))
    found = counted(in_memory([("a.jsonl", lines.encode())]), [tmp_path / "tokenizer.json"], "text")
    *first, last = found.problems["a.jsonl"].split("; ")
    assert [each.partition(":")[0] for each in first] == [f"row {number}" for number in range(1, 6)]
    assert last == "4 more rows are refused"


def test_a_pattern_that_takes_too_long_on_a_text_costs_only_that_text(tmp_path, monkeypatch):
    monkeypatch.setattr(custom_patterns, "CUSTOM_SECONDS", 0.05)
    settings = Settings("custom", pattern="(a|aa|aaa)+$|[^a]+", vocab_size=257)
    slow = train("low low", settings).tokenizer()
    long = "a" * 5000 + "b"
    rows = "".join(json.dumps({"text": text}) + "\n" for text in ("low", long + "b"))
    files = {"slow.txt": long, "fast.txt": "low", "rows.jsonl": rows}
    counts = counted(in_memory((name, text.encode()) for name, text in files.items()), [slow], "text")
    why = "the pattern takes too long on this text; make it simpler"
    assert counts.problems == {"slow.txt": why, "rows.jsonl": f"row 2: {why}"}
    assert [(file.name, file.rows, *file.tokens) for file in counts.files] == [
        ("fast.txt", 1, slow.count("low")), ("rows.jsonl", 1, slow.count("low"))]  # fmt: skip


def test_encode_answers_the_other_texts_and_trim_names_the_one_that_a_pattern_refuses(tmp_path, monkeypatch):
    monkeypatch.setattr(custom_patterns, "CUSTOM_SECONDS", 0.05)
    files = {name: str(tmp_path / name) for name in ("low.txt", "slow.txt", "gpt2.tiktoken")}
    (tmp_path / "low.txt").write_text("low low")
    (tmp_path / "slow.txt").write_text("a" * 5000 + "c")
    load("gpt2").save(files["gpt2.tiktoken"])
    (tmp_path / "gpt2.tiktoken.json").unlink()  # it says how text is split
    line = [files["gpt2.tiktoken"], files["slow.txt"], files["low.txt"], "--pretokenizer", "(a|aa|aaa)+$|[^a]+"]
    why = "slow.txt: the pattern takes too long on this text; make it simpler"
    done = run("encode", *line, "--count")
    assert (done.returncode, done.stdout.split()) == (1, [str(len(load("gpt2").encode_word("low low"))).encode()])
    assert why in done.stderr.decode()
    trimmed = run("trim", *line, "--out", tmp_path / "small.json")
    assert (trimmed.returncode, (tmp_path / "small.json").exists()) == (1, False)
    assert f"{why}; nothing is trimmed without this text\n" in trimmed.stderr.decode()
