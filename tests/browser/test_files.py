"""The tokens of a folder: which file is the largest, what is in it, what another model or notation would cost."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bpe_core.published import PUBLISHED
from pages.parts.files.opened_files import NOT_OPEN
from tests.browser.driver import settle
from tests.browser.first_screen import FIRST, SCREENS
from tests.browser.tokens_page import GPT2, Open


def open_folder(page: Page, folder: Path) -> None:
    """Choose a folder in the menu "Open files", and close the menu."""
    page.get_by_role("button", name="Open files").click()
    page.get_by_test_id("stFileUploaderDropzoneInput").nth(1).set_input_files(folder)
    page.get_by_text(f"{folder.name}/: ").wait_for()
    page.keyboard.press("Escape")
    settle(page)


@pytest.mark.thorough
def test_the_bars_come_first_on_every_screen(open_page: Open):
    page = open_page("files")
    tops = {}
    for screen in SCREENS:
        page.set_viewport_size({"width": screen.width, "height": screen.height})
        settle(page)
        expect(page.locator(".mark-rect path").first).to_be_visible()
        tops[screen] = page.evaluate(FIRST.replace(".timeline svg", ".mark-rect path"))
    assert {screen: top for screen, top in tops.items() if not 0 < top <= screen.most} == {}


@pytest.mark.parametrize("width", [1280, pytest.param(390, marks=pytest.mark.thorough)])
def test_a_folder_is_entered_by_its_bars_and_a_row_is_read(open_page: Open, axe, tmp_path: Path, width: int):
    folder = tmp_path / "mine"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs/large.md").write_text("The keeper's dog slept. " * 300)
    (folder / "docs/small.md").write_text("A dog.")
    rows = [{"text": "newest " * (3 * size), "id": size} for size in range(1, 60)]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = {"tokenizer": "gpt2", "against": "qwen", "limit": "100", "price": "2"}
    page = open_page("files", asked, width=width)
    settle(page)
    open_folder(page, folder)
    page.get_by_role("combobox", name="What counts of a table's records").click()
    page.get_by_role("option", name="Only “text”", exact=True).click()
    texts = ["The keeper's dog slept. " * 300, "A dog.", *(row["text"] for row in rows)]
    ours, theirs = (sum(map(tok.count, texts)) for tok in (GPT2, PUBLISHED["qwen"].load()))
    expect(page.get_by_text(f"mine/: {ours:,} tokens")).to_be_visible()
    longer = sum(GPT2.count(text) > 100 for text in texts)
    expect(page.get_by_text(f"{longer} of 61 rows are longer than 100 tokens of GPT-2.")).to_be_visible()
    settle(page)
    bars, totals = (page.get_by_test_id("stVegaLiteChart").nth(i) for i in (0, 1))
    expect(totals).to_contain_text(f"{theirs:,}")
    expect(totals).to_contain_text(f"Qwen: ${theirs * 2 / 1e6:.4f}")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    bars.locator(".mark-rect path").nth(1).click(force=True)  # docs/
    expect(page.get_by_text("mine/docs/: ")).to_be_visible()
    settle(page)
    page.get_by_test_id("stVegaLiteChart").nth(0).locator(".mark-rect path").nth(1).click(force=True)
    expect(page.get_by_text("mine/docs/small.md: 3 tokens")).to_be_visible()
    expect(page.get_by_test_id("stCode")).to_contain_text("A dog.")
    page.get_by_role("button", name="Up", exact=True).click()
    expect(page.get_by_text("rows.jsonl").first).to_be_visible()
    settle(page)
    page.get_by_role("radio", name="Notations").click()
    settle(page)
    expect(page.get_by_role("heading", name="What would the same data cost in another notation?")).to_be_visible()
    compact = GPT2.count(json.dumps(rows, separators=(",", ":")))
    expect(page.get_by_test_id("stVegaLiteChart")).to_contain_text(f"{compact:,}")
    page.get_by_role("radio", name="Own tokens").click()
    settle(page)
    page.get_by_text("Train and count").click()
    expect(page.get_by_text(re.compile("new tokens? would save"))).to_be_visible()
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_after_a_reload_it_is_said_that_the_files_are_gone_until_others_are_opened(open_page: Open):
    page = open_page("files", {"tokenizer": "gpt2"})
    gone = page.get_by_text(NOT_OPEN)
    choose = page.get_by_test_id("stFileUploaderDropzoneInput").first
    mine = {"name": "mine.txt", "mimeType": "text/plain", "buffer": b"The keeper's dog slept."}
    expect(page.locator(".mark-rect path").first).to_be_visible()
    expect(gone).to_have_count(0)
    page.get_by_role("button", name="Open files").click()
    choose.set_input_files(mine)
    expect(page).to_have_url(re.compile("opened=1"))
    settle(page)
    expect(gone).to_have_count(0)
    page.reload()
    settle(page)
    expect(gone).to_be_visible()
    page.get_by_role("radiogroup", name="View", exact=True).get_by_role("radio").last.click()
    settle(page)
    expect(gone).to_be_visible()
    page.get_by_role("button", name="Open files").click()
    choose.set_input_files(mine)
    expect(gone).to_have_count(0)
