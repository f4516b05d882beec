"""How the Playground looks: colours that can be read, on a phone, and to a screen reader."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.browser.playground import Open, playground, shown, tokens
from tests.contrast import contrast


def rgb(colour: str) -> str:
    numbers = [round(float(n)) for n in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return "#" + "".join(f"{n:02x}" for n in numbers)


@pytest.mark.parametrize(
    ("width", "dark"),
    [
        (390, True),
        *(pytest.param(*look, marks=pytest.mark.thorough) for look in ((390, False), (1280, False), (1280, True))),
    ],
)
def test_colours_can_be_read_and_axe_finds_nothing(open_page: Open, settle, dark: bool, width: int):
    text = "".join(chr(n) + " " for n in range(0x21, 0x180)) + "the newest 🦜\ndog"
    page = playground(open_page, text, dark=dark, width=width, ids="list")
    expect(tokens(page).first).to_be_visible()
    rows = shown(page)
    assert len({row["paper"] for row in rows}) > 12
    assert min(contrast(rgb(row["ink"]), rgb(row["paper"])) for row in rows) >= 4.5
    assert all(one["paper"] != other["paper"] for one, other in pairwise(rows))
    settle(page)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    names = ("#editor", "#figures", ".slider", "[data-do=end]", "#tokens", "#panel", "#show", "#png")
    boxes = [page.locator(name).bounding_box() for name in names]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)


@pytest.mark.thorough
def test_the_other_views_fit_a_phone_and_axe_finds_nothing(open_page: Open, settle):
    page = playground(open_page, "the newest dog", width=390, view="vocabulary", sought="newest")
    expect(page.get_by_text("13 of the 50,257 tokens cannot be produced by any text.")).to_be_visible()
    settle(page)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page = playground(open_page, "the newest dog", width=390, view="side-by-side", against="cl100k_base qwen")
    page.get_by_text("The price of a language").click()
    expect(page.get_by_role("heading", name="The tokens of GPT-2")).to_be_visible()
    page.mouse.move(1, 1)  # the colours of a button under the pointer are Streamlit's
    settle(page)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
