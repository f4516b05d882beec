"""A key press on the pages that follow every key, in times of the floor: a bare Streamlit page that echoes the text.

The floor is measured in blocks before and after the app's, while the app is idle. In turn with the app, each floor key
would wait for what the server still does for the key before.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, WebSocket
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.benchmarks.browser import FIGURES, enter, opened, started, text_of
from tests.benchmarks.figures import Row
from tests.browser import driver
from tests.rhythm import GAPS

KEYS, PAUSE = 20, 400  # keys that count, and milliseconds before each
WARM, SHORT_PAUSE = 20, 50  # before them: Chromium compiles code that runs often, on either page
# What shows that a key has arrived.
ECHO, FIRST_ROW, WORDS = "#back", ".row .tokens", ".words"
SIX = {"view": "side-by-side", "against": "cl100k_base gpt2 qwen p50k_base tekken"}


def block(page: Page, follows: str, characters: int) -> list[float]:
    """Return the milliseconds of letters typed at the start of a text, each until it is painted."""
    text, taken = text_of(characters), []
    page.bring_to_front()
    for n in range(WARM + KEYS):
        page.wait_for_timeout(PAUSE if n >= WARM else SHORT_PAUSE)
        taken.append(enter(page, "x" * (n + 1) + text[n:] + "y" * (n % 2), follows))
    return taken[WARM:]


def in_floors() -> Iterator[Row]:
    """A key to one tokenizer, to six, and to a training."""
    with started() as (browser, url, bare):
        floor = opened(browser, bare, "#editor")
        for what, path, query, follows, characters, goal in (
            ("to tokens", "", {}, FIGURES, 200, 0.9),
            ("to tokens", "", {}, FIGURES, 45_000, 1.0),
            ("to six tokenizers", "", SIX, FIRST_ROW, 200, 1.2),
            ("to a training", "train", {}, WORDS, 200, 1.8),
        ):
            page = opened(browser, f"{url}/{path}?{urlencode(query)}", follows)
            before = block(floor, ECHO, characters)
            ours = median(block(page, follows, characters))
            driver.settle(page)
            least = median(before + block(floor, ECHO, characters))
            page.close()
            yield f"key {what} at {characters:,} characters", ours, "ms", None
            yield f"key {what} at {characters:,} characters: the floor", least, "ms", None
            yield f"key {what} at {characters:,} characters / the floor", ours / least, "times", goal


def runs() -> Iterator[Row]:
    """How often Streamlit runs a script for keys that a person types."""
    with started() as (browser, url, _):
        for what, path, follows, goal in (
            ("Tokens", "", FIGURES, 12.0),
            ("Train", "train", WORDS, None),
        ):
            yield (
                f"runs of Streamlit for {len(GAPS)} keys on {what}",
                _runs(browser, f"{url}/{path}", follows),
                "",
                goal,
            )


def _runs(browser: Browser, url: str, follows: str) -> float:
    """Return how many times the server said that a script begins, until it has answered the last key."""
    kinds: list[str | None] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda raw: kinds.append(ForwardMsg.FromString(raw).WhichOneof("type")))

    page = opened(browser, url, follows, listen)
    page.locator("#editor").first.click()
    page.keyboard.press("Control+End")
    driver.settle(page)
    page.wait_for_timeout(1000)
    before = kinds.count("new_session")
    for letter, gap in zip(text_of(len(GAPS)).replace("\n", " "), GAPS, strict=True):
        page.wait_for_timeout(gap)
        page.keyboard.insert_text(letter)
    page.wait_for_timeout(3000)  # a page may wait for a pause before it sends
    driver.settle(page)
    page.close()
    return float(kinds.count("new_session") - before)
