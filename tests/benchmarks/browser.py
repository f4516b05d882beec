"""How fast the Playground is in Chromium, browser and server on the same machine. Medians, in milliseconds."""

from __future__ import annotations

import argparse
import typing
import unittest.mock
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from tests.browser import driver

Figure = tuple[str, float, str, float]  # what, measured, unit, goal
KEYS = 15
SCRIPT = """
window.find = (id, root = document) => {
  for (const element of root.querySelectorAll("*")) {
    const found = element.shadowRoot && (element.shadowRoot.getElementById(id) ?? find(id, element.shadowRoot));
    if (found) return found;
  }
};
window.painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
window.shown = () => find("figures").querySelector("[data-name=characters]").textContent.replaceAll(",", "");
/** Time from setting the text until its tokens are painted. */
window.enter = async text => {
  const editor = find("editor"), begun = performance.now(), size = String([...text].length);
  editor.value = text;
  editor.dispatchEvent(new InputEvent("input", { bubbles: true }));
  while (shown() !== size) await new Promise(done => setTimeout(done, 1));
  await painted();
  return performance.now() - begun;
};
/** Time of each frame while the slider moves in every one. */
window.scrub = async frames => {
  const slider = find("slider"), times = [];
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
"""


def text_of(characters: int) -> str:
    """Real text with many different words: source and comments from Python's own library."""
    sources = [Path(module.__file__).read_text(encoding="utf-8") for module in (argparse, typing, unittest.mock)]
    return "".join(sources * (1 + characters // 100_000))[:characters]


@contextmanager
def playground() -> Iterator[Page]:
    """The Playground in a browser, with GPT-2's vocabulary."""
    with driver.serve() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM_ARGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{url}/playground")
        page.locator("#tokens .token").first.wait_for(timeout=60_000)
        page.evaluate(SCRIPT)
        yield page
        browser.close()


def key_to_tokens(page: Page, characters: int) -> float:
    """A letter typed at the start of a text, until its tokens are painted."""
    text = text_of(characters)
    page.evaluate("text => enter(text)", text)
    times = []
    for n in range(1, KEYS + 1):
        page.wait_for_timeout(150)  # between two keys of a fast typist
        times.append(page.evaluate("text => enter(text)", "x" * n + text[n:] + "y" * (n % 2)))
    return median(times)


def slider_frame(page: Page, characters: int) -> float:
    """The time between two frames while the slider moves from end to end."""
    page.evaluate("text => enter(text)", text_of(characters))
    page.wait_for_timeout(1000)
    return median(page.evaluate("frames => scrub(frames)", 80))


def first_tokens(page: Page, characters: int) -> float:
    """A text pasted whole, seen for the first time, until its first tokens are painted."""
    page.evaluate("text => enter(text)", "a")  # an empty box would show an example
    return page.evaluate("text => enter(text)", text_of(characters))


def measure() -> list[Figure]:
    """All figures with their goals."""
    with playground() as page:
        return [
            ("paste of 200,000 characters to first tokens", first_tokens(page, 200_000), "ms", 1000),
            ("slider frame at 200,000 characters", slider_frame(page, 200_000), "ms", 50),
            ("key to tokens at 45,000 characters", key_to_tokens(page, 45_000), "ms", 150),
            ("key to tokens at 200 characters", key_to_tokens(page, 200), "ms", 60),
        ]
