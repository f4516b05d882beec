"""The records of tables beside Python's `csv` and pandas: each value is counted, or refused with its row."""

import csv
import io
from datetime import date

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core.counting.file_counts import counted
from bpe_core.counting.file_rows import columns_of, rows, table_records
from bpe_core.counting.found_files import FoundFileError, in_memory
from bpe_core.counting.other_notations import read
from tests.cli.driver import ok, run
from tests.counting.tiktokens import tiktokens

VALUES = st.text('ab ,;\t|"\n\ré1.', max_size=6)
DELIMITERS = {".csv": ",;\t|", ".tsv": "\t", ".tab": "\t"}


def file_of(name, content):
    (found,) = in_memory([(name, content if isinstance(content, bytes) else content.encode())])
    return found


def values(name, content, column):
    """The values of a column, and the reasons for those that are refused."""
    found = [*rows(file_of(name, content), column)]
    return [part.text for part in found if not part.why], [part.why for part in found if part.why]


def _is_seen(row):
    """Whether a record is more than white space, which pandas takes for an empty line even in quotes."""
    return any(map(str.strip, row))


@st.composite
def tables(draw):
    """A table with two to four columns, as `csv` writes it; some rows are longer or shorter than the header."""
    ending = draw(st.sampled_from([*DELIMITERS]))
    delimiter = draw(st.sampled_from(DELIMITERS[ending]))
    names = ["id", "text", "more", "last"][: draw(st.integers(2, 4))]
    size = len(names)
    full = draw(st.lists(st.lists(VALUES, min_size=size, max_size=size), min_size=3, max_size=8))
    odd = draw(st.lists(st.lists(VALUES, min_size=1, max_size=5).filter(_is_seen), max_size=1))
    lines = io.StringIO(newline="")
    quoting, end = draw(  # with quotes where they are needed, `csv` quotes the characters of its own line end alone
        st.sampled_from([(csv.QUOTE_MINIMAL, "\r\n"), *((csv.QUOTE_ALL, end) for end in ("\n", "\r\n", "\r"))])
    )
    csv.writer(lines, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows([names, *full, *odd])
    return ending, delimiter, lines.getvalue()


@example((".csv", ";", "id;text\n1;low, lower\n2;new, old, more\n3;b\n"))
@example((".csv", ";", "id;price\n1;1,5\n2;2,5\n"))
@example((".tsv", "\t", "text\nhello, world and more words\n"))
@example((".csv", ",", 'id,text\n1,"a;b;c"\n2,d;e\n'))
@example((".csv", ",", "text;id,n\na,1\nb,2\n"))
@example((".csv", "\t", "id\ttext\r1\tlow\r2\tnew, old\r"))
@given(tables())
def test_each_value_is_that_of_csv_and_of_pandas_or_its_row_is_refused(table):
    ending, delimiter, text = table
    name = f"a{ending}"
    theirs = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    assert [*table_records(file_of(name, text))] == theirs
    header, *records = theirs
    frame = pd.read_csv(
        io.StringIO(text, newline=""), sep=delimiter, keep_default_na=False, na_values=[], dtype=str,
        on_bad_lines="skip", skip_blank_lines=True,
    )  # fmt: skip
    for number, column in enumerate(header):
        found, refused = values(name, text, column)
        fits = [row for row in records if len(row) <= len(header)]
        assert found == [row[number] for row in fits if number < len(row)]
        assert len(found) + len(refused) == len(records)
        # What a record lacks is an empty text for pandas.
        assert frame[column].tolist() == [row[number] if number < len(row) else "" for row in fits]


def test_whole_records_are_as_they_stand_whatever_their_length():
    text = 'id,text\r\n1,"low\r\nlower"\r\n\r\n2\r\n3,a,b\r\n4,"c"'
    assert values("a.csv", text, "") == (['1,"low\r\nlower"', "2", "3,a,b", '4,"c"'], [])


@given(st.lists(VALUES, min_size=1, max_size=4), st.sampled_from(["", "text"]), st.booleans())
def test_a_quote_that_never_closes_is_refused_with_its_row_where_pandas_refuses_it(before, column, ends):
    lines = io.StringIO(newline="")
    csv.writer(lines, quoting=csv.QUOTE_ALL).writerows([["id", "text"], *enumerate(before)])
    text = lines.getvalue() + '9,"never closed, 1\n2,3' + "\n" * ends
    with pytest.raises(pd.errors.ParserError, match="EOF inside string"):
        pd.read_csv(io.StringIO(text, newline=""))
    why = f"row {len(before) + 1} has a quote that is not closed"
    with pytest.raises(FoundFileError, match=why):
        values("a.csv", text, column)
    with pytest.raises(FoundFileError, match=why):
        read(file_of("a.csv", text))
    assert counted(in_memory([("a.csv", text.encode())]), ["gpt2"], column).problems == {"a.csv": why}


def test_the_rows_that_are_refused_are_named_by_the_command(tmp_path):
    content = "text\nhello, world and more words\n"
    (tmp_path / "a.tsv").write_text(content)
    (tmp_path / "a.csv").write_text(content + "low\n")
    expected = tiktokens("gpt-4o")("hello, world and more words")
    assert ok("count", tmp_path / "a.tsv", "--column", "text", "--csv").decode().split()[1].startswith(f"{expected},")
    done = run("count", tmp_path / "a.csv", "--column", "text")
    assert (done.returncode, expected) == (1, 6)
    assert f"{tmp_path}/a.csv: row 1 is longer than the header\n" in done.stderr.decode()
    with pytest.raises(FoundFileError, match="row 1 has 2 values, and the header 1"):
        read(file_of("a.csv", content))


def test_columns_of_parquet_count_as_the_texts_that_they_are(tmp_path):
    texts = ["low", "The keeper's café", "low", ""]
    kinds = {
        "string": pa.array(texts),
        "large_string": pa.array(texts, pa.large_string()),
        "string_view": pa.array(texts, pa.string_view()),
        "dictionary": pa.array(texts).dictionary_encode(),
        "binary": pa.array([text.encode() for text in texts]),
        "large_binary": pa.array([text.encode() for text in texts], pa.large_binary()),
    }
    count = tiktokens("gpt2")
    for kind, column in kinds.items():
        path = tmp_path / f"{kind}.parquet"
        pq.write_table(pa.table({"n": range(4), "text": column}), path)
        for name in ("text", "") if "binary" not in kind else ("text",):
            found = counted([file_of(path.name, path.read_bytes())], ["gpt2"], name)
            assert found.problems == {}, kind
            assert found.lengths().tolist() == [count(text) for text in texts], kind
    pq.write_table(pa.table({"text": [b"low", b"\xff\xd8", b"new"], "in a list": [[b"low"], [b"\xff"], []]}),
                   tmp_path / "bytes.parquet")  # fmt: skip
    for column, kept in (("text", ["low", "new"]), ("in a list", ['["low"]', "[]"])):
        found = counted([file_of("a.parquet", (tmp_path / "bytes.parquet").read_bytes())], ["gpt2"], column)
        assert found.problems == {"a.parquet": f"row 2 is of bytes that are no text in UTF-8, in “{column}”"}
        assert found.lengths().tolist() == [*map(count, kept)]
    pq.write_table(pa.table({"day": [date(2024, 5, 1)]}), tmp_path / "days.parquet")
    day = counted([file_of("a.parquet", (tmp_path / "days.parquet").read_bytes())], ["gpt2"], "day")
    assert day.lengths().tolist() == [count('"2024-05-01"')]


def test_the_names_of_columns_are_those_of_the_chosen_delimiter():
    assert columns_of(file_of("a.csv", "id;text\n1;low, lower\n")) == ["id", "text"]
    assert columns_of(file_of("a.tsv", "id, n;text\tmore\n1\t2\n")) == ["id, n;text", "more"]
    assert columns_of(file_of("a.csv", b"\xff\xfe" + "id,text\n1,low\n".encode("utf-16-le"))) == ["id", "text"]
