"""A text that a library refuses costs only itself: the others are answered, and it is named with what is unknown."""

import csv
import json
import zipfile

import pytest
from tokenizers import Tokenizer as Theirs
from tokenizers import models, pre_tokenizers

from bpe_core import loads
from bpe_core.cli.main import main
from bpe_core.counting import count_files
from bpe_core.files.format import RefusedTextError
from bpe_core.files.safely import open_safely
from bpe_core.sameness.same import same

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
