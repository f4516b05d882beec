"""How fast the app is in Chromium, browser and server on this machine, beside a bare Streamlit page in the same run."""

from __future__ import annotations

import argparse
import typing
import unittest.mock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, WebSocket, sync_playwright

from pages.parts.page.frame import PAGES
from tests.benchmarks.figures import Row
from tests.browser import driver

FLOOR = "import sys; sys.argv[2] = 'tests/benchmarks/floor_key_page.py'"
FIGURES = "#figures"  # on Tokens they show that a key has arrived
SCRIPT = """
window.find = (selector, root = document) => {
  for (const element of root.querySelectorAll("*")) {
    const shadow = element.shadowRoot, found = shadow && (shadow.querySelector(selector) ?? find(selector, shadow));
    if (found) return found;
  }
};
window.painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
/** Time from setting the text until what follows from it is painted. */
window.enter = async ([text, follows]) => {
  const editor = find("#editor"), shown = find(follows), before = shown.textContent, begun = performance.now();
  editor.value = text;
  editor.dispatchEvent(new InputEvent("input", { bubbles: true }));
  while (shown.textContent === before) await new Promise(done => setTimeout(done, 1));
  await painted();
  return performance.now() - begun;
};
/** Time of each frame while the slider moves in every one. */
window.scrub = async frames => {
  const slider = find(".slider"), times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let i = 1; i <= frames; i++) {
    slider.value = Math.round(slider.max * i / frames);
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
};
null; // Playwright would call a function
"""


def text_of(characters: int) -> str:
    """Real text with many different words: source and comments from Python's own library."""
    sources = [Path(module.__file__).read_text(encoding="utf-8") for module in (argparse, typing, unittest.mock)]
    return "".join(sources * (1 + characters // 100_000))[:characters]


@contextmanager
def started() -> Iterator[tuple[Browser, str, str]]:
    """A browser, and the addresses of the app and of the bare page."""
    with driver.serve() as url, driver.serve(FLOOR) as floor, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM_ARGS)
        yield browser, url, floor
        browser.close()


def opened(browser: Browser, url: str, follows: str, listen: Callable[[WebSocket], None] = lambda socket: None) -> Page:
    """A page in a window of its own, once it shows what follows from a key. `listen`: called with its connection."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.on("websocket", listen)
    page.add_init_script(driver.WATCH)
    page.goto(url)
    page.locator(follows).first.wait_for(state="attached", timeout=60_000)
    driver.settle(page)
    page.evaluate(SCRIPT)
    return page


def enter(page: Page, text: str, follows: str) -> float:
    """Milliseconds from a text until it is painted."""
    return page.evaluate("given => enter(given)", [text, follows])


def first_paint(browser: Browser, url: str, path: str) -> float:
    """Milliseconds from the address to the headline, where server and browser know the page."""
    page, times = browser.new_page(), []
    page.add_init_script(driver.WATCH)
    name = "" if path == "app.py" else Path(path).stem
    for _ in range(4):
        page.goto(f"{url}/{name}", wait_until="commit")
        page.locator("h1.headline").wait_for(timeout=60_000)
        times.append(page.evaluate("performance.now()"))
        driver.settle(page)
    page.close()
    return median(times[1:])


def measure() -> Iterator[Row]:
    """A paste, the slider, and the first paint of each page."""
    with started() as (browser, url, _):
        pasted, text = [], text_of(200_000)
        for _ in range(3):
            page = opened(browser, f"{url}/?tokenizer=gpt2", FIGURES)
            pasted.append(enter(page, text, FIGURES))
            text = text[1:] + text[0]  # one that the server has not seen
            page.wait_for_timeout(1000)
            frames = page.evaluate("frames => scrub(frames)", 80)
            page.close()
        yield "paste of 200,000 characters to first tokens", median(pasted), "ms", 660
        yield "slider frame at 200,000 characters", median(frames), "ms", 50
        for row in PAGES.values():
            yield f"first paint of {row.title}", first_paint(browser, url, row.path), "ms", 600
