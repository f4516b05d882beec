"""The start page: the jewel at once, on the visitor's own text too, and the cards of the other pages."""

import re

import pytest
from playwright.sync_api import expect

SHIFTS = """() => { window.shifts = [];
  new PerformanceObserver(list => window.shifts.push(...list.getEntries().map(entry => entry.value)))
    .observe({ type: "layout-shift" }); }"""


@pytest.mark.thorough
def test_a_sentence_melts_and_nothing_moves(open_page, outside_requests):
    page = open_page()
    tokens = page.locator("#tokens .token")
    expect(tokens.nth(10)).to_be_visible()
    words = tokens.count()
    page.evaluate(SHIFTS)
    places = [page.locator(name).bounding_box() for name in ("[data-do=play]", ".stPageLink >> nth=-1")]
    page.get_by_role("button", name="Start", exact=True).click()
    size = len(page.locator("#editor").input_value())
    expect(tokens).to_have_count(size)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(tokens).to_have_count(words)
    assert places == [page.locator(name).bounding_box() for name in ("[data-do=play]", ".stPageLink >> nth=-1")]
    assert sum(page.evaluate("window.shifts")) < 0.005
    assert outside_requests == []


def test_typing_plays_with_ones_own_text_which_goes_along_to_another_page(open_page, settle):
    page = open_page()
    page.locator("#editor").fill("my own words")
    expect(page.locator("[data-name=characters]")).to_have_text("12")
    expect(page.locator("#tokens .token")).to_have_count(3)
    page.get_by_role("link", name="See tokens").click()
    settle(page)
    expect(page.locator("#editor")).to_have_value("my own words")
    expect(page.locator(".big dd")).to_have_text("3")


@pytest.mark.thorough
def test_a_chosen_token_is_in_the_link_and_there_after_a_reload_until_a_step(open_page, settle):
    page = open_page("", {"text": "a lighthouse"})
    page.locator("#tokens .token").nth(1).click()
    told = "·lighthouse id 180069: made at step 179,814 of 199,742, of ·l + ighthouse."
    expect(page.locator("#sentence")).to_have_text(told)
    expect(page).to_have_url(re.compile("token=1(&|$)"))
    settle(page)
    page.reload()
    settle(page)
    expect(page.locator("#sentence")).to_have_text(told)
    expect(page.locator("#tokens .active")).to_contain_text("·lighthouse")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator("#sentence")).to_contain_text("step 88,417 joined")
    expect(page.locator("#sentence")).to_have_attribute("aria-live", "polite")
    assert page.locator(".where").get_attribute("aria-live") == "off", "a step is announced once"


@pytest.mark.thorough
@pytest.mark.parametrize(("dark", "width"), [(True, 390), (False, 1280)])
def test_axe_finds_nothing_and_nothing_is_too_wide(open_page, axe, dark, width):
    page = open_page(dark=dark, width=width)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.thorough
def test_the_price_of_a_language_is_one_click_away_and_takes_ones_own_sentences(open_page, axe, settle):
    page = open_page(width=390)
    page.get_by_role("button", name="Does Hindi cost more than English?").click()
    expect(page.get_by_text("For the same sentence, Hindi needs")).to_be_visible()
    box, rows = page.get_by_role("textbox", name=re.compile("^One sentence a line")), page.locator(".prices tbody tr")
    box.fill("one tree\ntwo two trees")
    expect(rows).to_have_count(2)
    settle(page)
    page.reload()
    settle(page)
    expect(rows).to_have_count(2)
    expect(box).to_have_value("one tree\ntwo two trees")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.thorough
def test_each_figure_of_the_scorecard_opens_and_fits_a_phone(open_page, axe):
    query = {"tokenizer": "gpt2", "view": "side-by-side", "compared": "scorecard", "text": "naïveté 🦜"}
    page = open_page("playground", query, dark=True, width=390)
    for closed in page.locator(".scores summary").all():
        closed.click()
    expect(page.locator(".scores li .token").first).to_be_visible()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_example_in_an_empty_box_is_pale_and_still_has_contrast(open_page, settle, axe):
    for dark in (False, True):
        page = open_page("", dark=dark)
        page.get_by_role("button", name="Clear").click()
        settle(page)
        expect(page.locator("#view.example, .example")).not_to_have_count(0)
        assert axe(page) == []
