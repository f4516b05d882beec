"""Models: the price of a language, and the scorecard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tokens_page import Open


@pytest.mark.thorough
def test_the_price_of_a_language_is_one_click_away_and_takes_ones_own_sentences(open_page: Open, axe, settle):
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
def test_each_figure_of_the_scorecard_opens_and_fits_a_phone(open_page: Open, axe):
    query = {"tokenizer": "gpt2", "view": "side-by-side", "compared": "scorecard", "text": "naïveté 🦜"}
    page = open_page("", query, dark=True, width=390)
    for closed in page.locator(".scores summary").all():
        closed.click()
    expect(page.locator(".scores li .token").first).to_be_visible()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
