"""The Playground as a person uses it: type, scrub, point, click, copy, download, share a link."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from bpe_core import Settings, dumps, loads, train
from bpe_core.display.colours import contrast
from bpe_core.display.token_text import paired, parts, token_text
from bpe_core.published import PUBLISHED
from tests.browser.axe import findings
from tests.browser.driver import WATCH, pick
from tests.shapes import SHAPES
from tests.texts import NASTY

Open = Callable[..., Page]
GPT2 = PUBLISHED["gpt2"].load()


def playground(open_page: Open, text: str, dark: bool = False, width: int = 1280, **query: str) -> Page:
    return open_page("playground", {"tokenizer": "gpt2", "text": text} | query, dark=dark, width=width)


def tokens(page: Page) -> Locator:
    return page.locator("#tokens .token")


def enter(page: Page, text: str) -> None:
    """Set the whole text, as pasting does, and wait until its tokens are there; those of the text before are gone."""
    script = """([editor, text]) => {
      editor.value = JSON.parse(text);
      editor.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }"""
    for whole in ("x" * (1 + (len(text) == 1)), text):
        page.evaluate(script, [page.locator("#editor").element_handle(), json.dumps(whole)])
        expect(page.locator("[data-name=characters]")).to_have_text(f"{len(whole):,}")


def shown(page: Page) -> list[dict]:
    """The tokens on the screen: text, id, colours."""
    return tokens(page).evaluate_all("""chips => chips.map(chip => {
      const id = chip.querySelector("sub")?.textContent ?? "";
      const style = getComputedStyle(chip);
      const text = [...chip.childNodes].filter(node => node.nodeName !== "SUB").map(node => node.textContent).join("");
      return { text, id, ink: style.color, paper: style.backgroundColor };
    })""")


def set_slider(page: Page, position: int) -> None:
    page.locator("#slider").fill(str(position))


def test_typing_asks_one_question_at_a_time_and_the_newest_text_last(open_page: Open):
    page = playground(open_page, "x")
    page.locator("#editor").fill("")
    page.locator("#editor").press_sequentially("Hello world, again and again", delay=15)
    expected = GPT2.encode("Hello world, again and again")
    expect(tokens(page)).to_have_count(len(expected.ids))
    expect(page.locator("[data-name=characters]")).to_have_text("28")
    assert [row["text"] for row in shown(page)] == [token_text(token) for token in expected.tokens]
    assert [row["id"] for row in shown(page)] == [str(i) for i in expected.ids]
    expect(page.locator(".big dd")).to_have_text(str(len(expected.ids)))
    expect(page.locator("[data-name='bytes per token']")).to_have_text(f"{28 / len(expected.ids):.2f}")
    page.locator("#editor").fill("")
    page.evaluate("""editor => { window.typed = setInterval(() => {
      editor.value += "ab ";
      editor.dispatchEvent(new InputEvent("input", { bubbles: true }));
      if (editor.value.length >= 300) clearInterval(window.typed);
    }, 4) }""", page.locator("#editor").element_handle())  # fmt: skip
    expect(page.locator("[data-name=characters]")).to_have_text("300")
    expect(tokens(page)).to_have_count(len(GPT2.encode("ab " * 100).ids))


def test_nasty_texts(open_page: Open):
    page = playground(open_page, "x")
    texts = [paired(text).replace("\r\n", "\n")[:200] for text in NASTY]  # as a text area has it
    for first in range(0, len(texts), 4):  # that stand on one screen
        text = "\n".join(texts[first : first + 4])
        enter(page, text)
        encoding = GPT2.encode(text)
        expect(tokens(page)).to_have_count(len(encoding.ids))
        rows = shown(page)
        written = ["".join(p.text for p in parts(token, "FF")) for token in encoding.tokens]
        assert [row["text"] for row in rows] == written, text
        assert [row["id"] for row in rows] == [str(i) for i in encoding.ids], text
        assert all(one["paper"] != other["paper"] for one, other in pairwise(rows)), text
        assert tokens(page).locator("b, script, img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_position_of_the_slider_merges_something_and_asks_nobody(open_page: Open):
    text = "the newest lighthouse"
    page = playground(open_page, text)
    changing = sorted({step for i in GPT2.ids(text) for step in GPT2.inside(i)})
    slider = page.locator("#slider")
    expect(slider).to_have_attribute("max", str(len(changing)))
    counts, where, said, sent = slider.evaluate("""async slider => {
      let sent = 0;
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (...all) { sent += 1; return send.apply(this, all); };
      const root = slider.getRootNode(), counts = [], where = [], said = [];
      for (let position = 0; position <= slider.max; position++) {
        slider.value = position;
        slider.dispatchEvent(new Event("input"));
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        counts.push(root.querySelectorAll("#tokens .token").length);
        where.push(root.getElementById("where").textContent);
        said.push(root.getElementById("sentence").textContent);
      }
      return [counts, where, said, sent];
    }""")  # fmt: skip
    assert where == [f"{position} of {len(changing)} merges" for position in range(len(changing) + 1)]
    for position in range(1, len(changing)):
        step, following = changing[position - 1 : position + 1]
        assert re.fullmatch(f"Step {step:,} of GPT-2's 50,000 joined .+ Next: step {following:,}\\.", said[position])
    assert sent <= 1  # where it comes to rest
    assert counts == sorted(set(counts), reverse=True)
    assert (counts[0], counts[-1]) == (len(text), 3)


def test_play_the_buttons_and_nothing_moves_but_the_tokens(open_page: Open):
    page = playground(open_page, "newest widest", tokenizer="newest-widest")
    for name, count, fresh in (("Start", 13, 0), ("Next", 11, 2), ("Back", 13, 0)):
        page.get_by_role("button", name=name, exact=True).click()
        expect(tokens(page)).to_have_count(count)
        expect(page.locator("#tokens .token.new")).to_have_count(fresh)
    page.evaluate("""() => { window.shifts = [];
      new PerformanceObserver(list => window.shifts.push(...list.getEntries().map(entry => entry.value)))
        .observe({ type: "layout-shift" }); }""")
    boxes = [page.locator(name).bounding_box() for name in ("#play", "#panel", "#show")]
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert tokens(page).count() < 11
    assert boxes == [page.locator(name).bounding_box() for name in ("#play", "#panel", "#show")]
    assert sum(page.evaluate("window.shifts")) < 0.002


def speaks_of(page: Page, token: str, token_id: str) -> None:
    """Ring, line and tree are of this token."""
    expect(page.locator("#tokens .active")).to_have_count(1)
    expect(page.locator("#tokens .active")).to_have_text(token + token_id)
    expect(page.locator("#line")).to_contain_text(f"id {token_id} ")
    expect(page.locator("#tree text").first).to_have_text(token)


@pytest.mark.parametrize("touch", [False, pytest.param(True, marks=pytest.mark.thorough)], ids=["mouse", "touch"])
def test_ring_line_and_biography_are_of_one_token(open_page: Open, browser, server, settle, touch: bool):
    context = browser.new_context(has_touch=touch, locale="en-US", viewport={"width": 1280, "height": 900})
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(f"{server}/playground?tokenizer=gpt2&text=the newest dog")
    settle(page)
    speaks_of(page, "·newest", "15530")  # that of most merges, at first
    facts, dog = page.locator("#facts"), tokens(page).nth(2)
    expect(page.locator("#line")).to_contain_text("made at step 15,275")
    expect(facts).to_contain_text("made of")
    (dog.tap if touch else dog.click)()
    speaks_of(page, "·dog", "3290")
    expect(page.locator("#apart")).to_contain_text("no merge crosses a split")
    expect(facts).to_be_visible()
    if not touch:
        tokens(page).nth(0).hover()
        speaks_of(page, "the", "1169")
        expect(facts).to_be_hidden()
        page.locator("#figures").hover()
        speaks_of(page, "·dog", "3290")
    page.locator("#tokens").focus()
    page.keyboard.press("ArrowLeft")
    speaks_of(page, "·newest", "15530")
    expect(page.locator("#tokens")).to_have_attribute("aria-activedescendant", "t1")
    set_slider(page, 1)
    speaks_of(page, "·", "220")
    expect(page).to_have_url(re.compile("step=.*token=3$"))
    page.reload()
    settle(page)
    speaks_of(page, "·", "220")
    expect(page.locator("#apart")).to_contain_text("have not merged yet")
    context.close()


def test_a_token_is_told_of_after_a_link_that_led_nowhere_and_when_the_text_has_lost_it(open_page: Open, settle):
    page = playground(open_page, "the newest dog")
    page.get_by_role("link", name="Playground").click()
    settle(page)
    tokens(page).last.click()
    speaks_of(page, "·dog", "3290")
    expect(page.locator("#facts")).to_be_visible()
    enter(page, "the")
    speaks_of(page, "the", "1169")
    expect(page.locator("#facts")).to_be_visible()


TEXT = 'e\u0301 "quoted", 🦜 नम\nEnd<|endoftext|>'


def whole(token: bytes) -> bool:
    """Whether its bytes are whole characters."""
    return token.decode(errors="ignore").encode() == token


def saved(page: Page, name: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("group", name="Save").get_by_role("button", name=name).click()
    return download.value.path().read_bytes()


def test_copies_and_files(open_page: Open):
    page = playground(open_page, TEXT)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    encoding = GPT2.encode(TEXT)
    expected = [
        (i, token.decode() if whole(token) else "", token.hex(" ").upper(), start, end)
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
    copy = page.get_by_role("group", name="Copy").get_by_role("button", name="ids")
    place = copy.bounding_box()
    copy.click()
    expect(page.locator("#said")).to_have_text(f"Copied {len(encoding.ids)} ids.")
    assert copy.bounding_box() == place
    assert json.loads(page.evaluate("navigator.clipboard.readText()")) == list(encoding.ids)
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG").first.click()
    assert b"<path" in download.value.path().read_bytes()  # the tree


def test_tokens_and_tree_for_a_paper(open_page: Open):
    page = playground(open_page, "The keeper's dog")
    page.get_by_role("button", name="For a paper: HTML, LaTeX").click()
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


def test_without_marks_nothing_has_any(open_page: Open):
    page = playground(open_page, "a b\nc", marks="no")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="tokens", exact=True).click()
    expect(page.locator("#said")).to_have_text("Copied 4 tokens.")
    assert page.evaluate("navigator.clipboard.readText()") == "a\n b\n\n\nc"
    rows = list(csv.DictReader(io.StringIO(saved(page, "CSV").decode(), newline="")))
    assert [row["token"] for row in rows] == ["a", " b", "\n", "c"]


def test_a_link_gives_the_same_screen_and_the_text_is_kept_across_pages(open_page: Open, settle):
    page = playground(open_page, "x")
    text = "a shared <b>text</b> & more"
    enter(page, text)
    page.locator("#show").select_option("list")
    page.locator("#marks").uncheck()
    page.locator("#price").fill("2.5")
    set_slider(page, 3)
    where = page.locator("#where").text_content()
    expect(page).to_have_url(re.compile("step=.*ids=list.*marks=no.*price=2.5"))
    before = [row["text"] for row in shown(page)]
    page.reload()
    settle(page)
    expect(tokens(page)).to_have_count(len(before))
    assert [row["text"] for row in shown(page)] == before
    expect(page.locator("#editor")).to_have_value(text)
    expect(page.locator("#where")).to_have_text(where)
    expect(page.locator("#price")).to_have_value("2.5")
    page.get_by_role("link", name="Train").click()
    settle(page)
    page.get_by_role("link", name="Playground").click()
    settle(page)
    expect(page.locator("#editor")).to_have_value(text)
    page.locator("#editor").press_sequentially("!")
    expect(page.locator("[data-name=characters]")).to_have_text(str(len(text) + 1))


def test_a_long_text_is_drawn_where_it_is_seen(open_page: Open):
    page = playground(open_page, "x")
    text = "the newest low tower, 12 🦜\n" * 7700 + "the very END"
    enter(page, text)
    assert len(text) > 200_000
    assert tokens(page).count() < 4000
    page.locator("#tokens").evaluate("pane => { pane.scrollTop = pane.scrollHeight }")
    expect(tokens(page).last).to_contain_text("END")
    page.locator("#tokens").evaluate("pane => { pane.scrollTop = pane.scrollHeight / 2 }")
    page.wait_for_function("""pane => {
      const box = pane.getBoundingClientRect();
      const inside = chip => { const { top } = chip.getBoundingClientRect(); return top > box.top && top < box.bottom };
      return [...pane.querySelectorAll(".token")].filter(inside).length > 20;
    }""", arg=page.locator("#tokens").element_handle())  # fmt: skip


def test_what_a_pretokenizer_throws_away_is_shown(open_page: Open):
    page = playground(open_page, "low  newest", tokenizer="trained")
    expect(page.locator("#tokens .dropped")).to_have_count(1)
    assert page.locator("#tokens .dropped").text_content() == "  "


def rgb(colour: str) -> str:
    numbers = [round(float(n)) for n in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return "#" + "".join(f"{n:02x}" for n in numbers)


@pytest.mark.parametrize(
    ("width", "dark"),
    [
        (390, True),
        (1280, False),
        *(pytest.param(*look, marks=pytest.mark.thorough) for look in ((390, False), (1280, True))),
    ],
)
def test_colours_can_be_read_and_axe_finds_nothing(open_page: Open, settle, dark: bool, width: int):
    text = "".join(chr(n) + " " for n in range(0x21, 0x180)) + "the newest 🦜\ndog"
    page = playground(open_page, text, dark=dark, width=width, ids="list")
    expect(tokens(page).first).to_be_visible()
    rows = shown(page)
    assert len({row["paper"] for row in rows}) > 12
    assert min(contrast(rgb(row["ink"]), rgb(row["paper"])) for row in rows) >= 4.5
    assert all(one["paper"] != other["paper"] for one, other in pairwise(rows))
    settle(page)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    names = ("#editor", "#figures", "#slider", "#last", "#tokens", "#panel", "#show", "#png")
    boxes = [page.locator(name).bounding_box() for name in names]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)


def test_the_other_views_fit_a_phone_and_axe_finds_nothing(open_page: Open, settle):
    page = playground(open_page, "the newest dog", width=390, view="vocabulary", sought="newest")
    expect(page.get_by_text("13 of the 50,257 tokens cannot be produced by any text.")).to_be_visible()
    settle(page)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page = playground(open_page, "the newest dog", width=390, view="side-by-side", against="cl100k_base qwen")
    page.get_by_text("The same sentence in eight languages").click()
    expect(page.get_by_text("Below: the tokens of GPT-2.")).to_be_visible()
    page.mouse.move(1, 1)  # the colours of a button under the pointer are Streamlit's
    settle(page)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.thorough
def test_a_tokenizer_that_normalizes_leaves_the_editor_alone(open_page: Open, settle):
    page = open_page("train", {"normalizers": "bert"})
    page.get_by_role("link", name="Playground").click()
    expect(page.get_by_label("Tokenizer")).to_be_visible()
    pick(page, "Tokenizer", "Trained on the Train page")
    expect(page.locator("#editor")).to_be_visible()
    page.locator("#editor").fill("")
    page.locator("#editor").press_sequentially("LÓW NEWEST", delay=15)
    expect(page.get_by_text("The tokenizer normalizes the text first")).to_be_visible()
    expect(tokens(page)).to_have_count(2)
    settle(page)
    assert [row["text"] for row in shown(page)] == ["low_", "newest_"]
    assert page.locator("#editor").input_value() == "LÓW NEWEST"


def open_files(page: Page, files: dict[str, bytes]) -> None:
    drop = page.get_by_test_id("stFileUploaderDropzoneInput")
    if not drop.count():
        page.get_by_role("button", name="Open a tokenizer").click()
    drop.set_input_files(
        [{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files.items()]
    )


@pytest.mark.parametrize(
    "shape", ["llama2", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("metaspace always", "roberta"))]
)
def test_an_opened_tokenizer_shows_the_ids_that_it_gives(open_page: Open, shape: str):
    content = SHAPES[shape]().to_str().encode()
    tok = loads({"x": content})
    page = playground(open_page, "The keeper's dog é 🦜 1,234 zq")
    open_files(page, {"tokenizer.json": content})
    expect(page.get_by_text(re.compile(rf"{tok.vocab_size:,} tokens from tokenizer.json"))).to_be_visible()
    for text in ("The keeper's dog é 🦜 1,234 zq", "  two  spaces\nnew line", "keeper é"):
        enter(page, text)
        expect(tokens(page)).to_have_count(len(tok.ids(text)))
        assert [row["id"] for row in shown(page)] == [str(i) for i in tok.ids(text)]
    set_slider(page, 0)
    symbols = sum(len(tok.inside(i)) + 1 for i in tok.ids("keeper é"))
    expect(tokens(page)).to_have_count(symbols)


@pytest.mark.thorough
def test_a_file_that_cannot_be_opened_loses_nothing(open_page: Open):
    page = playground(open_page, "hug pug")
    open_files(page, dumps(train("hug hug pug", Settings(vocab_size=258)).tokenizer(), "vocab.json + merges.txt"))
    expect(page.get_by_text("258 tokens from vocab.json + merges.txt")).to_be_visible()
    expect(page.get_by_test_id("stFileUploaderDropzoneInput")).to_have_count(0)
    open_files(page, {"![x](http://x.invalid/y.png).json": b'{"model": {"type": "<b>*Word*Piece"}}'})
    page.get_by_role("button", name=re.compile("Remove vocab.json")).click()
    page.get_by_role("button", name=re.compile("Remove merges.txt")).click()
    expect(page.get_by_text("for which this file is made")).to_be_visible()
    expect(page.locator("#editor")).to_have_value("hug pug")
    expect(page.get_by_text("258 tokens from vocab.json + merges.txt")).to_be_visible()
    assert findings(page) == []
