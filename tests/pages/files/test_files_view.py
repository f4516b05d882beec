"""The page Files: what was counted, what can be entered and read, what is refused."""

import json
import re
from html import unescape

import pandas as pd
import pyarrow
import pytest

from bpe_core import load
from bpe_core.counting import in_child
from bpe_core.counting.file_counts import counted
from bpe_core.counting.found_files import in_memory
from bpe_core.counting.other_notations import Notations
from pages.parts.files import counted_files, files_view, notations_view
from pages.parts.server.limits import LIMITS
from pages.parts.state import links
from pages.parts.state.files_state import Files
from pages.parts.texts.examples import EXAMPLES, FOLDER
from tests.pages.driver import html, link, visit
from tests.pages.session import choose_values

FILES = [
    ("docs/a.md", b"low " * 500),
    ("docs/deep/b.md", b"lower"),
    ("c<b>.txt", b"newest widest"),
    ("bad.txt", b"\xff"),
]
TEXT_16 = ("notes.txt", b"\xff\xfe" + "low".encode("utf-16-le"))
ROWS = b"".join(json.dumps({"text": "low " * size, "id": size}).encode() + b"\n" for size in range(1, 40))
COUNTS = counted(in_memory([*FILES, ("rows.jsonl", ROWS)]), ["gpt2"], "text")


def open_files(query):
    return visit(query, page="files")


def in_view(at, view):
    choose_values(at, {"files.view": view})
    return at.run()


def words(at) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html(at))))


def uploaded(at, files, label="Files, tables, .zip"):
    box = next(box for box in at.file_uploader if box.label == label)
    return box.set_value([(name, content, "text/plain") for name, content in files]).run()


