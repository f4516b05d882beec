"""What your text is, in a line under its box: a chat is pasted and opened, the way back, and a line that stays away."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.tokens_page import Open, tokens_page

REQUEST = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "What time is it?"},
        {"role": "assistant", "content": "Noon."},
        {"role": "user", "content": "Thanks"},
    ],
    "tools": [{"type": "function", "function": {"name": "clock", "description": "Tells the time."}}],
}


@pytest.mark.thorough
def test_a_chat_is_pasted_opened_as_one_and_back_its_text_is_as_before(open_page: Open, settle, axe):
    page = tokens_page(open_page, "a dog", tokenizer="qwen")
    text = json.dumps(REQUEST, indent=1)
    page.locator("#editor").fill(text)
    expect(page.get_by_text("A chat of 4 turns with tools.")).to_be_visible()
    settle(page)
    assert axe(page) == []
    page.get_by_role("button", name="Open it as one").press("Enter")
    expect(page.get_by_role("heading", name="See a chat as the model does")).to_be_visible()
    expect(page.get_by_label("Turn 2", exact=True)).to_have_value("What time is it?")
    expect(page.get_by_label("Turn 4", exact=True)).to_have_value("Thanks")
    expect(page.get_by_role("button", name="Tools: 1")).to_be_visible()
    settle(page)
    page.go_back()
    expect(page.locator("#editor")).to_have_value(text)
    expect(page.get_by_text("A chat of 4 turns with tools.")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="✕").click()
    expect(page.get_by_text("A chat of 4 turns with tools.")).to_have_count(0)
    settle(page)
    expect(page.locator("#editor")).to_have_value(text)


def test_a_text_is_mended_and_put_back_on_a_phone(open_page: Open, settle, axe):
    page = tokens_page(open_page, "The cafÃ©â€™s door", dark=True, width=390)
    line = page.get_by_text("UTF-8 that was read as Latin-1: mended, 3 tokens fewer.")
    expect(line).to_be_visible()
    page.get_by_role("button", name="Mend it").click()
    expect(page.locator("#editor")).to_have_value("The café’s door")
    settle(page)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Put the text back as it was").click()
    expect(page.locator("#editor")).to_have_value("The cafÃ©â€™s door")
    expect(line).to_be_visible()


@pytest.mark.thorough
def test_the_line_moves_no_token_where_there_is_room_beside_the_box(open_page: Open, settle):
    page = tokens_page(open_page, "[1, 2 and 3]")
    before = page.locator(".st-key-view").bounding_box()
    page.locator("#editor").fill("[1, 2, 3, 4]")
    expect(page.get_by_text("4 ids of GPT-2.")).to_be_visible()
    settle(page)
    after = page.locator(".st-key-view").bounding_box()
    assert (after["x"], after["y"], after["width"]) == (before["x"], before["y"], before["width"])
