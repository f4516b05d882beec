"""The Compare page in a browser: choose, step, search, edit the text, follow and reload a link."""

import io
import re
from xml.etree import ElementTree

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.driver import panel, pick


def conclusion(page: Page):
    return page.locator(".sentence").first


def column(page: Page, place: int):
    """The sentence of the left (0) or the right (1) training."""
    return page.locator(".sentence").nth(1 + place)


def test_the_default_makes_the_point_without_typing(open_page, outside_requests):
    page = open_page("compare")
    expect(conclusion(page)).to_contain_text("1 of the 7 merges of Whitespace made the token")
    expect(conclusion(page).locator(".token")).to_have_text("dog.")
    expect(page.locator(".token.lost")).to_have_count(3)
    expect(page.get_by_text("It ended after step 7.")).to_be_visible()
    assert outside_requests == []


def test_the_examples_show_what_no_cut_learns(open_page, settle):
    page = open_page("compare")
    page.get_by_role("button", name="The same, uncut").click()
    expect(conclusion(page)).to_contain_text("No cut made")
    settle(page)
    page.keyboard.press("Home")
    expect(column(page, 0)).to_contain_text("Before any merge")
    settle(page)
    for step, token in enumerate(["·d", "·do", "·dog", "·dog."], 1):
        page.keyboard.press("ArrowRight")
        expect(column(page, 0)).to_contain_text(f"Step {step} joined")
        expect(column(page, 0).locator(".token.new")).to_have_text(token)
        expect(column(page, 1)).to_contain_text(f"Step {step} joined")
    page.get_by_role("button", name="one dog. one dinosaur.").click()
    expect(page.locator(".cut").first).to_contain_text("dinosaur")
    settle(page)
    page.keyboard.press("Home")
    expect(column(page, 0)).to_contain_text("Before any merge")
    settle(page)
    for step, token in enumerate(["on", "one", "one·", "one·d"], 1):
        page.keyboard.press("ArrowRight")
        expect(column(page, 0)).to_contain_text(f"Step {step} joined")
        expect(column(page, 0).locator(".token.new")).to_have_text(token)
    panel(page, "Vocabularies")
    expect(page.get_by_text(re.compile(r"^Only No cut: \d+$"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"corpus=one-dinosaur&left_pretokenizer=none&step=4&view=vocabularies$"))


def test_choose_step_search_and_reload(open_page, settle):
    page = open_page("compare", {"corpus": "short-story", "vocabulary": "400"})
    pick(page, "Right: split by", "BERT")
    expect(conclusion(page)).to_contain_text("BERT")
    page.keyboard.press("Escape")
    page.locator("h5").first.click()
    settle(page)
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"right_pretokenizer=bert.*step=\d+"))
    panel(page, "Vocabularies")
    settle(page)
    page.get_by_placeholder("Find a token").fill("dog")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tokens made by merges that match")).to_be_visible()
    tokens = page.locator(".tokens[aria-label^=Only] .token, .tokens[aria-label^=Both] .token")
    assert tokens.count() > 0
    assert all("dog" in text.lower() for text in tokens.all_inner_texts())
    shown = [column(page, place).inner_text() for place in (0, 1)]
    page.reload()
    settle(page)
    assert [column(page, place).inner_text() for place in (0, 1)] == shown
    expect(page.get_by_role("radio", name="Vocabularies")).to_be_checked()


def test_edit_the_text(open_page):
    page = open_page("compare", {"corpus": "paste", "text": "aa bb", "held": "itself"})
    page.get_by_label("Your text").fill("<b>&\"'</b> $x$ `code` aa.")
    expect(page.locator(".cut").first).to_contain_text("<b>&\"'</b>")
    page.get_by_label("Your text").fill("")
    expect(page.get_by_text("The page shows “my dog. your dog.”")).to_be_visible()
    page.get_by_label("Your text").fill("low lower")
    expect(conclusion(page)).to_contain_text("for this very text")


def test_settings_of_one_side(open_page, settle):
    page = open_page("compare", {"left": "gpt2"})
    page.get_by_text("More on the left").click()
    settle(page)
    pick(page, "Alphabet", "Bytes")
    expect(page.locator("h5").first).to_have_text("GPT-2, bytes")
    expect(page).to_have_url(re.compile(r"left=gpt2&left_alphabet=bytes"))


def test_tables_and_tokenizers_leave_as_files(open_page):
    page = open_page("compare", {"view": "export", "left": "none", "step": "4"})
    with page.expect_download() as download:
        page.get_by_role("button", name="Merges (CSV)").click()
    table = pd.read_csv(io.BytesIO(download.value.path().read_bytes()))
    assert table["No cut"].tolist() == ["·dog.", "·dog", "·do", "·d"]
    assert download.value.suggested_filename == "merges-step-4.csv"
    expect(page.get_by_role("button", name="tokenizer.json")).to_have_count(2)


@pytest.mark.parametrize("view", ["vocabularies", "blocked", "held-out"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nothing_that_axe_finds(open_page, dark, view):
    page = open_page("compare", {"corpus": "short-story", "view": view, "step": "100"}, dark=dark)
    assert findings(page) == []


def test_a_phone_shows_it_all_without_scrolling_sideways(open_page):
    page = open_page("compare", {"view": "held-out"}, width=390)
    width = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert width <= 390
    expect(page.get_by_test_id("stVegaLiteChart")).to_be_visible()


def test_a_chart_leaves_as_svg(open_page):
    page = open_page("compare", {"view": "held-out"}, dark=True)
    page.get_by_test_id("stVegaLiteChart").hover()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as SVG: tokens of the held-out text").click()
    assert download.value.suggested_filename == "chart.svg"
    root = ElementTree.parse(download.value.path()).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("style").count("color: rgb(") == 2, "the text's colour, and the background's"
    assert len(root.findall(".//{*}path")) > 2
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name=re.compile("Download as SVG"))).to_have_count(1)
