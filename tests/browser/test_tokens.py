"""Tokens as a person uses it: type, scrub, point, click, share a link."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from bpe_core.pictures.shared.token_text import paired, parts, token_text
from tests.browser.driver import WATCH, expect_link, pick
from tests.browser.tokens_page import GPT2, Open, enter, set_slider, shown, tokens, tokens_page
from tests.texts import NASTY


def test_typing_asks_one_question_at_a_time_and_the_newest_text_last(open_page: Open):
    page = tokens_page(open_page, "x")
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


@pytest.mark.thorough
def test_typing_plays_with_ones_own_text_which_goes_along_to_another_page(open_page: Open, settle):
    page = open_page()
    page.locator("#editor").fill("my own words")
    expect(page.locator("[data-name=characters]")).to_have_text("12")
    expect(tokens(page)).to_have_count(3)
    expect(page.locator(".big dd")).to_have_text("3")
    page.get_by_role("link", name="Train", exact=True).click()
    settle(page)
    expect(page.locator("#editor")).to_have_value("my own words")


def test_a_key_leaves_the_tokens_before_and_after_what_it_changed(open_page: Open):
    page = tokens_page(open_page, "the keeper of the dog")
    for text, left in (
        ("the keeper of a dog slept", [0, 1, 2, None, None, None]),  # longer: no token at the end is the same
        ("the keeper of my dog slept", [0, 1, 2, None, 4, 5]),
    ):
        tokens(page).evaluate_all("tokens => tokens.forEach((token, i) => token.was = i)")
        page.locator("#editor").fill(text)
        expect(page.locator("#tokens")).to_contain_text(f"·{text.split()[3]}")
        assert "".join(row["text"] for row in shown(page)) == text.replace(" ", "·")
        assert tokens(page).evaluate_all("tokens => tokens.map(({ was }) => was ?? null)") == left


@pytest.mark.thorough
def test_nasty_texts(open_page: Open):
    page = tokens_page(open_page, "x")
    texts = [paired(text).replace("\r\n", "\n")[:200] for text in NASTY]  # as a text area has it
    for first in range(0, len(texts), 4):  # that stand on one screen
        text = "\n".join(texts[first : first + 4])
        enter(page, text)
        encoding = GPT2.encode(text, specials=True)
        expect(tokens(page)).to_have_count(len(encoding.ids))
        rows = shown(page)
        written = ["".join(p.text for p in parts(token)) for token in encoding.tokens]
        assert [row["text"] for row in rows] == written, text
        assert [row["id"] for row in rows] == [str(i) for i in encoding.ids], text
        assert all(one["paper"] != other["paper"] for one, other in pairwise(rows)), text
        assert tokens(page).locator("b, script, img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_play_the_buttons_and_nothing_moves_but_the_tokens(open_page: Open):
    page = tokens_page(open_page, "newest widest", tokenizer="newest-widest")
    for name, count, fresh in (("Start", 13, 0), ("Next", 11, 2), ("Back", 13, 0)):
        page.get_by_role("button", name=name, exact=True).click()
        expect(tokens(page)).to_have_count(count)
        expect(page.locator("#tokens .token.new")).to_have_count(fresh)
    page.keyboard.press("ArrowRight")
    expect(tokens(page)).to_have_count(11)
    page.keyboard.press("Home")
    expect(tokens(page)).to_have_count(13)
    page.evaluate("""() => { window.shifts = [];
      new PerformanceObserver(list => window.shifts.push(...list.getEntries().map(entry => entry.value)))
        .observe({ type: "layout-shift" }); }""")
    boxes = [page.locator(name).bounding_box() for name in ("[data-do=play]", "#panel", "#show")]
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert tokens(page).count() < 11
    assert boxes == [page.locator(name).bounding_box() for name in ("[data-do=play]", "#panel", "#show")]
    assert sum(page.evaluate("window.shifts")) < 0.002


def test_figures_are_of_the_whole_vocabulary_at_every_step_and_are_explained_by_keyboard(open_page: Open):
    page = tokens_page(open_page, "the newest dog", price="1000")
    names = (".big dd", "#share", "#amount", "[data-name='bytes per token']", "[data-name='tokens per word']")
    figures = ["3", "< 0.01%", "$0.0030", "4.67", "1.00"]
    assert [page.locator(name).inner_text() for name in names] == figures
    where = page.locator(".where")
    expect(where).to_have_text(re.compile(r"^(\d+) of \1 merges here, 3 tokens$"))
    page.get_by_role("button", name="Start", exact=True).click()
    expect(where).to_have_text(re.compile("^0 of .* merges here, 14 tokens$"))
    expect(tokens(page)).to_have_count(14)
    assert [page.locator(name).inner_text() for name in names] == figures
    card = page.get_by_role("tooltip", name="Bytes divided by tokens")
    expect(card).to_be_hidden()
    page.keyboard.press("Tab")  # the keyboard is in use: a press with the pointer leaves no card open
    page.get_by_role("button", name="bytes per token").focus()
    expect(card).to_be_visible()


@pytest.mark.thorough
def test_text_that_the_vocabulary_cannot_write_is_struck_through_counted_and_no_gain(open_page: Open):
    text = "unaffable 🦜 weil 🦜🦜"
    page = tokens_page(open_page, text, tokenizer="bert")
    lost = page.locator("#tokens .token.unknown")
    expect(lost).to_have_text(["🦜[UNK] 100", "🦜🦜[UNK] 100"])
    assert lost.first.evaluate("chip => getComputedStyle(chip).backgroundColor") == "rgba(0, 0, 0, 0)"
    names = ("bytes per token", "tokens per word", "pieces lost")
    kept = len(b"unaffable  weil ")  # of 7 tokens, two of which are for parrots
    figures = [page.locator(f"[data-name='{name}']").inner_text() for name in names]
    assert figures == [f"{kept / 7:.2f}", f"{5 / 2:.2f}", "2"]
    expect(page.locator("#tokens .token").nth(1)).to_have_text("##ffa20961")
    expect(page.locator("[data-section=merging]")).to_contain_text("BERT merges nothing")
    expect(page.locator("#sentence")).to_contain_text("WordPiece has no merges at all")
    expect(page.locator(".bar")).to_be_hidden()
    lost.first.click()
    expect(page.locator("#line")).to_contain_text("id 100 lost: the vocabulary cannot write this text")
    expect(page.locator("#facts")).to_contain_text("the model reads [UNK] in its place, id 100")


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
    page.goto(f"{server}/?tokenizer=gpt2&text=the newest dog")
    settle(page)
    speaks_of(page, "·newest", "15530")  # that of most merges, at first
    facts, dog = page.locator("#facts"), tokens(page).nth(2)
    expect(page.locator("#line")).to_contain_text("made at step 15,275")
    expect(facts).to_contain_text("made of")
    (dog.tap if touch else dog.click)()
    speaks_of(page, "·dog", "3290")
    expect(page.locator("#apart")).to_contain_text("splits the text here, before any merge")
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
    expect(page).to_have_url(re.compile(r"step=\d+&token=3(&|$)"))
    page.reload()
    settle(page)
    speaks_of(page, "·", "220")
    expect(page.locator("#apart")).to_contain_text("have not merged yet")
    context.close()


@pytest.mark.thorough
def test_a_chosen_token_is_in_the_link_and_there_after_a_reload_until_a_step(open_page: Open, settle):
    page = open_page("", {"text": "a lighthouse"})
    tokens(page).nth(1).click()
    told = re.compile("id 180069 made at step 179,814 of 199,742")
    halves = page.locator("#facts dd").first.locator(".token")
    for _ in range(2):
        speaks_of(page, "·lighthouse", "180069")
        expect(page.locator("#line")).to_have_text(told)
        expect(halves).to_have_text(["·l", "ighthouse"])
        expect(page).to_have_url(re.compile("token=1(&|$)"))
        settle(page)
        page.reload()
        settle(page)
    page.get_by_role("button", name="Back", exact=True).click()
    speaks_of(page, "·l", "305")
    expect(page.locator("#sentence")).to_contain_text("GPT-4o's step 88,417 joined")
    expect(page.locator("#sentence .held")).to_have_text("ighthouse.")  # the stop does not begin a line
    expect(page.locator("#sentence")).to_have_attribute("aria-live", "polite")
    assert page.locator(".where").get_attribute("aria-live") == "off", "a step is announced once"


@pytest.mark.thorough
def test_a_token_is_told_of_after_a_link_that_led_nowhere_and_when_the_text_has_lost_it(open_page: Open, settle):
    page = tokens_page(open_page, "the newest dog")
    page.get_by_role("link", name="Tokens", exact=True).click()
    settle(page)
    tokens(page).last.click()
    speaks_of(page, "·dog", "3290")
    expect(page.locator("#facts")).to_be_visible()
    enter(page, "the")
    speaks_of(page, "the", "1169")
    expect(page.locator("#facts")).to_be_visible()


@pytest.mark.thorough
def test_a_link_gives_the_same_screen_and_the_text_is_kept_across_pages(open_page: Open, settle):
    page = tokens_page(open_page, "x")
    text = "a shared <b>text</b> & more"
    page.locator("#show").select_option("list")
    expect(page).to_have_url(re.compile("ids=list"))
    enter(page, text)
    settle(page)  # what the page has heard of is not waited for again
    page.locator("#marks").uncheck()
    page.locator("#price").fill("2.5")
    set_slider(page, 3)
    expect(page.locator(".where")).to_have_text(re.compile("^3 of "))  # drawn with the next frame
    where = page.locator(".where").text_content()
    expect(page).to_have_url(re.compile("step=.*ids=list.*marks=no.*price=2.5"))
    before = [row["text"] for row in shown(page)]
    page.reload()
    settle(page)
    expect(tokens(page)).to_have_count(len(before))
    assert [row["text"] for row in shown(page)] == before
    expect(page.locator("#editor")).to_have_value(text)
    expect(page.locator(".where")).to_have_text(where)
    expect(page.locator("#price")).to_have_value("2.5")
    page.get_by_role("link", name="Train").click()
    settle(page)
    page.get_by_role("link", name="Tokens", exact=True).click()
    settle(page)
    expect(page.locator("#editor")).to_have_value(text)
    page.locator("#editor").press_sequentially("!")
    expect(page.locator("[data-name=characters]")).to_have_text(str(len(text) + 1))


@pytest.mark.thorough
def test_a_long_text_is_drawn_where_it_is_seen(open_page: Open):
    page = tokens_page(open_page, "x")
    text = "the newest low tower, 12 🦜\n" * 7700 + "the very END"
    enter(page, text)
    assert len(text) > 200_000
    assert tokens(page).count() < 4000
    page.locator("#tokens").evaluate("pane => { pane.scrollTop = pane.scrollHeight }")
    expect(tokens(page).last).to_contain_text("END")
    expect(page.locator("#line")).not_to_be_in_viewport()
    tokens(page).last.click()  # its story is far below
    expect(page.locator("#line")).to_be_in_viewport(ratio=1)
    page.locator("#tokens").evaluate("pane => { pane.scrollTop = pane.scrollHeight / 2 }")
    page.wait_for_function("""pane => {
      const box = pane.getBoundingClientRect();
      const inside = chip => { const { top } = chip.getBoundingClientRect(); return top > box.top && top < box.bottom };
      return [...pane.querySelectorAll(".token")].filter(inside).length > 20;
    }""", arg=page.locator("#tokens").element_handle())  # fmt: skip


@pytest.mark.thorough
def test_what_a_pretokenizer_throws_away_is_shown(open_page: Open):
    page = tokens_page(open_page, "low  newest", tokenizer="trained")
    expect(page.locator("#tokens .dropped")).to_have_count(1)
    assert page.locator("#tokens .dropped").text_content() == "  "


@pytest.mark.thorough
def test_a_tokenizer_that_normalizes_leaves_the_editor_alone(open_page: Open, settle):
    page = open_page("train", {"normalizers": "bert"})
    page.get_by_role("link", name="Tokens", exact=True).click()
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


SNIPPET = """def merge(pairs, ranks):
    best = min(pairs, key=lambda pair: ranks.get(pair, float("inf")))
    while best in ranks:
        pairs = join(pairs, best)
        best = min(pairs, key=lambda pair: ranks.get(pair, float("inf")))
    return pairs


