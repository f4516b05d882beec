"""The tokens of files beside tiktoken's, and what becomes of odd files, rows and names."""

import csv
import io
import json
import os
import random
import sys
import zipfile
from functools import partial

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import load
from bpe_core.counting import batch_counts, count_files, file_counts, file_rows, found_files, table_records
from bpe_core.counting.counts import NOT_COUNTED, RowNumbers
from bpe_core.counting.file_counts import counted
from bpe_core.counting.file_rows import columns_of
from bpe_core.counting.found_files import FoundFile, in_memory, in_paths
from bpe_core.counting.row_cutter import Cutter, Splits
from tests.children import ran
from tests.cli.driver import PLAIN, ROOT, ok, run
from tests.clusters import local_cluster
from tests.counting.tiktokens import tiktokens
from tests.texts import EXAMPLE_TEXTS, NASTY

TOKENIZERS = ["gpt-4o", "gpt2"]
TEXTS = [*EXAMPLE_TEXTS.values(), *(text.encode("utf-8", "ignore").decode() for text in NASTY), ""]


@pytest.fixture(scope="module")
def theirs():
    return [tiktokens(name) for name in TOKENIZERS]


def of(**files):
    """The counts of files in memory, by name; `_` stands for the dot."""
    found = [(name.replace("_", "."), each.encode() if isinstance(each, str) else each) for name, each in files.items()]
    return counted(in_memory(found), ["gpt2"])


def test_each_file_has_the_tokens_that_tiktoken_counts(tmp_path, theirs):
    texts = [text for text in TEXTS if "\0" not in text[:8000]]  # else the file is left out as binary
    for number, text in enumerate(texts):
        (tmp_path / f"{number:03}.txt").write_text(text, encoding="utf-8", newline="")
    found = count_files(tmp_path, TOKENIZERS)
    assert [file.tokens for file in found.files] == [tuple(count(text) for count in theirs) for text in texts]
    assert [file.characters for file in found.files] == [*map(len, texts)]
    assert found.total(1) == sum(map(theirs[1], texts))


@given(st.lists(st.integers(0, 1 << 18), min_size=1, max_size=60), st.integers(1, 9), st.data())
def test_numbers_of_rows_are_the_same_however_they_are_kept(sizes, rows, data):
    kept = RowNumbers()
    for at, size in enumerate(sizes):
        kept.append()
        kept.add(at, size)
        kept.close(data.draw(st.integers(0, at)), rows)
    wrong = data.draw(st.sets(st.integers(0, len(sizes) - 1)))
    ranges = [(min(wrong), min(wrong) + 1)] if wrong else []
    kept.drop([*wrong], ranges)
    expected = [NOT_COUNTED if at in wrong else size for at, size in enumerate(sizes)]
    assert kept.array().tolist() == expected == [kept[at] for at in range(len(kept))]
    assert kept.largest() == (max(expected), expected.index(max(expected)))
    assert kept.more_than(1000) == sum(each > 1000 for each in expected)
    left, shares = pd.Series([each for each in expected if each != NOT_COUNTED], dtype=float), [0, 0.3, 0.9, 1]
    found = kept.quantiles(shares)
    assert found == left.quantile(shares, "higher").dropna().to_list()
    assert all((left <= most).mean() >= share for share, most in zip(shares, found, strict=False))


@given(st.lists(st.text(), min_size=1), st.integers(1, 30))
def test_a_row_that_is_cut_has_the_tokens_of_the_whole(parts, size):
    tokenizer = load("gpt2")
    cutter = Cutter(Splits.of(tokenizer), size)
    texts = [part.encode("utf-8", "ignore").decode() for part in parts]
    pieces = [piece for i, text in enumerate(texts) for piece in cutter.cut(text, i == len(texts) - 1)]
    assert "".join(pieces) == "".join(texts)
    assert sum(map(tokenizer.count, pieces)) == tokenizer.count("".join(texts))


def tables(texts):
    """The same texts as a column of each kind of table."""
    lines, table, columns = io.StringIO(), io.BytesIO(), pa.table({"id": range(len(texts)), "text": texts})
    csv.writer(lines).writerows([["id", "text"], *enumerate(texts)])
    pq.write_table(columns, table, row_group_size=3)
    rows = "".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(texts))
    return {"a.jsonl": rows.encode(), "a.csv": lines.getvalue().encode(), "a.parquet": table.getvalue()}


