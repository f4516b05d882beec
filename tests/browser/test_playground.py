"""The Playground as a person uses it: type, scrub, point, click, copy, download, share a link."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from bpe_core import Settings, dumps, loads, train
from bpe_core.display.token_text import paired, parts, token_text
from bpe_core.published import PUBLISHED
from pages.parts.views.theme import contrast
from tests.browser.axe import findings
from tests.shapes import SHAPES
from tests.texts import NASTY

Open = Callable[..., Page]
GPT2 = PUBLISHED["gpt2"].load()


def tokens(page: Page) -> Locator:
    return page.locator("#tokens .token")


def enter(page: Page, text: str) -> None:
    """Set the whole text, as pasting does, and wait until its tokens are there."""
    script = """([editor, text]) => {
      editor.value = JSON.parse(text);
      editor.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }"""
    page.evaluate(script, [page.locator("#editor").element_handle(), json.dumps(text)])
    expect(page.locator("[data-name=characters]")).to_have_text(f"{len(text):,}")


def shown(page: Page) -> list[dict]:
    """The tokens on the screen: text, kinds of its parts, id, colours."""
    return tokens(page).evaluate_all("""chips => chips.map(chip => {
      const id = chip.querySelector("sub")?.textContent ?? "";
      const style = getComputedStyle(chip);
      const text = [...chip.childNodes].filter(node => node.nodeName !== "SUB").map(node => node.textContent).join("");
      return { text, id, ink: style.color, paper: style.backgroundColor };
    })""")


def set_slider(page: Page, place: int) -> None:
    page.locator("#slider").fill(str(place))


def test_typing(open_page: Open):
    page = open_page("playground", {"text": ""})
    page.locator("#editor").fill("")
    page.locator("#editor").press_sequentially("Hello world, again and again", delay=15)
    expected = GPT2.encode("Hello world, again and again")
    expect(page.locator("[data-name=characters]")).to_have_text("28")
    expect(tokens(page)).to_have_count(len(expected.ids))
    assert [row["text"] for row in shown(page)] == [token_text(token) for token in expected.tokens]
    assert [row["id"] for row in shown(page)] == [str(i) for i in expected.ids]
    expect(page.locator("[data-name=tokens]")).to_have_text(str(len(expected.ids)))
    expect(page.locator("[data-name='bytes per token']")).to_have_text(f"{28 / len(expected.ids):.2f}")


def test_one_question_at_a_time_and_the_newest_text_last(open_page: Open):
    page = open_page("playground")
    page.locator("#editor").fill("")
    page.evaluate("""editor => { window.typed = setInterval(() => {
      editor.value += "ab ";
      editor.dispatchEvent(new InputEvent("input", { bubbles: true }));
      if (editor.value.length >= 300) clearInterval(window.typed);
    }, 4) }""", page.locator("#editor").element_handle())  # fmt: skip
    expect(page.locator("[data-name=characters]")).to_have_text("300", timeout=10_000)
    assert tokens(page).count() == len(GPT2.encode("ab " * 100).ids)


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts(open_page: Open, text: str):
    page = open_page("playground")
    text = paired(text).replace("\r\n", "\n")[:900]  # as a text area has it; and on one screen
    enter(page, text)
    encoding = GPT2.encode(text)
    expect(tokens(page)).to_have_count(len(encoding.ids))
    rows = shown(page)
    assert [row["text"] for row in rows] == ["".join(p.text for p in parts(token, "FF")) for token in encoding.tokens]
    assert [row["id"] for row in rows] == [str(i) for i in encoding.ids]
    assert all(one["paper"] != other["paper"] for one, other in pairwise(rows))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tokens(page).locator("b, script, img").count() == 0


def test_every_size_of_the_vocabulary_without_the_server(open_page: Open):
    page = open_page("playground", {"text": "the newest lighthouse"})
    set_slider(page, 2000)
    page.wait_for_timeout(500)
    page.evaluate("""slider => { window.sent = 0; const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (...all) { window.sent += 1; return send.apply(this, all); };
    }""", page.locator("#slider").element_handle())  # fmt: skip
    counts = []
    for place in (0, 400, 800, 1200, 2000):
        page.locator("#slider").evaluate(
            "(slider, place) => { slider.value = place; slider.dispatchEvent(new Event('input')) }", place
        )
        page.wait_for_timeout(60)
        counts.append(tokens(page).count())
    assert page.evaluate("window.sent") == 0
    assert counts[0] == 21
    assert counts[-1] == 3
    assert counts == sorted(counts, reverse=True)


def test_steps_play_and_the_way_back(open_page: Open):
    page = open_page("playground", {"tokenizer": "newest-widest", "text": "newest widest"})
    set_slider(page, 0)
    expect(tokens(page)).to_have_count(13)
    page.locator("#forward").click()
    expect(tokens(page)).to_have_count(11)
    expect(page.locator("#tokens .token.new")).to_have_count(2)
    page.locator("#back").click()
    expect(tokens(page)).to_have_count(13)
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    page.wait_for_timeout(1500)
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    assert 2 <= tokens(page).count() < 13


def test_pointing_tells_about_a_token(open_page: Open):
    page = open_page("playground", {"text": "the newest dog", "ids": "list"})
    tokens(page).nth(1).hover()
    detail = page.locator("#detail")
    expect(detail).to_contain_text("15530")
    expect(detail).to_contain_text("20 6E 65 77 65 73 74")
    expect(detail).to_contain_text("at step 15,275 from")
    expect(page.locator("#ids .id.active")).to_have_text("15530")
    page.locator("#ids .id").nth(2).hover()
    expect(page.locator("#tokens .token.active")).to_contain_text("dog")


def test_clicking_shows_the_biography(open_page: Open):
    page = open_page("playground", {"text": "the newest dog"})
    tokens(page).nth(1).click()
    expect(page.get_by_role("heading", name="Biography")).to_be_visible()
    expect(page.locator(".tree")).to_contain_text("step 15,275")
    expect(page.locator(".sentence").first).to_contain_text("a pretoken boundary stands between them")
    tokens(page).nth(0).click()
    expect(page.locator(".facts")).to_contain_text("74 68 65")


def test_keyboard_alone(open_page: Open):
    page = open_page("playground", {"text": "the newest dog"})
    page.locator("#tokens").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tokens .active")).to_contain_text("newest")
    expect(page.locator("#detail")).to_contain_text("15530")
    assert page.locator("#tokens").get_attribute("aria-activedescendant") == "t1"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Biography")).to_be_visible()
    expect(page.locator("#tokens [aria-selected=true]")).to_contain_text("newest")


def test_copying(open_page: Open):
    page = open_page("playground", {"text": "the newest 🦜"})
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    encoding = GPT2.encode("the newest 🦜")
    page.get_by_role("button", name="Copy ids").click()
    expect(page.locator("#said")).to_have_text(f"Copied {len(encoding.ids)} ids.")
    assert json.loads(page.evaluate("navigator.clipboard.readText()")) == list(encoding.ids)
    page.get_by_role("button", name="Copy tokens").click()
    expect(page.locator("#said")).to_have_text(f"Copied {len(encoding.ids)} tokens.")
    assert page.evaluate("navigator.clipboard.readText()").split("\n") == [token_text(t) for t in encoding.tokens]


TEXT = 'e\u0301 "quoted", 🦜 नम\nEnd<|endoftext|>'


def test_downloads(open_page: Open):
    page = open_page("playground", {"text": TEXT})
    encoding = GPT2.encode(TEXT)
    expected = [
        (i, token_text(token), token.hex(" ").upper(), start, end)
        for i, token, (start, end) in zip(encoding.ids, encoding.tokens, encoding.spans, strict=True)
    ]
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_bytes().decode())))
    assert [
        (int(r["id"]), r["token"], r["bytes"], int(r["start"]), int(r["end"])) for r in rows
    ] == expected  # fmt: skip
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON").click()
    saved = json.loads(download.value.path().read_text("utf-8"))
    assert saved["text"] == TEXT
    assert [(t["id"], t["token"], t["bytes"], t["start"], t["end"]) for t in saved["tokens"]] == expected


def test_a_link_gives_the_same_screen(open_page: Open, settle):
    page = open_page("playground")
    enter(page, "a shared <b>text</b> & more")
    page.locator("#show").select_option("list")
    page.locator("#marks").uncheck()
    set_slider(page, 1000)
    page.wait_for_timeout(600)
    settle(page)
    before = [row["text"] for row in shown(page)]
    query = parse_qs(urlsplit(page.url).query)
    assert query == {"text": ["a shared <b>text</b> & more"], "ids": ["list"], "marks": ["no"], "step": ["6250"]}
    page.reload()
    settle(page)
    expect(tokens(page)).to_have_count(len(before))
    assert [row["text"] for row in shown(page)] == before
    assert page.locator("#editor").input_value() == "a shared <b>text</b> & more"
    expect(page.locator("#where")).to_have_text("6,250 of 50,000 merges")


def test_the_text_is_kept_across_pages(open_page: Open, settle):
    page = open_page("playground")
    enter(page, "kept across pages")
    page.wait_for_timeout(300)
    page.get_by_role("link", name="Train").click()
    settle(page)
    page.get_by_role("link", name="Playground").click()
    settle(page)
    expect(page.locator("#editor")).to_have_value("kept across pages")
    expect(tokens(page)).to_have_count(3)
    page.locator("#editor").press_sequentially("!")
    expect(tokens(page)).to_have_count(4)


def test_a_long_text_is_drawn_where_it_is_seen(open_page: Open):
    page = open_page("playground")
    text = "the newest low tower, 12 🦜\n" * 7700 + "the very END"
    enter(page, text)
    assert len(text) > 200_000
    assert tokens(page).count() < 4000
    expect(page.get_by_text("too long to travel in the link")).to_be_visible()
    page.locator("#tokens").evaluate("pane => { pane.scrollTop = pane.scrollHeight }")
    expect(tokens(page).last).to_contain_text("END")
    page.locator("#tokens").evaluate("pane => { pane.scrollTop = pane.scrollHeight / 2 }")
    page.wait_for_timeout(300)
    middle = page.locator("#tokens").evaluate("""pane => {
      const box = pane.getBoundingClientRect();
      const inside = chip => { const { top } = chip.getBoundingClientRect(); return top > box.top && top < box.bottom };
      return [...pane.querySelectorAll(".token")].filter(inside).length;
    }""")
    assert middle > 20


def test_what_a_pretokenizer_drops_is_shown(open_page: Open):
    page = open_page("playground", {"tokenizer": "trained", "text": "low  newest"})
    expect(page.locator("#tokens .dropped")).to_have_count(1)
    assert page.locator("#tokens .dropped").text_content() == "  "


def rgb(colour: str) -> str:
    numbers = [round(float(n)) for n in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return "#" + "".join(f"{n:02x}" for n in numbers)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_colours_can_be_read(open_page: Open, dark: bool):
    page = open_page("playground", {"text": "".join(chr(n) + " " for n in range(0x21, 0x180))}, dark=dark)
    rows = shown(page)
    assert len({row["paper"] for row in rows}) > 12
    assert min(contrast(rgb(row["ink"]), rgb(row["paper"])) for row in rows) >= 4.5
    assert all(one["paper"] != other["paper"] for one, other in pairwise(rows))


def test_a_tokenizer_that_normalizes_leaves_the_editor_alone(open_page: Open, settle):
    page = open_page("train", {"normalizers": "bert", "step": "18"})
    page.get_by_role("link", name="Playground").click()
    expect(page.get_by_label("Tokenizer")).to_be_visible()
    page.get_by_role("combobox", name="Tokenizer").click()
    page.get_by_text("Trained on the Train page").last.click()
    expect(page.get_by_text("18 of 18 merges")).to_be_visible()
    page.locator("#editor").fill("")
    page.locator("#editor").press_sequentially("LÓW NEWEST", delay=15)
    expect(page.get_by_text("The tokenizer normalizes the text first")).to_be_visible()
    expect(tokens(page)).to_have_count(2)
    settle(page)
    assert [row["text"] for row in shown(page)] == ["low_", "newest_"]
    assert page.locator("#editor").input_value() == "LÓW NEWEST"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(open_page: Open, settle, dark: bool, width: int):
    query = {"against": "newest-widest", "ids": "list", "text": "the newest 🦜\ndog"}
    page = open_page("playground", query, dark=dark, width=width)
    tokens(page).nth(1).click()
    expect(page.get_by_role("heading", name="Biography")).to_be_visible()
    settle(page)
    assert findings(page) == []


def test_a_telephone(open_page: Open):
    page = open_page("playground", width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    boxes = [
        page.locator(f"#{name}").bounding_box() for name in ("editor", "slider", "where", "tokens", "show", "json")
    ]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)


def open_files(page: Page, files: dict[str, bytes]) -> None:
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        [{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files.items()]
    )


@pytest.mark.parametrize("shape", ["metaspace always", "llama2", "roberta", "llama3", "deepseek"])
def test_an_opened_tokenizer_shows_the_ids_that_it_gives(open_page: Open, shape: str):
    content = SHAPES[shape]().to_str().encode()
    tok = loads({"x": content})
    page = open_page("playground", {"text": "The keeper's dog é 🦜 1,234 zq", "tokenizer": "file"})
    expect(page.get_by_text("This is GPT-2 until the file of a tokenizer is opened.")).to_be_visible()
    open_files(page, {"tokenizer.json": content})
    expect(page.get_by_text(re.compile(rf"{tok.vocab_size:,} tokens from tokenizer.json"))).to_be_visible()
    for text in ("The keeper's dog é 🦜 1,234 zq", "  two  spaces\nnew line", "é"):
        enter(page, text)
        expect(tokens(page)).to_have_count(len(tok.ids(text)))
        assert [row["id"] for row in shown(page)] == [str(i) for i in tok.ids(text)]
    set_slider(page, 0)
    small = dataclasses.replace(tok, merges=(), whole_words=False, symbols=tok.base_ids)
    assert [row["id"] for row in shown(page)] == [str(i) for i in small.ids("é")]


def test_a_file_that_cannot_be_opened_loses_nothing(open_page: Open):
    page = open_page("playground", {"text": "hug pug", "tokenizer": "file"})
    open_files(page, dumps(train("hug hug pug", Settings(vocab_size=258)).tokenizer(), "vocab.json + merges.txt"))
    expect(page.get_by_text("258 tokens from vocab.json + merges.txt")).to_be_visible()
    open_files(page, {"![x](http://x.invalid/y.png).json": b'{"model": {"type": "<b>*Word*Piece"}}'})
    page.get_by_role("button", name=re.compile("Remove vocab.json")).click()
    page.get_by_role("button", name=re.compile("Remove merges.txt")).click()
    expect(page.get_by_text("The model is of the type '<b>*Word*Piece', and not BPE.")).to_be_visible()
    expect(page.locator("#editor")).to_have_value("hug pug")
    expect(page.get_by_text("258 tokens from vocab.json + merges.txt")).to_be_visible()
    assert findings(page) == []
