"""Stepping in Chromium: from a key to the new sentence, chart and corpus, on Train and on Compare."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter

from playwright.sync_api import Page, sync_playwright

from bpe_core import Settings
from bpe_core.record.recording import train_with_index
from tests.benchmarks import corpora
from tests.benchmarks.engine import Row
from tests.browser import driver
from tests.browser.driver import settle

TRAIN = [".sentence", ".words", '[data-testid="stVegaLiteChart"]  svg']
COMPARE = {  # what a step changes in each view
    "merges": [".sentence", ".words"],
    "vocabularies": [".sentence", ".words", ".title"],
    "blocked": [".sentence", ".words"],
    "held-out": [".sentence", ".words", '[data-testid="stVegaLiteChart"]  svg'],
}
# From the key's event to the frame after the one in which all these places have changed.
WATCH = """
places => {
  const seen = () => places.map(
    where => [...document.querySelectorAll(where)].map(part => part.innerHTML).join());
  const before = seen();
  window.step = new Promise(done => addEventListener('keydown', () => {
    const start = performance.now();
    const look = () => {
      if (seen().every((text, i) => text !== before[i])) done(performance.now() - start);
      else if (performance.now() - start > 2000) done(-1);
      else requestAnimationFrame(look);
    };
    look();
  }, {capture: true, once: true}));
}
"""


@contextmanager
def opened() -> Iterator[tuple[Page, str]]:
    """A page of the running app, and the app's address."""
    with driver.serve() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM_ARGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(driver.WATCH)
        yield page, url
        browser.close()


def _steps(page: Page, places: list[str], times: int = 16) -> list[float]:
    taken = []
    for k in range(times):
        page.wait_for_timeout(300)
        page.evaluate(WATCH, places)
        page.keyboard.press("ArrowRight" if k % 8 < 6 else "ArrowLeft")
        taken.append(page.evaluate("() => window.step"))
    return [time for time in taken[3:] if time >= 0]


def _upload(page: Page, text: str) -> None:
    page.get_by_role("button", name="Open a file").click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        {"name": "book.txt", "mimeType": "text/plain", "buffer": text.encode()}
    )


def _to_the_middle(page: Page) -> None:
    settle(page)
    slider = page.get_by_test_id("stSlider").bounding_box()
    page.mouse.click(slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2)
    page.wait_for_timeout(2000)
    page.evaluate("document.activeElement.blur()")  # keys go to the slider otherwise


def measure() -> Iterator[Row]:
    """Milliseconds a step."""
    with opened() as (page, url):
        page.goto(f"{url}/train?step=1")
        settle(page)
        page.wait_for_timeout(1000)
        small = _steps(page, TRAIN)
        yield "a step, 17 words: median", median(small), "ms", 150.0
        yield "a step, 17 words: worst", max(small), "ms", None
        page.goto(f"{url}/train?pretokenizer=gpt2&alphabet=bytes&marker=none&vocabulary=10000")
        settle(page)
        _upload(page, corpora.book())
        page.get_by_text("different words").wait_for(timeout=60_000)
        _to_the_middle(page)
        large = _steps(page, TRAIN)
        yield "a step, a book to 10,000: median", median(large), "ms", 150.0
        yield "a step, a book to 10,000: worst", max(large), "ms", None
        text = corpora.large(2)[:1_000_000]
        began = perf_counter()
        for cut in ("whitespace", "gpt2"):
            train_with_index(text, Settings(cut, vocab_size=2000))
        yield "both trainings of Compare, 1 MB to 2,000", perf_counter() - began, "s", 2.0
        for view, places in COMPARE.items():
            query = f"left_alphabet=bytes&right_alphabet=bytes&vocabulary=2000&view={view}"
            page.goto(f"{url}/compare?{query}")
            settle(page)
            _upload(page, text)
            page.get_by_text("Beside each pretoken").wait_for(timeout=60_000)
            _to_the_middle(page)
            both = _steps(page, places)
            yield f"a step of Compare, 1 MB, {view}: median", median(both), "ms", 200.0
            yield f"a step of Compare, 1 MB, {view}: worst", max(both), "ms", None