def test_rows_of_tables_are_those_of_pandas_and_so_are_their_quantiles(tmp_path, theirs):
    texts = [text.replace("\0", "") for text in TEXTS]
    expected = pd.Series([theirs[1](text) for text in texts])
    for name, content in tables(texts).items():
        (tmp_path / name).write_bytes(content)
        found = count_files(tmp_path / name, "gpt2", "text")
        if name == "a.csv":  # Python's reader takes a lone \r for the end of a line outside quotes only
            read = pd.read_csv(tmp_path / name, keep_default_na=False)["text"]
            assert [theirs[1](text) for text in read] == expected.to_list()
        assert found.problems == {}
        assert found.lengths().tolist() == expected.to_list(), name
        shares = [0, 0.1, 0.5, 0.9, 0.99, 1]
        assert found.quantiles(shares) == expected.quantile(shares, "higher").to_list()
        assert found.longer_than(100) == (expected > 100).sum()
        assert columns_of(FoundFile(name, 0, lambda content=content: io.BytesIO(content))) == ["id", "text"]
    assert count_files(tmp_path / "a.parquet", "gpt2").lengths().tolist() == expected.to_list()  # its only texts


def test_a_cluster_counts_the_same(tmp_path):
    for name, content in tables(TEXTS[:6]).items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "bad.txt").write_bytes(b"low \xff")
    with local_cluster(2) as local:
        theirs, ours = (count_files(tmp_path, TOKENIZERS, "text", dask=at) for at in (local.scheduler_address, ""))
    assert theirs.files == ours.files
    assert len(ours.files) == 3
    assert [each.array().tolist() for each in theirs.tokens] == [each.array().tolist() for each in ours.tokens]


def test_without_a_column_a_record_counts_as_it_stands(theirs):
    found = counted(in_memory([("a.jsonl", b'{"a": 1}\r\n\n{"b": 2}'), ("a.csv", b'a;b\n"x\ny";2\n\n3;4\n')]), ["gpt2"])
    assert found.lengths().tolist() == [theirs[1](each) for each in ('{"a": 1}', '{"b": 2}', '"x\ny";2', "3;4")]


def test_what_cannot_be_counted_is_named_and_costs_no_other_its_count(tmp_path):
    folder = tmp_path / "here"
    (folder / "deeper").mkdir(parents=True)
    (folder / "good.txt").write_text("low lower")
    (folder / "deeper/empty.txt").write_text("")
    (folder / "latin.txt").write_bytes("Gr\u00fc\u00dfe".encode("latin-1"))
    (folder / "picture.png").write_bytes(b"\x89PNG\0\0")
    (folder / ".hidden").write_text("low")
    (folder / "deeper/round").symlink_to(folder)
    os.mkfifo(folder / "queue")
    (folder / "table.jsonl").write_text('{"text": "low"}\nnot json\n{"other": 1}\n{"text": [1]}\n[]\n')
    (folder / "broken.parquet").write_bytes(b"PAR1 and nothing else")
    (folder / "locked.txt").write_text("low")
    os.rename(folder / "locked.txt", os.fsencode(folder) + b"/caf\xe9.txt")
    found = count_files([folder, tmp_path / "absent", folder / "picture.png"], "gpt2", "text")
    names = {file.name.removeprefix(f"{folder}/"): file for file in found.files}
    assert {name: file.tokens for name, file in names.items()} == {
        "caf\\xe9.txt": (1,),
        "deeper/empty.txt": (0,),
        "good.txt": (2,),
        "table.jsonl": (4,),  # low, and the three of [1]
    }
    assert names["table.jsonl"].rows == 2
    assert found.left_out == {"hidden": 1, "symbolic link": 1, "picture": 1, "no ordinary file": 1}
    problems = {name.removeprefix(f"{folder}/"): why for name, why in found.problems.items()}
    assert problems.pop(str(tmp_path / "absent")) == "no such file or directory"
    assert problems.pop("broken.parquet").startswith("it cannot be read as Parquet: ")
    assert problems == {
        "latin.txt": "this is not text in UTF-8 (byte 2)",
        "picture.png": "it is a picture, and no text",
        "table.jsonl": "row 2 is no JSON; 2 rows are without a value of “text”, the first of them row 3",
    }


