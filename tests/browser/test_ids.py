"""Pasted ids, a text as a stream, and why it was cut, as a person uses them: pointer, keys, a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.tokens_page import Open, tokens, tokens_page

OWN_PATTERN = {"pretokenizer": "custom", "pattern": r"\w+|\s+", "word_marker": "none", "vocabulary": "300"}
NOT_WRITTEN = "These 2 ids are not what GPT-2 writes: 1 region differs."


def test_a_list_of_ids_is_read_by_one_press(open_page: Open, settle, axe):
    page = tokens_page(open_page, "a dog")
    expect(tokens(page)).to_have_count(2)
    page.locator("#editor").fill("[258, 18798]")
    expect(page.get_by_text("2 ids of GPT-2.")).to_be_visible()
    page.get_by_role("button", name="Read them").click()
    expect(page.get_by_text(NOT_WRITTEN)).to_be_visible()
    settle(page)
    expect(page.locator(".regions li")).to_have_count(1)
    expect(page.locator("#editor")).to_have_value("[258, 18798]")
    assert axe(page) == []


@pytest.mark.thorough
def test_a_stream_and_the_split_on_a_phone_by_keys(open_page: Open, axe):
    page = tokens_page(open_page, "I'm 42 🦜", view="ids", dark=True, width=390)
    expect(page.locator(".stream tbody tr")).to_have_count(6)
    expect(page.locator(".stream .soft")).to_have_text(["·\ufffd", "\ufffd", "\ufffd"])
    assert axe(page) == []
    page.get_by_role("radio", name="Why").click()
    page.get_by_role("radio", name="Split").click()
    expect(page.locator(".cuts li")).to_have_count(5)
    letters, digits = page.locator(".cuts li").nth(1), page.locator(".cuts [data-cut='3'] > .token")
    lit = "chip => getComputedStyle(chip).boxShadow !== 'none'"
    assert not digits.evaluate(lit)
    letters.focus()
    page.keyboard.press("Tab")  # to the digits
    assert digits.evaluate(lit)
    page.locator(".cuts [data-cut='2'] > .token").click()
    assert letters.evaluate(lit)
    assert not digits.evaluate(lit)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []


@pytest.mark.thorough
def test_the_pieces_of_a_typed_pattern_on_a_phone_by_keys(open_page: Open, settle, axe):
    page = open_page("train", OWN_PATTERN | {"text": "she'll pay 20", "view": "split"}, width=390)
    expect(page.get_by_text("Your pattern cuts this text into 6 pieces, by 2 of 2 alternatives")).to_be_visible()
    pattern = page.get_by_role("textbox", name="Pattern", exact=True)
    pattern.fill(r"'ll|\w+|\s+")
    pattern.press("Enter")
    expect(page.get_by_text("Your pattern cuts this text into 6 pieces, by 3 of 3 alternatives")).to_be_visible()
    expect(page.get_by_text("GPT-2 cuts this text otherwise at 2 places.")).to_be_visible()
    settle(page)
    first = page.locator(".cuts li").first
    first.focus()
    lit = page.locator(".cuts [data-cut='1'] > .token")
    assert lit.evaluate("chip => getComputedStyle(chip).boxShadow !== 'none'")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []
    pattern.fill("(")
    pattern.press("Enter")
    expect(page.get_by_text("missing )")).to_be_visible()
    expect(page.locator(".cuts li")).to_have_count(3)
