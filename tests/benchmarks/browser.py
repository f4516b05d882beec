"""How fast the app is in Chromium, browser and server on this machine, beside a bare Streamlit page in the same run."""

from __future__ import annotations

import argparse
import typing
import unittest.mock
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

from pages.parts.ui.frame import PAGES
from tests.browser import driver

Figure = tuple[str, float, str, float | None]  # what, measured, unit, goal
KEYS = 40  # Chromium compiles code that runs often: on either page the first twenty keys take longer
FLOOR = "import sys; sys.argv[2] = 'tests/benchmarks/floor_key_page.py'"
# What shows that a key has arrived, by page.
ECHO, FIGURES, FIRST_ROW, WORDS = "#back", "#figures", ".row .tokens", ".words"
SIX = {"view": "side-by-side", "against": "cl100k_base gpt2 qwen p50k_base tekken"}
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


def opened(browser: Browser, url: str, follows: str) -> Page:
    """A page in a window of its own, once it shows what follows from a key."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(driver.WATCH)
    page.goto(url)
    page.locator(follows).first.wait_for(state="attached", timeout=60_000)
    driver.settle(page)
    page.evaluate(SCRIPT)
    return page


def enter(page: Page, text: str, follows: str) -> float:
    """Milliseconds from a text to what is painted of it."""
    return page.evaluate("given => enter(given)", [text, follows])


def key(page: Page, follows: str, floor: Page, characters: int) -> tuple[float, float]:
    """Milliseconds of a letter typed at the start of a text, on a page and on the bare page, one after the other."""
    text, pages = text_of(characters), ((page, follows), (floor, ECHO))
    times: list[list[float]] = [[], []]
    for n in range(KEYS + 1):
        for (where, shown), taken in zip(pages, times, strict=True):
            where.bring_to_front()
            where.wait_for_timeout(150)  # between two keys of a fast typist
            taken.append(enter(where, "x" * (n + 1) + text[n:] + "y" * (n % 2), shown))
    ours, bare = (median(taken[1:]) for taken in times)  # the first is the whole text
    return ours, bare


def keys(browser: Browser, url: str, floor: Page) -> Iterator[Figure]:
    """A key on the pages that follow every key, as times of the floor."""
    for what, path, query, follows, characters, goal in (
        ("to tokens", "playground", {}, FIGURES, 200, 2.0),
        ("to tokens", "playground", {}, FIGURES, 45_000, 3.0),
        ("to six tokenizers", "playground", SIX, FIRST_ROW, 200, 2.5),
        ("to a training", "train", {}, WORDS, 200, 3.0),
    ):
        page = opened(browser, f"{url}/{path}?{urlencode(query)}", follows)
        ours, bare = key(page, follows, floor, characters)
        page.close()
        yield f"key {what} at {characters:,} characters", ours, "ms", None
        yield f"key {what} at {characters:,} characters / a bare page's {bare:.0f} ms", ours / bare, "times", goal


def first_paint(browser: Browser, url: str, path: str) -> float:
    """Milliseconds from the address to the headline, where server and browser know the page."""
    page, times = browser.new_page(), []
    name = "" if path == "app.py" else Path(path).stem
    for _ in range(4):
        page.goto(f"{url}/{name}", wait_until="commit")
        page.locator("h1.headline").wait_for(timeout=60_000)
        times.append(page.evaluate("performance.now()"))
        page.locator("#editor, .lesson").first.wait_for(timeout=60_000)
    page.close()
    return median(times[1:])


def measure() -> Iterator[Figure]:
    """All figures with their goals."""
    with started() as (browser, url, bare):
        page = opened(browser, f"{url}/playground?tokenizer=gpt2", FIGURES)
        yield "paste of 200,000 characters to first tokens", enter(page, text_of(200_000), FIGURES), "ms", 1000
        page.wait_for_timeout(1000)
        frames = page.evaluate("frames => scrub(frames)", 80)
        yield "slider frame at 200,000 characters", median(frames), "ms", 50
        page.close()
        yield from keys(browser, url, opened(browser, bare, "#editor"))
        for row in PAGES.values():
            yield f"first paint of {row.title}", first_paint(browser, url, row.path), "ms", 1500