def test_without_files_the_example_texts_are_counted():
    at = open_files({"tokenizer": "gpt2", "against": "none"})
    texts = [(FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name in EXAMPLES]
    total = sum(load("gpt2").count(text, specials=False) for text in texts)
    assert f"of all files, with GPT-2. {total:,}" in words(at)
    assert f"0 of {len(texts)} rows are longer than 8,192 tokens of GPT-2." in words(at)


def test_files_are_counted_and_a_file_with_a_problem_is_named():
    at = uploaded(open_files({"tokenizer": "gpt2", "against": "qwen", "price": "2,50 €"}), FILES)
    assert "bad.txt: this is not text in UTF-8 (byte 0)." in words(at)
    assert "<b>" not in html(at)
    total = sum(load("gpt2").count(content.decode()) for _, content in FILES[:3])
    assert f"of all files, with GPT-2. {total:,}" in words(at)
    at.number_input[0].set_value(100).run()
    assert "1 of 3 rows is longer than 100 tokens of GPT-2." in words(at)
    assert link(at)["limit"] == "100"
    menu = next(box for box in at.selectbox if box.label == "Open a folder or file")
    assert menu.options[1:] == ["docs/", "c<b>.txt"]
    menu.select("docs/").run()
    menu = next(box for box in at.selectbox if box.label == "Open a folder or file")
    assert menu.options[1:] == ["a.md", "deep/"]
    menu.select("a.md").run()
    assert at.code[0].value == ("low " * 500)
    at.button(key="files.up").click().run()
    assert "docs/" in next(box for box in at.selectbox if box.label == "Open a folder or file").options


def test_a_column_of_a_table_is_chosen_and_too_many_megabytes_are_left_to_the_command(monkeypatch):
    at = uploaded(open_files({"tokenizer": "gpt2", "against": "none"}), [("rows.jsonl", ROWS)])
    menu = next(box for box in at.selectbox if "table" in box.label)
    assert [*menu.options] == [files_view.WHOLE, "Only “text”", "Only “id”"]
    menu.select("Only “text”").run()
    total = sum(load("gpt2").count("low " * size) for size in range(1, 40))
    assert f"of “text” in tables, and of all texts, with GPT-2. {total:,}" in words(at)
    monkeypatch.setattr(files_view, "LIMITS", LIMITS.__class__(counted_mb=1))
    at = uploaded(at, [("large.txt", b"low " * 300_000)])
    assert "the page counts up to 1 MB" in words(at)
    assert at.code[0].value.startswith("mergescope count FOLDER --tokenizer gpt2 --limit 8192")


def test_the_figure_counts_all_of_a_table_and_names_the_part_that_is_in_no_row():
    records = ["1,low", "2,lower"]
    table = "\n".join(["id,text", *records, ""]).encode()
    at = uploaded(open_files({"tokenizer": "gpt2", "against": "none"}), [("a.csv", table), TEXT_16])
    count = load("gpt2").count
    whole, rows = count(table.decode()) + count("low"), sum(map(count, records)) + count("low")
    assert f"tokens of all files, with GPT-2. {whole} in headers and line ends of tables:" in words(at)
    assert f"these tokens are in no row. {whole - rows} " in words(at)
    assert f'<p class="note">{files_view.ROWS}</p>' in html(at)
    size = sum(map(len, records)) + len("low")
    assert f"characters of rows as Unicode counts them; headers and line ends are in no row. {size} " in words(at)
    found = counted_files.entries(counted(in_memory([("a.csv", table)]), ["gpt2"]), "")
    assert found["tokens"].sum() == count(table.decode())
    assert "Read as UTF-16: notes.txt." in words(at)
    next(box for box in at.selectbox if "table" in box.label).select("Only “text”").run()
    of_column = count("low") * 2 + count("lower")
    assert f"tokens of “text” in tables, and of all texts, with GPT-2. {of_column} files" in words(at)


def test_a_file_has_one_figure_and_what_differs_from_it_is_said_beside_the_number():
    """The bar, the figure above it and its part of the notations; a row of a table is named as one."""
    table = "id,text\n7,low lower\n"
    whole, without_end = (load("gpt2").count(text) for text in (table, table.removesuffix("\n")))
    at = uploaded(open_files({"tokenizer": "gpt2", "against": "none"}), [("a.csv", table.encode())])
    assert link(at)["view"] == "notations", "data is what this view is about"
    in_view(at, "count")
    (bars,) = at.get("vega_lite_chart")[0].proto.datasets
    assert pyarrow.ipc.open_stream(bars.data.data).read_pandas()[["entry", "tokens"]].to_numpy().tolist() == [
        ["a.csv", whole]
    ]
    assert f"tokens of all files, with GPT-2. {whole} " in words(at)
    in_view(at, "notations")
    assert f"a.csv: {without_end} tokens of GPT-2 as CSV," in words(at)
    assert f"As it stands, with its own spaces, quotes and line ends, the file has {whole} tokens, as above." in words(
        at
    )
    in_view(at, "count")
    next(box for box in at.selectbox if box.label == "Open a folder or file").select("a.csv").run()
    assert f"a.csv, row 1: {load('gpt2').count('7,low lower')} tokens" in words(at)
    next(box for box in at.selectbox if "table" in box.label).select("Only “text”").run()
    in_view(at, "notations")
    assert "Here all columns count; above, only “text” does." in words(at)
    assert "as above" not in words(at)


def test_a_cost_names_its_price_and_no_price_looks_typed():
    at = open_files({"tokenizer": "gpt2", "against": "qwen", "price": "2,50 €"})
    total = sum(load("gpt2").count((FOLDER / f"{name}.txt").read_text("utf-8"), specials=False) for name in EXAMPLES)
    assert "All files with each tokenizer, and what as many tokens cost at this price, €2.5 a million." in words(at)
    assert f"At €2.5 a million tokens all files cost €{total * 2.5e-6:,.4f} with GPT-2." in words(at)
    (line,) = [line for line in at.text_input if line.label == "Price of a million tokens"]
    assert line.placeholder == "price in $"
    line.set_value("").run()
    assert "All files with each tokenizer." in words(at)
    assert "cost at" not in words(at)


def test_figures_are_those_of_pandas():
    lengths = pd.Series(COUNTS.lengths())
    found = counted_files.quantiles(COUNTS, ["GPT-2"])
    assert found.iloc[0].tolist() == lengths.quantile([0.5, 0.9, 0.99, 1], "higher").tolist()
    assert found.iloc[0]["90%"] in lengths.to_list()
    bins = counted_files.lengths(COUNTS)
    assert bins["rows"].sum() == len(lengths)
    assert [
        ((lengths >= low) & (lengths < high)).sum() for low, high in zip(bins["from"], bins["to"], strict=True)
    ] == bins["rows"].tolist()
    longest = counted_files.longest(COUNTS)
    assert longest["tokens"].tolist() == sorted(lengths, reverse=True)
    assert longest.iloc[0][["file", "row"]].tolist() == ["docs/a.md", 1]
    assert counted_files.entries(COUNTS, "")["entry"].tolist()[0] == "rows.jsonl"
    assert counted_files.entries(COUNTS, "")["tokens"].sum() == COUNTS.total()
    assert (counted_files.densest(COUNTS)["characters"] >= counted_files.LEAST_DENSE).all()


@pytest.mark.thorough
def test_a_child_that_runs_out_of_memory_or_time_says_so_and_its_files_can_be_counted_again():
    limits = in_child.CountingLimits(memory=100 << 20, seconds=60)
    files = in_child.FilesInChild([("a.txt", b"low " * 10)], limits)
    with pytest.raises(in_child.CountingError, match="or 100 MB of memory"):
        files.counts(["gpt-4o"])
    files.limits = in_child.CountingLimits()
    assert files.counts(["gpt2"]).total() == load("gpt2").count("low " * 10)
    assert files.text("a.txt", 1, most=3) == "low"
    files.end()


@pytest.mark.thorough  # the journey in the browser has a part of it
def test_what_new_tokens_would_save_is_asked_and_leads_to_train():
    texts = [(f"{i}.txt", f"The mergescope number {i} draws mergescopes. ".encode() * 60) for i in range(12)]
    at = uploaded(open_files({"tokenizer": "gpt2", "against": "none"}), texts)
    in_view(at, "savings").toggle[0].set_value(True).run()
    assert not at.exception
    assert re.search(r"GPT-2 needs [\d,]+ tokens for these files. .*\d+ new tokens would save [1-9]\d%\.", words(at))
    at.button(key="files.to train").click().run()
    assert not at.exception
    assert link(at)["start"] == "gpt2"
    assert "your files" in words(at) or "mergescope" in words(at)


def test_data_is_shown_in_other_notations_with_its_dearest_keys():
    rows = [{"<i>id</i>": i, "text": "low " * 5} for i in range(30)]
    files = [("rows.json", json.dumps(rows).encode()), ("b.json", b"{low}"), ("docs/note.md", b"low")]
    at = uploaded(open_files({"tokenizer": "gpt2", "against": "none"}), files)
    in_view(at, "notations")
    assert re.search(r"rows.json: [\d,]+ tokens of GPT-2 as CSV, [1-9]\d% fewer than as JSON, indented.", words(at))
    keys = next(frame.value for frame in at.dataframe if "of the name" in frame.value)
    assert keys["tokens"].sum() == load("gpt2").count(json.dumps(rows, separators=(",", ":")), specials=False)
    assert {"text", "<i>id</i>", notations_view.AROUND} == {*keys["key"]}
    menu = next(box for box in at.selectbox if box.label == "File with data")
    assert menu.options == ["rows.json", "b.json"]
    equal = Notations({"JSON": 1, "CSV": 1}, {}, (), None)
    assert notations_view.sentence(equal, "one.json", "GPT-2") == "one.json: 1 token of GPT-2 in each notation."
    menu.select("b.json").run()
    assert "b.json: It is no JSON" in words(at)
    in_view(at, "count")
    next(box for box in at.selectbox if box.label == "Open a folder or file").select("docs/").run()
    at = uploaded(at, [("a.txt", b"low"), ("docs/c.txt", b"lower")])  # these are shown from their beginning
    assert {"docs/", "a.txt"} < {*next(box for box in at.selectbox if box.label == "Open a folder or file").options}


def test_a_link_to_files_lacks_no_file_but_that_of_a_tokenizer():
    assert links.left_out(Files()) == ""
    assert links.left_out(Files(tokenizer="file my.json")).startswith("without the file of “Tokenizer”")
