"""What browser tests do again and again: start the app, wait until it has answered, upload, choose, read a corpus."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path

from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.server import serving

ROOT = Path(__file__).parents[2]
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
    "--no-first-run",
]
STORY = {"corpus": "short-story", "pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none"}  # on Train
WATCH = Path(__file__).with_name("watch.js").read_text(encoding="utf-8")
SETTLE_SECONDS = 120
# What is not done yet, or nothing. A spinner never ends; what opens or fades does.
PENDING = """
() => {
  const app = document.querySelector("[data-testid=stApp]")?.dataset;
  const ends = (it) => it.playState === "running" && it.effect.getComputedTiming().endTime !== Infinity;
  const components = Array.from(document.querySelectorAll("[data-testid=stBidiComponentIsolated]"));
  const pending = {
    "an answer": reruns.due || reruns.running,
    "its address": address.late,
    "what a view chose": document.documentElement.classList.contains("unheard"),
    "a connection": app?.testConnectionState !== "CONNECTED",
    "the script": app?.testScriptState !== "notRunning",
    "the page": !document.querySelector("[data-testid=stMain] [data-testid=stElementContainer]"),
    "an element": document.querySelector("[data-testid=stSkeleton]"),
    "a frame": components.some((it) => it.shadowRoot?.querySelector(".film:not([data-step]), .film[data-step='']")),
    "a component": components.some((it) => !it.shadowRoot?.firstElementChild?.childElementCount),
    "an animation": document.getAnimations().some(ends),
  };
  return Object.keys(pending).filter((name) => pending[name]).join(", ");
}
"""
NEWEST_LINK = (
    "[...document.querySelectorAll('[data-link]')].sort((one, other) => one.dataset.at - other.dataset.at)"
    ".at(-1)?.dataset.link ?? ''"
)
SETTLED = f"() => ({PENDING})() === ''"
# A browser is idle once it has drawn all that came, and listens to the keys of what it drew. What a component asks for
# once it is there, it has asked for when the browser is idle again. One that draws no frames is never idle, and not
# waited for.
SETTLED_WHEN_IDLE = f"""
async () => {{
  const settled = {SETTLED};
  const idle = () => new Promise((answer) => requestIdleCallback(answer, {{ timeout: 1000 }}));
  const later = () => new Promise((answer) => setTimeout(answer, 20));
  await idle();
  if (!settled()) return false;
  await later();
  await idle();
  return settled();
}}
"""


def chromium() -> str | None:
    """Where Chromium is, or one that stands in for it."""
    first = os.environ.get("MERGESCOPE_CHROMIUM", "chromium-headless-shell")  # it takes a fifth less than chromium
    names = [first, "chromium", "chromium-browser", "google-chrome"]
    return next(filter(None, map(shutil.which, names)), None)


def serve(before: str = "") -> AbstractContextManager[str]:
    """The app on a port of its own, as its address. `before` is Python that its process runs first."""
    script = f"{before}\nimport sys\nfrom streamlit.web.cli import main\nmain()"
    return serving([sys.executable, "-c", script, "run", "app.py"], ROOT)


def settle(page: Page) -> None:
    """Wait until the app has drawn the answer to all that was done, and fail on an exception in it.

    No time is waited for: `watch.js` sees what was asked and is not answered. Streamlit asks a moment later after a
    slider was moved (there, and where one thing should appear, use Playwright's `expect`). What opens, such as an
    expander, has opened: a menu inside it would move, and close, while it is being chosen from.
    """
    wait_until_settled(page)
    deadline = time.monotonic() + SETTLE_SECONDS
    while not page.evaluate(SETTLED_WHEN_IDLE):
        assert time.monotonic() < deadline, f"{page.url} never rests: {page.evaluate(PENDING)}"
        wait_until_settled(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def wait_until_settled(page: Page) -> None:
    try:
        page.wait_for_function(SETTLED, polling=30)  # milliseconds; at every frame it would keep the browser drawing
    except TimeoutError as error:
        raise AssertionError(f"{page.url} still waits for {page.evaluate(PENDING)}") from error


def expect_link(page: Page, pattern: str) -> None:
    """Wait until the link that Share copies matches a pattern; its address has nothing that was typed."""
    page.wait_for_function(f"pattern => new RegExp(pattern).test({NEWEST_LINK})", arg=pattern)


def pick(page: Page, label: str, option: str) -> None:
    """Choose from a menu by its keyboard: a click waits for the list to stand still, and it moves with the page.

    Not before the page is drawn: until then the menu of the page before may be there too. `label`: how the menu's label
    begins, since "Pretokenizer" has "Tokenizer" in it.
    """
    settle(page)
    page.get_by_role("combobox", name=re.compile(f"^{re.escape(label)}")).click()
    page.keyboard.type(option)
    expect(page.get_by_role("option", name=option, exact=True)).to_have_attribute("data-focused", "true")
    page.keyboard.press("Enter")


def panel(page: Page, name: str, tab: str = "") -> None:
    """Choose a view of the page by its name. `tab`: the tab that it is under; "" if it or its tab is in sight."""
    if tab:
        page.get_by_role("radiogroup", name="View", exact=True).get_by_role("radio", name=tab, exact=True).click()
        page.get_by_role("radiogroup", name=f"{tab}: view").get_by_role("radio", name=name, exact=True).click()
    else:
        page.get_by_role("radio", name=name).click()


def upload(page: Page, name: str, raw: bytes) -> None:
    """Open a file as your text, and wait until the app has it.

    A file travels beside the messages that `settle` follows. The app closes the menu once the file is there.
    """
    page.get_by_role("button", name="Open a file").click()
    chooser = page.get_by_test_id("stFileUploaderDropzoneInput")
    chooser.set_input_files({"name": name, "mimeType": "text/plain", "buffer": raw})
    chooser.wait_for(state="detached")


def choose_example(page: Page, title: str) -> None:
    """Take one of the examples as the text."""
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem", name=title, exact=True).click()


def book(words: int) -> bytes:
    """A text with many different words, in paragraphs, always the same."""
    syllables = ["ka", "lo", "mi", "ren", "tas", "u", "vel", "sor", "in", "dra", "pe", "oth", "gal", "ix", "wen", "bry"]
    state, text = 7, []
    for i in range(words):
        word = ""
        for _ in range(2 + state % 3):
            state = (state * 1103515245 + 12345) % 2**31
            word += syllables[state >> 16 & 15]
        text.append(word + (".\n\n" if i % 90 == 89 else ", " if i % 11 == 10 else " "))
    return "".join(text).encode()


def sentence(page: Page) -> Locator:
    """What a film says of its step."""
    return page.locator(".sentence").first


def corpus_rows(page: Page) -> list[str]:
    """The corpus as it stands on the screen: "6 × n e w est_"."""
    counts = page.locator(".words .count").all_inner_texts()
    words = page.locator(".words .word").all()
    return [
        f"{count.replace('●', '').strip()} {' '.join(word.locator('.token').all_inner_texts())}"
        for count, word in zip(counts, words, strict=True)
    ]
