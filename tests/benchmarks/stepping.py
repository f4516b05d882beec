"""The Train page in Chromium: from a key to the new sentence, chart and corpus, on 17 words and on a book."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks import corpora
from tests.benchmarks.engine import Row
from tests.browser.conftest import CHROMIUM_ARGS, ROOT, chromium, settle, wait_until_healthy

# Presses a key and waits for the frame after the one in which chart and sentence have both changed.
STEP = """
async key => {
  const sentence = () => document.querySelector('.sentence')?.textContent;
  const chart = () => document.querySelectorAll('[data-testid="stVegaLiteChart"] svg')[1]?.textContent;
  const before = [sentence(), chart()];
  const start = performance.now();
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key, code: key, bubbles: true}));
  while (sentence() === before[0] || chart() === before[1]) {
    if (performance.now() - start > 5000) return -1;
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - start;
}
"""


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Page, str]]:
    """A page of the running app, and the app's address."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        url = f"http://localhost:{free.getsockname()[1]}"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={url.rsplit(':', 1)[1]}"]
    log = folder / "log.txt"
    with log.open("w") as output, subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output) as process:
        try:
            wait_until_healthy(url, process, log)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGS)
                yield browser.new_page(viewport={"width": 1280, "height": 800}), url
                browser.close()
        finally:
            process.terminate()


def _steps(page: Page, times: int = 25) -> list[float]:
    taken = []
    for k in range(times):
        page.wait_for_timeout(300)
        taken.append(page.evaluate(STEP, "ArrowRight" if k % 8 < 6 else "ArrowLeft"))
    return [time for time in taken[3:] if time >= 0]


def measure() -> Iterator[Row]:
    """Milliseconds a step."""
    folder = ROOT / "tests" / "benchmarks" / "results"
    folder.mkdir(exist_ok=True)
    with opened(folder) as (page, url):
        page.goto(f"{url}/train?step=1")
        settle(page)
        page.wait_for_timeout(1000)
        small = _steps(page)
        yield "a step, 17 words: median", median(small), "ms", 150.0
        yield "a step, 17 words: worst", max(small), "ms", None
        page.goto(f"{url}/train?pretokenizer=gpt2&alphabet=bytes&marker=none&vocabulary=10000&corpus=upload")
        settle(page)
        page.get_by_role("combobox", name="Corpus").click()
        page.get_by_role("option", name="Upload a file").click()
        raw = corpora.book().encode()
        page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
            {"name": "book.txt", "mimeType": "text/plain", "buffer": raw}
        )
        page.get_by_text("different words").wait_for(timeout=60_000)
        settle(page)
        slider = page.get_by_test_id("stSlider").bounding_box()
        page.mouse.click(slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2)
        page.wait_for_timeout(2000)
        page.evaluate("document.activeElement.blur()")  # keys go to the slider otherwise
        large = _steps(page)
        yield "a step, a book to 10,000: median", median(large), "ms", 150.0
        yield "a step, a book to 10,000: worst", max(large), "ms", None