def test_a_column_that_is_there_twice_is_not_guessed(tmp_path):
    (tmp_path / "a.csv").write_text("text,id,text\nlow,1,lower\n")
    pq.write_table(
        pa.Table.from_arrays([pa.array(["low"]), pa.array(["new"])], names=["text"] * 2), tmp_path / "b.parquet"
    )
    assert [*pd.read_csv(tmp_path / "a.csv")] == ["text", "id", "text.1"], "pandas gives them names of their own"
    found = count_files([tmp_path], ["gpt2"], "text")
    problem = "it has 2 columns “text”: give each a name of its own"
    assert [*found.problems.values()] == [problem] * 2
    assert count_files([tmp_path / "a.csv"], ["gpt2"], "id").total() == 1
    assert repr(count_files([tmp_path / "a.csv"], [], "id")) == "<Counts: 1 row of 1 file>"
    with pytest.raises(ValueError, match="no tokenizer was given, so there are no counts of tokens"):
        count_files([tmp_path / "a.csv"], []).total()


def test_a_text_in_another_encoding_is_said_to_need_saving(tmp_path):
    (tmp_path / "latin.csv").write_bytes("text\ncafé\n".encode("latin-1"))
    said = run("count", tmp_path / "latin.csv").stderr.decode()
    assert "not text in UTF-8 (byte 8)\na text in another encoding is counted once it is saved as UTF-8\n" in said


