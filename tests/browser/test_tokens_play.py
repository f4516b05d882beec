"""Tokens plays its first sentence once by itself, where motion is wanted. Nothing moves but the tokens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import settle
from tests.browser.tokens_page import Open, tokens
from tests.some import some

PLAYS = "localStorage.plays = 'by itself'; sessionStorage.clear()"
# The shifts outside of the tokens: these move into their places, and nothing else may.
SHIFTS = """() => { window.shifts = [];
  const roots = Array.from(document.querySelectorAll("[data-testid=stBidiComponentIsolated]"), (it) => it.shadowRoot);
  const pane = roots.map((it) => it?.querySelector("#tokens")).find(Boolean);
  const { top, bottom } = pane.getBoundingClientRect();
  const isToken = ({ currentRect: it }) => it.top >= top - 1 && it.bottom <= bottom + 1;
  new PerformanceObserver(list => {
    for (const { sources, value } of list.getEntries()) if (!sources.every(isToken)) window.shifts.push(value);
  }).observe({ type: "layout-shift" }); }"""
STILL = ("[data-do=play]", "#figures", "#sentence", "[data-section=tools]", "#panel", ".st-key-questions")
NEAR = 0.1  # pixels
# Beside the slider is the number of the tokens in the picture, before the last merge. The big number stands still.
COUNTS = """() => {
  const roots = Array.from(document.querySelectorAll("[data-testid=stBidiComponentIsolated]"), (it) => it.shadowRoot);
  const root = roots.find((it) => it?.querySelector(".big dd"));
  const where = root?.querySelector(".where").textContent;
  const number = Number(where?.match(/^\\d+ of 66 merges here, (\\d+) tokens$/)?.[1]);
  return number > 17 && number === root.querySelectorAll("#tokens .token").length
    && root.querySelector(".big dd").textContent === "17";
}"""


def places(page: Page) -> dict[str, float]:
    """Where the parts of the page are that stand still, from its headline, and how large they are."""
    top = page.locator("h1").bounding_box()["y"]
    boxes = {name: page.locator(name).bounding_box() for name in STILL}
    return {f"{name} {side}": box[side] - top * (side == "y") for name, box in boxes.items() for side in box}


@pytest.mark.parametrize("ends", some(["by a key", "by a click", "by itself"]))
def test_the_page_plays_once_and_a_key_or_a_click_ends_it(page: Page, server: str, ends: str):
    page.goto(f"{server}/_stcore/health")
    page.evaluate(PLAYS)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server)
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_in_viewport(ratio=1)
    page.wait_for_function(COUNTS)
    if ends == "by a key":
        page.keyboard.press("Shift")
    if ends == "by a click":
        page.get_by_role("heading", level=1).click()
    play = page.get_by_role("button", name="Play", exact=True)
    expect(play).to_be_in_viewport(ratio=1)
    expect(page.locator(".big dd")).to_have_text("17")
    expect(page.locator(".where")).to_have_text("66 of 66 merges here, 17 tokens")
    settle(page)
    assert "?" not in page.url
    page.reload()
    settle(page)
    expect(play).to_be_visible()
    expect(page.locator(".where")).to_have_text("66 of 66 merges here, 17 tokens")


def test_where_less_motion_is_wanted_nothing_plays_by_itself(page: Page, server: str):
    page.goto(f"{server}/_stcore/health")
    page.evaluate(PLAYS)
    page.emulate_media(reduced_motion="reduce")
    page.goto(server)
    settle(page)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.locator(".where")).to_have_text("66 of 66 merges here, 17 tokens")
    page.emulate_media(reduced_motion="no-preference")


@pytest.mark.thorough
@pytest.mark.parametrize("width", [1280, 390])
def test_a_sentence_melts_and_nothing_moves(open_page: Open, outside_requests, settle, width: int):
    page = open_page(width=width)
    expect(tokens(page).nth(10)).to_be_visible()
    words = tokens(page).count()
    settle(page)
    page.evaluate(SHIFTS)
    before = places(page)
    page.get_by_role("button", name="Start", exact=True).click()
    size = len(page.locator("#editor").input_value())
    expect(tokens(page)).to_have_count(size)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".where")).to_have_text(re.compile("^[1-9].* of 66 merges here"))
    assert places(page) == pytest.approx(before, abs=NEAR), "while it plays"
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(tokens(page)).to_have_count(words)
    assert places(page) == pytest.approx(before, abs=NEAR)
    assert sum(page.evaluate("window.shifts")) < 0.005
    assert outside_requests == []