for word in open("words.txt", encoding="utf-8").read().splitlines():
    print(word, merge(list(zip(word, word[1:])), RANKS), sep="\\t")
"""
RESTED = """async (main) => {  // a smooth scroll has ended
  for (let before = -1; before !== main.scrollTop;) {
    before = main.scrollTop;
    await new Promise((answer) => setTimeout(answer, 300));
  }
}"""


@pytest.mark.parametrize(
    "which",
    [
        pytest.param(12, id="a token far above its story"),
        pytest.param(-1, id="a token near its story", marks=pytest.mark.thorough),
    ],
)
def test_on_a_phone_a_token_that_is_tapped_stays_in_sight(open_page: Open, settle, which: int):
    page = tokens_page(open_page, SNIPPET, width=390)
    token = tokens(page).nth(which)
    token.scroll_into_view_if_needed()
    token.click()
    settle(page)
    page.get_by_test_id("stMain").evaluate(RESTED)
    expect(token).to_be_in_viewport(ratio=1)
    if which == -1:
        expect(page.locator("#line")).to_be_in_viewport(ratio=1)


def test_share_and_leaving_while_it_plays_keep_the_step_that_is_shown(open_page: Open, settle):
    page = tokens_page(open_page, "the keeper of the dog kept the keys of the keeper " * 3, step="0")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".where")).to_contain_text(re.compile(r"\b[4-9] of"))
    page.get_by_role("button", name="Share").click()
    expect_link(page, r"step=[4-9]|step=\d\d")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()  # it plays on
    shown = int(re.search(r"\d+", page.locator(".where").inner_text())[0])
    page.get_by_role("link", name="Chat", exact=True).click()
    settle(page)
    page.get_by_role("link", name="Tokens", exact=True).click()
    settle(page)
    assert int(re.search(r"\d+", page.locator(".where").inner_text())[0]) >= shown


def test_in_a_low_and_narrow_window_the_step_bar_covers_no_token_of_the_first_row(open_page: Open, settle):
    page = tokens_page(open_page, "the newest dog")
    page.set_viewport_size({"width": 640, "height": 400})
    settle(page)
    token, bar = (page.locator(name).first.bounding_box() for name in ("#tokens .token", ".bar"))
    assert token["y"] + token["height"] <= bar["y"] + 4