@pytest.mark.skipif(os.geteuid() == 0, reason="for root every file is readable")
def test_an_unreadable_file_is_named(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text("low")
    (tmp_path / "a").chmod(0)
    found = count_files(tmp_path, "gpt2")
    assert [file.name for file in found.files] == [str(tmp_path / "b")]
    assert found.problems == {str(tmp_path / "a"): "permission denied"}


def test_a_file_that_ends_as_no_text_is_in_no_sum_even_where_its_beginning_was_counted(monkeypatch):
    monkeypatch.setattr("bpe_core.counting.file_counts.CHUNK", 50)
    found = of(a_txt=b"low " * 100_000 + b"\xff", b_txt="low")
    assert [file.name for file in found.files] == ["b.txt"]
    assert (found.total(), found.lengths().tolist()) == (1, [1])
    assert [*found.problems] == ["a.txt"]


def test_what_is_too_long_to_be_read_as_a_whole_is_named(monkeypatch):
    for module in (file_rows, table_records):
        monkeypatch.setattr(module, "LONGEST", 1 << 16)
    long = json.dumps({"text": "low " * 20_000})
    rows = f'{{"text": "low"}}\n{long}\n{{"text": "low"}}\n'
    found = counted(
        in_memory([("a.jsonl", rows.encode()), ("a.csv", f'text\n"{"low " * 20_000}'.encode())]), ["gpt2"], "text"
    )
    assert found.lengths().tolist() == [1, 1]
    assert found.problems == {
        "a.jsonl": "row 2 is longer than 0 MB",
        "a.csv": "row 1 is longer than 0 MB: perhaps a quote is not closed",
    }


def test_what_is_no_number_of_json_is_named():
    found = counted(in_memory([("a.jsonl", b'{"t": 1}\n{"t": NaN}\n{"t": -Infinity}')]), ["gpt2"], "t")
    assert found.problems == {"a.jsonl": "2 rows are no JSON, the first of them row 2"}


def archive(files, compression=zipfile.ZIP_DEFLATED):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as made:
        for name, each in files:
            made.writestr(name, each)
    return content.getvalue()


def test_an_archive_is_counted_within_limits():
    inner = archive([("a.txt", "low")])
    whole = archive(
        [("a/b.txt", "low lower"), ("../../out.txt", "low"), (".git/x", "low"), ("c.zip", inner), ("d/", "")]
    )
    found = counted(in_memory([("x.zip", whole)]), ["gpt2"])
    assert {file.name: file.tokens for file in found.files} == {"x.zip/a/b.txt": (2,), "x.zip/../../out.txt": (1,)}
    assert found.problems == {"x.zip/c.zip": "an archive within an archive is not opened"}
    many = archive([(f"{i}.txt", "low") for i in range(found_files.MOST_ENTRIES + 1)], zipfile.ZIP_STORED)
    found = counted(in_memory([("many.zip", many)]), ["gpt2"])
    assert len(found.files) == found_files.MOST_ENTRIES
    assert found.problems == {"many.zip": "the archive has 2,001 files: only the first 2,000 are counted"}


def test_nothing_to_count_is_no_error():
    found = counted(in_memory([("x.zip", archive([("y.zip", archive([]))]))]), ["gpt2", "qwen"])
    assert (found.rows, found.total(), found.quantiles([0.5]), found.longer_than(1)) == (0, 0, [], 0)
    assert [*found.problems] == ["x.zip/y.zip"]


def test_a_bomb_is_counted_while_it_is_read_and_a_lie_about_its_size_is_not_believed(monkeypatch):
    """Archives have one limit together, and the sentence does not blame the last one."""
    monkeypatch.setattr(found_files, "MOST_UNPACKED", 3 << 20)
    bomb = bytearray(archive([("good.txt", "low"), ("bomb.txt", b"low " * 1_000_000)]))
    size = (4_000_000).to_bytes(4, "little")
    assert bomb.count(size) == 2  # before the entry, and in the list at the end
    lie = bytes(bomb).replace(size, (10).to_bytes(4, "little"))
    half = archive([("half.txt", b"low " * 500_000)])
    found = counted(in_memory([("half.zip", half), ("again.zip", half)]), ["gpt2"])
    assert [file.name for file in found.files] == ["half.zip/half.txt"]
    assert found.problems == {"again.zip/half.txt": "the archives have more than 3 MB when they are unpacked"}
    found = counted(in_memory([("x.zip", lie)]), ["gpt2"])
    assert [file.name for file in found.files] == ["x.zip/good.txt"]
    damaged = counted(in_memory([("x.zip", bytes(bomb[:-30])), ("y.txt", b"low")]), ["gpt2"])
    assert [file.name for file in damaged.files] == ["y.txt"]
    assert damaged.problems["x.zip"].startswith("the archive cannot be read")


MEASURED = """
import sys
from bpe_core.counting import count_files
found = count_files(sys.argv[1], "gpt-4o")
peak = int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) / 1024
print(found.rows, found.total(), peak)
"""


@pytest.mark.thorough
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the system does not tell the memory")
def test_files_are_counted_within_300_mb(tmp_path):
    """A line of 16 MB, one of 5 MB, and many short ones."""
    words = EXAMPLE_TEXTS["short-story"].split()
    text = " ".join(random.Random(1).choices(words, k=400_000))
    short = (" ".join(words[:20]) + "\n") * 60_000
    with (tmp_path / "a.jsonl").open("w") as file:
        file.write(short + ("x " + text * 10)[: 16 << 20] + "\n" + text[:5_000_000] + "\n" + short)
    line = [sys.executable, "-c", MEASURED, str(tmp_path)]
    done = ran(line, capture_output=True, text=True, check=True, env={**PLAIN, "PYTHONPATH": str(ROOT)})
    rows, total, peak = map(float, done.stdout.split())
    assert rows == 120_002
    assert total > 5_000_000
    assert peak < 300


def test_the_command_names_files_and_sums_in_three_forms(tmp_path, theirs):
    (tmp_path / "a.txt").write_text("low lower lowest")
    (tmp_path / "b\nc.txt").write_text("low")
    (tmp_path / "rows.csv").write_text("text,n\nlow low,1\nlow,2\n")
    options = ["--tokenizer", "gpt-4o", "--tokenizer", "gpt2", "--column", "text", "--limit", "1", "--price", "2.50"]
    text = ok("count", tmp_path, *options).decode()
    lines = text.splitlines()
    assert lines[0].split() == ["gpt-4o", "gpt2", "characters", "rows", "file"]
    assert "b\\nc.txt" in lines[1]
    assert lines[4].split()[4:] == ["total", "of", "3", "files"]
    assert "gpt2: 2 of 4 rows are longer than 1 token" in lines
    figures = json.loads(ok("count", tmp_path, *options, "--json"))
    expected = sum(map(theirs[0], ["low lower lowest", "low", "low low", "low"]))
    assert figures["tokens"]["gpt-4o"] == expected
    assert figures["cost"]["gpt-4o"] == pytest.approx(expected * 2.5e-6)
    assert figures["longer"] == {"gpt-4o": 2, "gpt2": 2}
    rows = [*csv.reader(io.StringIO(ok("count", tmp_path, *options, "--csv").decode()))]
    assert [row[-1] for row in rows] == ["file", *(each["file"] for each in figures["files"])]
    assert [int(row[0]) for row in rows[1:]] == [each["tokens"]["gpt-4o"] for each in figures["files"]]


def test_as_many_rows_as_the_command_says_have_at_most_as_many_tokens(tmp_path):
    """A line between two rows would give 60 tokens for 90 %, but only 40 of the 45 rows have at most 60."""
    sizes = [*[15] * 40, 90, 200, 200, 201, 360]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"text": " low" * size}) + "\n" for size in sizes))
    options = ["--tokenizer", "gpt2", "--column", "text"]
    said = ok("count", tmp_path, *options).decode()
    assert "half have at most 15, 90% 90, 99% 360" in said
    assert json.loads(ok("count", tmp_path, *options, "--json"))["quantiles"] == {
        "gpt2": {"0.5": 15, "0.9": 90, "0.99": 360}
    }


