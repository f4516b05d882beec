"""Tokenizers as a person uses it: a vocabulary, and two tokenizers compared; by pointer, by keys, on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.tokens_page import Open

LONG = 90_000  # ms: both are opened in a process


def test_two_tokenizers_a_part_and_the_text_side_by_side(open_page: Open, settle, axe):
    query = {"tokenizer": "gpt2", "text": "a dog", "view": "same", "other": "p50k_base"}
    page = open_page("tokenizers", query, dark=True, width=390)
    expect(page.get_by_role("heading", name="Is it the same tokenizer?")).to_be_visible()
    expect(page.locator("table.parts").first).to_be_visible(timeout=LONG)
    expect(page.get_by_text("They differ. The shortest text found")).to_be_visible()
    opened = page.locator("table.parts summary").first
    opened.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="differences: vocabulary")).to_be_visible()
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []
    page.get_by_role("button", name="Open this text side by side").press("Enter")
    expect(page.locator("#editor")).to_have_value("  ")
    expect(page.get_by_role("radio", name="Models")).to_be_checked()
    expect(page.locator(".row h2")).to_have_text(["GPT-2", "Codex (p50k_base)"])


@pytest.mark.thorough
def test_a_vocabulary_says_which_tokens_no_text_has_and_fits_a_phone(open_page: Open, settle, axe):
    page = open_page("tokenizers", {"tokenizer": "gpt2", "sought": "newest"}, width=390)
    expect(page.get_by_text("13 of the 50,257 tokens cannot be produced by any text.")).to_be_visible()
    settle(page)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
