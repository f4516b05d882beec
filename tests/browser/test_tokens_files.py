"""Files of Tokens: what is copied and saved, and tokenizers that are opened."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from struct import pack

import pytest
from playwright.sync_api import expect

from bpe_core import Settings, dumps, loads, train
from bpe_core.files.gguf_header import MAX_ITEMS
from tests.browser.axe import findings
from tests.browser.driver import pick
from tests.browser.tokens_page import (
    GPT2,
    Open,
    enter,
    export,
    open_files,
    saved,
    set_slider,
    shown,
    tokens,
    tokens_page,
)
from tests.files.class_files import class_files
from tests.gguf_files import of_bytes
from tests.shapes import file_of
from tests.texts import EXAMPLE_TEXTS

TEXT = 'e\u0301 "quoted", 🦜 नम\nEnd<|endoftext|>'


def written(token: bytes) -> str:
    """A token as it is copied: bytes that are no whole character cannot be taken for text."""
    return re.sub(r"\\x(..)", lambda byte: f"<0x{byte[1].upper()}>", token.decode(errors="backslashreplace"))


def test_copies_and_files(open_page: Open):
    page = tokens_page(open_page, TEXT)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    encoding = GPT2.encode(TEXT, specials=True)
    expected = [
        (i, written(token), token.hex(" ").upper(), start, end)
        for i, token, (start, end) in zip(encoding.ids, encoding.tokens, encoding.spans, strict=True)
    ]
    rows = list(csv.DictReader(io.StringIO(saved(page, "CSV").decode(), newline="")))
    assert [(int(r["id"]), r["token"], r["bytes"], int(r["start"]), int(r["end"])) for r in rows] == expected
    told = json.loads(saved(page, "JSON"))
    assert told["text"] == TEXT
    assert [(t["id"], t["token"], t["bytes"], t["start"], t["end"]) for t in told["tokens"]] == expected
    picture = saved(page, "SVG").decode()
    assert picture.count("<rect") == len(expected) + 1
    assert all(f">{i}</text>" in picture for i in encoding.ids)
    assert saved(page, "PNG").startswith(b"\x89PNG")
    menu = page.locator("#export")
    place = menu.bounding_box()
    export(page, "Copy", "ids")
    expect(page.locator("#status")).to_have_text(f"Copied {len(encoding.ids)} ids.")
    assert menu.bounding_box() == place
    assert json.loads(page.evaluate("navigator.clipboard.readText()")) == list(encoding.ids)
    export(page, "Copy", "tokens")
    expect(page.locator("#status")).to_have_text(f"Copied {len(encoding.ids)} tokens.")
    assert json.loads(page.evaluate("navigator.clipboard.readText()")) == list(map(written, encoding.tokens))
    page.locator("#tokens .token").filter(has_text="End").first.click()  # two merges made it
    with page.expect_download() as download:
        export(page, "Tree", "SVG")
    assert b"<path" in download.value.path().read_bytes()  # the tree


@pytest.mark.thorough
def test_tokens_and_tree_for_a_paper(open_page: Open):
    page = tokens_page(open_page, "The keeper's dog")
    page.get_by_role("button", name="Save as a page, HTML, LaTeX").click()
    menu = page.get_by_test_id("stPopoverBody")
    expect(menu).to_contain_text("it contains the text.")
    with page.expect_download() as download:
        menu.get_by_role("button", name="Save as a page").click()
    saved_page = GPT2.encode("The keeper's dog").page("GPT-2").html
    assert download.value.path().read_text(encoding="utf-8") == saved_page
    found = {}
    for i in range(2):
        for kind in ("HTML", "LaTeX"):
            with page.expect_download() as download:
                page.get_by_test_id("stPopoverBody").get_by_role("button", name=kind).nth(i).click()
            found[download.value.suggested_filename] = download.value.path().read_text(encoding="utf-8")
    assert found.keys() == {"tokens.html", "tokens.tex", "tree.html", "tree.tex"}
    assert all(f"<sub>{i}</sub>" in found["tokens.html"] for i in GPT2.ids("The keeper's dog"))
    assert found["tokens.tex"].count("\n\\token{") == len(GPT2.ids("The keeper's dog"))
    assert "step " in found["tree.html"]
    assert "\\tokentree{" in found["tree.tex"]


@pytest.mark.thorough
def test_without_marks_nothing_has_any(open_page: Open):
    page = tokens_page(open_page, "a b\nc", marks="no")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    export(page, "Copy", "tokens")
    expect(page.locator("#status")).to_have_text("Copied 4 tokens.")
    assert page.evaluate("navigator.clipboard.readText()") == json.dumps(["a", " b", "\n", "c"], separators=(",", ":"))
    rows = list(csv.DictReader(io.StringIO(saved(page, "CSV").decode(), newline="")))
    assert [row["token"] for row in rows] == ["a", " b", "\n", "c"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "shape", ["llama2", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("metaspace always", "roberta"))]
)
def test_an_opened_tokenizer_shows_the_ids_that_it_gives(open_page: Open, shape: str):
    content = file_of(shape)
    tok = loads({"x": content})
    page = tokens_page(open_page, "The keeper's dog é 🦜 1,234 zq")
    open_files(page, {"tokenizer.json": content})
    # under "About the tokenizer"
    expect(page.get_by_text(re.compile(rf"{len(tok):,} tokens from tokenizer.json"))).to_be_attached()
    for text in ("The keeper's dog é 🦜 1,234 zq", "  two  spaces\nnew line", "keeper é"):
        enter(page, text)
        expect(tokens(page)).to_have_count(len(tok.ids(text)))
        assert [row["id"] for row in shown(page)] == [str(i) for i in tok.ids(text)]
    set_slider(page, 0)
    symbols = sum(len(tok.inside(i)) + 1 for i in tok.ids("keeper é"))
    expect(tokens(page)).to_have_count(symbols)


@pytest.mark.thorough
def test_what_no_file_says_is_assumed_aloud_and_another_split_can_be_chosen(open_page: Open):
    pair = {name: content for name, content in class_files("GPT2Tokenizer").items() if "config" not in name}
    page = tokens_page(open_page, "I'LL")
    open_files(page, pair)
    said = page.get_by_text("The files do not say how text is split: GPT-2’s split is assumed.")
    expect(said).to_be_visible()
    expect(tokens(page)).to_have_count(len(loads(pair).ids("I'LL")))
    page.get_by_role("button", name="Open a tokenizer").click()
    pick(page, "Pretokenizer, which the files do not say", "Qwen")
    expect(said).to_have_count(0)
    expect(tokens(page)).to_have_count(len(loads(pair, "qwen").ids("I'LL")))


@pytest.mark.thorough
def test_a_file_that_cannot_be_opened_loses_nothing(open_page: Open, settle):
    page = tokens_page(open_page, "hug pug")
    open_files(page, dumps(train("hug hug pug", Settings(vocab_size=258)).tokenizer(), "vocab.json + merges.txt"))
    expect(page.get_by_text("258 tokens from vocab.json + merges.txt")).to_be_attached()
    expect(page.get_by_test_id("stFileUploaderDropzoneInput")).to_have_count(0)
    open_files(page, {"![x](http://x.invalid/y.png).json": b'{"model": {"type": "<b>*Word*Piece"}}'})
    page.get_by_role("button", name=re.compile("Remove vocab.json")).click()
    page.get_by_role("button", name=re.compile("Remove merges.txt")).click()
    expect(page.get_by_text("for which this file is made")).to_be_visible()
    expect(page.locator("#editor")).to_have_value("hug pug")
    expect(page.get_by_text("258 tokens from vocab.json + merges.txt")).to_be_attached()
    settle(page)
    assert findings(page) == []


DROP = """(zone, [name, start, size]) => {
  const files = new DataTransfer();
  files.items.add(new File([new Uint8Array(start), new Uint8Array(size)], name));
  zone.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: files }));
}"""


@pytest.mark.thorough
def test_of_a_model_of_llama_cpp_only_the_beginning_is_sent(open_page: Open, tmp_path: Path):
    """A file larger than an upload may be: it is chosen, and then another one is dropped."""
    page = tokens_page(open_page, "the tale")
    models = {}
    for size in (300, 400):
        tok = train(EXAMPLE_TEXTS["short-story"], Settings("gpt2", vocab_size=size)).tokenizer()
        models[size] = tok, of_bytes(tok, "gpt-2")
    path = tmp_path / "model.gguf"
    path.write_bytes(models[300][1])
    with path.open("r+b") as file:
        file.truncate(60 << 20)
    page.get_by_role("button", name="Open a tokenizer").click()
    chooser = page.get_by_test_id("stFileUploaderDropzoneInput")
    chooser.set_input_files(path)
    expect(page.locator("#tokens .token")).to_have_count(len(models[300][0].ids("the tale")))
    assert [token["id"] for token in shown(page)] == list(map(str, models[300][0].ids("the tale")))
    chooser.wait_for(state="detached")
    page.get_by_role("button", name="Open a tokenizer").click()
    zone = page.get_by_test_id("stFileUploaderDropzone")
    zone.evaluate(DROP, ["other.gguf", list(models[400][1]), 60 << 20])
    expect(page.locator("#tokens .token")).to_have_count(len(models[400][0].ids("the tale")))
    assert [token["id"] for token in shown(page)] == list(map(str, models[400][0].ids("the tale")))
    page.get_by_role("button", name="Open a tokenizer").click()
    zone = page.get_by_test_id("stFileUploaderDropzone")
    numbers = b"GGUF" + pack("<IQQQsIIQ", 3, 0, 1, 1, b"x", 9, 10, MAX_ITEMS)  # 32 MB of them, before any token
    zone.evaluate(DROP, ["large.gguf", list(numbers), 60 << 20])
    expect(page.get_by_text("mergescope convert model.gguf --out tokenizer.json")).to_be_visible()
    expect(page.locator("#tokens .token")).to_have_count(len(models[400][0].ids("the tale")))
