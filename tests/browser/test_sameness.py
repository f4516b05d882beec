"""Two tokenizers compared as a person does it: by pointer, by keys, on a phone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.playground import Open, playground

LONG = 90_000  # ms: both are opened in a process


def test_two_tokenizers_a_part_and_the_text_side_by_side(open_page: Open, settle, axe):
    page = playground(open_page, "a dog", view="same", other="p50k_base", dark=True, width=390)
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
    expect(page.get_by_role("radio", name="Side by side")).to_be_checked()
