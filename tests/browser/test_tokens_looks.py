"""How Tokens looks: colours that can be read, on a phone, and to a screen reader."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.browser.tokens_page import Open, shown, tokens, tokens_page
from tests.contrast import contrast
from tests.some import later


def rgb(colour: str) -> str:
    numbers = [round(float(n)) for n in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return "#" + "".join(f"{n:02x}" for n in numbers)


@pytest.mark.parametrize(
    ("width", "dark"),
    [
        (390, True),
        *map(later, ((390, False), (1280, False), (1280, True))),
    ],
)
def test_colours_can_be_read_and_axe_finds_nothing(open_page: Open, settle, dark: bool, width: int):
    text = "".join(chr(n) + " " for n in range(0x21, 0x180)) + "the newest 🦜\ndog"
    page = tokens_page(open_page, text, dark=dark, width=width, ids="list")
    expect(tokens(page).first).to_be_visible()
    rows = shown(page)
    assert len({row["paper"] for row in rows}) > 12
    assert min(contrast(rgb(row["ink"]), rgb(row["paper"])) for row in rows) >= 4.5
    assert all(one["paper"] != other["paper"] for one, other in pairwise(rows))
    settle(page)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    names = ("#editor", "#figures", ".slider", "[data-do=end]", "#tokens", "#panel", "#show", "#export")
    boxes = [page.locator(name).bounding_box() for name in names]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)


@pytest.mark.thorough
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_an_example_in_an_empty_box_is_pale_and_still_has_contrast(open_page: Open, settle, dark: bool):
    page = open_page("", dark=dark)
    page.get_by_role("button", name="Clear").click()
    settle(page)
    expect(page.locator("#view.example, .example")).not_to_have_count(0)
    expect(page.locator(".box-title")).to_have_text("An example")
    assert findings(page) == []