def test_the_header_and_the_line_ends_of_a_table_are_in_no_row_but_a_part_of_all_of_the_file(tmp_path, theirs):
    records = ['1,"The keeper\nslept."', "2,A dog!"]
    whole = "\n".join(["id,text", *records, ""])
    (tmp_path / "a.csv").write_text(whole)
    (file,) = json.loads(ok("count", tmp_path, "--json"))["files"]
    assert (file["rows"], file["characters"]) == (2, sum(map(len, records)))
    assert file["tokens"]["gpt-4o"] == sum(map(theirs[0], records))
    assert file["whole"]["gpt-4o"] == theirs[0](whole)
    more = theirs[0](whole) - sum(map(theirs[0], records))
    said = f"headers and line ends of tables take {more:,} tokens; all of the files {theirs[0](whole):,}\n"
    assert said in ok("count", tmp_path).decode()
    assert "headers" not in ok("count", tmp_path, "--column", "text").decode()
    (tmp_path / "b.csv").write_text("id\n1\n")
    total = sum(map(theirs[0], [*records, "1"]))
    all_of_both = theirs[0](whole) + theirs[0]("id\n1\n")
    cost = f"cost at 5000 a million tokens: {total * 0.005:.4f}; of all of the files {all_of_both * 0.005:.4f}\n"
    assert cost in ok("count", tmp_path, "--price", 5000).decode()
    (tmp_path / "b.csv").write_text(f"id\n{'low ' * 99}\n")
    assert f"the longest, {tmp_path / 'b.csv'}, row 1, has {theirs[0]('low ' * 99)}\n" in ok("count", tmp_path).decode()
    (tmp_path / "b.csv").unlink()
    count = counted([*in_paths([tmp_path])], ["gpt-4o"])
    assert (count.total(), count.whole()) == (sum(map(theirs[0], records)), theirs[0](whole))
    help_text = " ".join(ok("count", "--help").decode().split())
    assert "as it stands in the file, but for its line end, and a header does not count" in help_text
    assert "a text is one row, a table has a row for each record" in help_text


def test_the_command_reads_standard_input_and_says_what_is_wrong_at_the_end(tmp_path):
    assert ok("count", "--json", given=b"low lower")
    (tmp_path / "a.txt").write_text("low")
    done = run("count", tmp_path / "a.txt", tmp_path / "absent", "--csv")
    assert done.returncode == 1
    assert done.stdout.endswith(b"a.txt\r\n")
    assert done.stderr.decode().endswith(
        f"{tmp_path}/absent: no such file or directory\nbpe_core: 1 file could not be counted, or only in part\n"
    )
    assert b"is not a price" in run("count", "--price", "nan").stderr


def test_what_is_without_a_place_to_cut_is_no_row_and_named(monkeypatch, theirs):
    for module in (file_counts, batch_counts):
        monkeypatch.setattr(module, "CHUNK", 50)
    monkeypatch.setattr(file_counts, "Cutter", partial(Cutter, size=50, longest=60))
    rows = ["low lower", "a" * 100, "low " * 40, "b" * 100, "lowest"]
    table = "".join(json.dumps({"text": row}) + "\n" for row in rows)
    files = {"a.jsonl": table, "b.jsonl": json.dumps({"text": rows[1]}), "a.txt": rows[1], "b.txt": rows[2]}
    found = counted(in_memory((name, text.encode()) for name, text in files.items()), TOKENIZERS, "text")
    assert found.problems == {
        "a.jsonl": "2 rows are without a place to cut it within 16 MB, the first of them row 2",
        "b.jsonl": "row 1 is without a place to cut it within 16 MB",
        "a.txt": "it is without a place to cut it within 16 MB",
    }
    kept = [rows[at] for at in (0, 2, 4)]
    counts = [tuple(sum(map(count, texts)) for count in theirs) for texts in (kept, [], rows[2:3])]
    assert [(file.name, file.tokens, file.characters, file.rows) for file in found.files] == [
        ("a.jsonl", counts[0], sum(map(len, kept)), 3),
        ("b.jsonl", counts[1], 0, 0),
        ("b.txt", counts[2], 160, 1),
    ]


def test_tables_in_an_archive_have_columns():
    (found,) = in_memory([("x.zip", archive([("a.csv", "id,text\n1,low\n")]))])
    assert columns_of(found) == ["id", "text"]
