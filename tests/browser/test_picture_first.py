"""The picture is on the first screen of every page: at 1280 × 800 pixels, at a zoom of 200 %, on a phone."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from pages.parts.ui.frame import PAGES
from tests.browser.driver import settle

# How far from the top the first token, line of a text in parts, or chart begins.
FIRST = """() => {
  const tops = [];
  const look = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) look(each.shadowRoot);
      if (!each.matches(".token, .line .mark, .drawn svg, .timeline svg")) continue;
      const { top, width, height } = each.getBoundingClientRect();
      if (width && height) tops.push(top + scrollY);
    }
  };
  look(document);
  return Math.min(...tops);
}"""
PLAYS = "localStorage.plays = 'by itself'; sessionStorage.clear()"
TOKEN = 24  # pixels: so much of it is to be seen


class Screen(NamedTuple):
    width: int
    height: int
    most: int  # pixels from the top


WIDE, ZOOMED, PHONE = Screen(1280, 800, 350), Screen(720, 450, 450 - TOKEN), Screen(390, 844, 844 - TOKEN)


@pytest.mark.parametrize("name", PAGES)
def test_the_picture_is_on_the_first_screen(page: Page, server: str, name: str):
    page.goto(f"{server}/{'' if PAGES[name].path == 'app.py' else name}")
    found = {}
    for screen in (WIDE, ZOOMED, PHONE):
        page.set_viewport_size({"width": screen.width, "height": screen.height})
        settle(page)
        found[screen] = page.evaluate(FIRST)
    assert {screen: top for screen, top in found.items() if top > screen.most} == {}


@pytest.mark.parametrize("ends", ["by itself", "by a key", pytest.param("by a click", marks=pytest.mark.thorough)])
def test_the_start_page_plays_once_and_a_key_or_a_click_ends_it(page: Page, server: str, ends: str):
    page.goto(f"{server}/_stcore/health")
    page.evaluate(PLAYS)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server)
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_in_viewport()
    if ends == "by a key":
        page.keyboard.press("Shift")
    if ends == "by a click":
        page.get_by_role("heading", level=1).click()
    play = page.get_by_role("button", name="Play", exact=True)
    expect(play).to_be_in_viewport()
    expect(page.locator(".big dd")).to_have_text("17")
    settle(page)
    assert "?" not in page.url
    page.reload()
    settle(page)
    expect(play).to_be_visible()
    expect(page.locator(".big dd")).to_have_text("17")


def test_where_less_motion_is_wanted_nothing_plays_by_itself(page: Page, server: str):
    page.goto(f"{server}/_stcore/health")
    page.evaluate(PLAYS)
    page.emulate_media(reduced_motion="reduce")
    page.goto(server)
    settle(page)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.locator(".big dd")).to_have_text("17")
    page.emulate_media(reduced_motion="no-preference")
