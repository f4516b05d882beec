"""The start page plays once by itself, where motion is wanted."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import settle
from tests.some import some

PLAYS = "localStorage.plays = 'by itself'; sessionStorage.clear()"

# The big number is that of the tokens in the picture, before the last merge.
COUNTS = """() => {
  const roots = Array.from(document.querySelectorAll("[data-testid=stBidiComponentIsolated]"), (it) => it.shadowRoot);
  const root = roots.find((it) => it?.querySelector(".big dd"));
  const number = Number(root?.querySelector(".big dd").textContent);
  return number > 17 && number === root.querySelectorAll("#tokens .token").length;
}"""


@pytest.mark.parametrize("ends", some(["by itself", "by a key", "by a click"]))
def test_the_start_page_plays_once_and_a_key_or_a_click_ends_it(page: Page, server: str, ends: str):
    page.goto(f"{server}/_stcore/health")
    page.evaluate(PLAYS)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server)
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_in_viewport()
    page.wait_for_function(COUNTS)
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
