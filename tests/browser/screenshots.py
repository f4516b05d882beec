"""Takes the README's pictures from the real app, and runs its notebook: `make screenshots`."""

from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

from bpe_core.pictures.saved.gallery import write_gallery
from pages.parts.page.frame import PAGES
from tests.pictures.saved.notebook_run import NOTEBOOK, executed, without_pages

FOLDER = Path(__file__).parent / "screenshots"
STORY = {"corpus": "short-story", "pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "step": "40"}
# A picture's page, the link's values, and the height of the window: every page, and more.
SCREENS: dict[str, tuple[str, dict[str, str], int]] = {
    name: (name, {}, 800) for name in PAGES if name != "tokenizers"
} | {
    "tokens": ("", {}, 1000),
    "side-by-side": ("", {"view": "side-by-side", "corpus": "keepers-dog"}, 960),
    "chat": ("chat", {"view": "requests"}, 800),
    "files": ("files", {"view": "notations"}, 620),
    "vocabulary": ("tokenizers", {"sought": "house"}, 1060),
    "train": ("train", STORY, 800),
    "compare": ("compare", {"corpus": "short-story", "vocab_size": "600", "step": "150"}, 800),
}
# A spinner never ends; what opens or fades does.
NOTHING_MOVES = """document.getAnimations().every(
    (it) => it.playState !== "running" || it.effect.getComputedTiming().endTime === Infinity)"""


@pytest.fixture(autouse=True)
def folder() -> None:
    FOLDER.mkdir(exist_ok=True)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", SCREENS)
def test_picture(open_page, name, dark):
    path, query, height = SCREENS[name]
    page = open_page(path, query, dark=dark)
    page.set_viewport_size({"width": 1280, "height": height})
    drawn(page)
    page.screenshot(path=FOLDER / f"{name}-{'dark' if dark else 'light'}.png")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_gallery(page, tmp_path, dark):
    index, *_ = write_gallery(tmp_path)
    page.emulate_media(color_scheme="dark" if dark else "light")
    page.set_viewport_size({"width": 1280, "height": 840})
    page.goto(index.as_uri())
    page.screenshot(path=FOLDER / f"gallery-{'dark' if dark else 'light'}.png")


def test_notebook():
    nbformat.write(without_pages(executed()), NOTEBOOK)


def drawn(page: Page) -> None:
    """Wait until nothing on the page moves and its charts are drawn."""
    for chart in page.locator(".drawn").all():  # of a film
        expect(chart.locator("svg")).to_be_attached()
    page.wait_for_function(NOTHING_MOVES)
    page.wait_for_timeout(600)  # a chart draws once the page is idle
