"""Takes every page, tab and state in four windows and both themes, to be looked at: `make screens`.

The pictures are in `screens/`, which is not committed: <page>-<tab or state>-<width>-<theme>.png.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.parts.page.frame import PAGES
from tests.browser.driver import settle, upload
from tests.browser.screenshots import drawn

FOLDER = Path(__file__).parents[2] / "screens"
WINDOWS = {1440: 900, 1280: 800, 720: 450, 390: 844}
PATHS = {name: "" if row.path == "app.py" else Path(row.path).stem for name, row in PAGES.items()}
WITH_BOX = ("tokens", "train", "compare", "algorithms", "pipeline")
LONG = b"The keeper's dog slept in the harbour master's boat. " * 6000


def empty(page: Page) -> None:
    """Empty the box."""
    page.get_by_role("button", name="Clear", exact=True).click()


def long(page: Page) -> None:
    """Open a text that is too long to edit."""
    upload(page, "long.txt", LONG)


def wrong(page: Page) -> None:
    """Open a link with what nobody knows."""
    page.goto(f"{page.url.partition('?')[0]}?view=nothing&tokenizer=nobody&corpus=none&step=x&lesson=none")


# What a tab shows stands below it: tabs that are not at the top of a window are moved there.
TO_THE_TOP = "it => it.getBoundingClientRect().y > innerHeight / 2 && it.closest('[role=radiogroup]').scrollIntoView()"
STATES: dict[str, Callable[[Page], None]] = {"empty": empty, "long": long, "wrong": wrong}
LOOKS = [
    pytest.param(width, dark, id=f"{width}-{'dark' if dark else 'light'}")
    for width in WINDOWS
    for dark in (False, True)
]


def take(page: Page, name: str, width: int, dark: bool) -> None:
    settle(page)
    expect(page.get_by_role("progressbar")).to_have_count(0)  # a training, or a tokenizer that is opened
    settle(page)
    drawn(page)
    FOLDER.mkdir(exist_ok=True)
    page.screenshot(path=FOLDER / f"{name}-{width}-{'dark' if dark else 'light'}.png")


@pytest.mark.parametrize(("width", "dark"), LOOKS)
@pytest.mark.parametrize("name", PATHS)
def test_page_and_tabs(open_page, name, width, dark):
    page = open_page(PATHS[name], dark=dark, width=width)
    page.set_viewport_size({"width": width, "height": WINDOWS[width]})
    take(page, name, width, dark)
    for tab in page.get_by_role("radiogroup", name="View", exact=True).get_by_role("radio").all():
        tab.click()
        settle(page)
        tab.evaluate(TO_THE_TOP)
        take(page, f"{name}-{tab.inner_text().lower().replace(' ', '-')}", width, dark)


@pytest.mark.parametrize(("width", "dark"), LOOKS)
@pytest.mark.parametrize(("name", "state"), [(n, s) for n in PATHS for s in STATES if s == "wrong" or n in WITH_BOX])
def test_state(open_page, name, state, width, dark):
    page = open_page(PATHS[name], dark=dark, width=width)
    page.set_viewport_size({"width": width, "height": WINDOWS[width]})
    STATES[state](page)
    take(page, f"{name}-{state}", width, dark)
