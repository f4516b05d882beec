"""The uses of the app, as a person would try them: step, train on a file, paste, compare, share a link."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import book, choose_example, corpus_rows, pick, upload

SELENE = ["es", "est", "est_", "lo", "low", "ne", "new", "newest_", "low_"]


@pytest.mark.thorough
def test_selene_run_step_by_step(open_page):
    page = open_page("train", {"vocabulary": "21"})
    for step, token in enumerate(SELENE, 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator(".sentence")).to_contain_text(f"Step {step} joined")
        expect(page.locator(".sentence .token.new")).to_have_text(token)
    assert corpus_rows(page) == [
        "5 × low_",
        "2 × low e r _",
        "6 × newest_",
        "3 × w i d est_",
        "1 × lo n g e r _",
    ]
    expect(page).to_have_url(re.compile(r"\?vocab_size=21&step=9$"))
    page.keyboard.press("Home")
    expect(page.locator(".sentence")).to_contain_text("Before any merge")


@pytest.mark.thorough
def test_selene_encoding_and_decoding(open_page, settle):
    page = open_page("train", {"vocabulary": "21", "step": "9"})
    page.get_by_role("link", name="Tokens", exact=True).click()
    expect(page.get_by_label("Tokenizer")).to_be_visible()
    pick(page, "Tokenizer", "Trained on the Train page")
    expect(page.get_by_text(": 9 merges;")).to_be_attached()  # under "About the tokenizer"
    page.get_by_role("textbox", name="Your text").fill("newer longest knew ingest belong newest")
    expect(page.locator("[data-name=characters]")).to_have_text("39")
    expect(page.get_by_text("Does not come back exactly: 2 pieces of the text are lost.")).to_be_visible()  # k and b
    chips = page.locator(".tokens .token").all_inner_texts()
    tokens = [re.sub(r"(\d+|unknown)$", "", chip).strip() for chip in chips]
    assert " ".join(tokens) == "new e r _ lo n g est_ k new _ i n g est_ b e lo n g _ newest_"


@pytest.mark.thorough
def test_play_goes_to_the_end_and_stops(open_page):
    page = open_page("train", {"vocabulary": "21"})
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(page.locator(".sentence")).to_contain_text("The vocabulary has the 21 tokens asked for.")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.get_by_text("step 9 of 9")).to_be_visible()


@pytest.mark.thorough
def test_reload_keeps_the_screen(open_page, settle):
    page = open_page("train", {"corpus": "hug-pug-pun", "vocabulary": "11", "step": "3"})
    before = corpus_rows(page)
    page.reload()
    settle(page)
    expect(page.locator(".sentence")).to_contain_text("Step 3 joined")
    assert corpus_rows(page) == before


@pytest.mark.thorough
def test_a_book_trains_to_ten_thousand_and_every_step_can_be_reached(open_page, settle):
    settings = {"pretokenizer": "gpt2", "alphabet": "bytes", "marker": "none", "vocabulary": "10000"}
    page = open_page("train", settings)
    upload(page, "book.txt", book(60_000))
    expect(page.get_by_text("step 0 of 9,744")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.locator(".sentence")).to_contain_text("Step 9,744 joined")
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".sentence")).to_contain_text("Step 9,743 joined")
    track = slider.bounding_box()
    page.mouse.click(track["x"] + track["width"] / 3, track["y"] + track["height"] / 2)
    expect(page.locator(".sentence")).to_contain_text(re.compile(r"Step [2-4],\d\d\d joined"))


@pytest.mark.thorough
def test_files_that_cannot_be_used(open_page):
    page = open_page("train")
    for raw, message in (
        (b"", "notes.txt is empty"),
        (b"\xff\xfe\x00", "is not UTF-16 text"),
        (b"  \n", "only white space"),
    ):
        upload(page, "notes.txt", raw)
        expect(page.get_by_text(re.compile(message))).to_be_visible()
        expect(page.get_by_label("Your text")).to_have_value(re.compile("low low low"))
        choose_example(page, "hug, pug, pun, bun, hugs")
        expect(page.get_by_text("hugs”: ")).to_be_visible()
        expect(page.locator(".sentence")).to_contain_text("Before any merge")
        choose_example(page, "low, lower, newest, widest")


@pytest.mark.thorough
def test_text_as_typed_is_never_markup(open_page):
    text = "<b>&\"'</b> $x$ *y* `z` <script>alert(1)</script>"
    for path, more in {"": {}, "compare": {}, "algorithms": {"vocabulary": "99"}, "train": {}}.items():
        page = open_page(path, ({"corpus": "paste"} if path else {}) | {"text": text} | more)
        expect(page.locator(".tokens").first).to_be_visible()
        assert page.locator(".tokens b, .tokens script, .tokens em, .katex").count() == 0


@pytest.mark.thorough
def test_compare_shows_what_only_one_side_can_learn(open_page):
    page = open_page("compare", {"left": "none", "step": "4", "view": "vocabularies"})
    expect(page.get_by_text("Only No split: 1")).to_be_visible()
    expect(page.locator(".tokens .token", has_text="·dog.").first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Only No split: 0")).to_be_visible()


@pytest.mark.thorough
def test_two_tabs_do_not_disturb_each_other(open_page, context, server, settle):
    one = open_page("train", {"step": "2"})
    other = context.new_page()
    other.goto(f"{server}/train?corpus=hug-pug-pun&vocabulary=12")
    settle(other)
    other.keyboard.press("End")
    expect(other.locator(".sentence")).to_contain_text("joined")
    one.keyboard.press("ArrowRight")
    expect(one.locator(".sentence")).to_contain_text("Step 3 joined")
    expect(one.locator(".sentence .token.new")).to_have_text("est_")


@pytest.mark.thorough
def test_back_leads_to_the_page_before_and_not_through_every_step(open_page, settle):
    page = open_page()
    page.get_by_role("link", name="Two splits").first.click()
    expect(page).to_have_url(re.compile("/compare"))
    settle(page)
    for step in ("1", "2", "3"):
        page.get_by_role("button", name="Next", exact=True).click()
        expect(page).to_have_url(re.compile(f"step={step}"))
    page.go_back()
    expect(page.get_by_role("heading", level=1, name="See your text as tokens")).to_be_visible()
    page.go_forward()
    expect(page).to_have_url(re.compile("/compare"))
    expect(page.locator(".sides section").first).to_be_visible()
