"""Takes the README's moving picture from the real app, in real time: `make screenshots`.

Each scene is used as a visitor would, while Chromium sends what it draws. What is done before a scene's `yield`,
such as opening a page, is not in it.
"""

from __future__ import annotations

import base64
import pydoc_data.topics
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Page

from tests.browser.driver import panel, settle, upload
from tests.browser.screenshots import FOLDER, drawn

WIDTH, HEIGHT = 1280, 800  # of the window
WIDE = 880  # pixels of the picture
FRAME_MS = 80  # the least time between two frames of the picture
LAST_MS = 2000  # a scene's last frame stands still
LOG = "2026-11-29 08:14:07 ERROR [worker-3] orders.sync: read timed out (attempt 2/5)"
GPT2 = {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "vocab_size": "10000"}
MANUAL = "\n".join(pydoc_data.topics.topics.values()).encode()  # what Python's own `help` shows: the length of a book


def log(page: Page) -> Iterator[None]:
    box = page.get_by_role("textbox", name="Your text")
    box.fill("")
    settle(page)
    yield
    box.press_sequentially(LOG, delay=18)


def two_tokens(page: Page) -> Iterator[None]:
    box = page.get_by_role("textbox", name="Your text")
    box.fill("The harbourmaster's dog")
    settle(page)
    yield
    page.wait_for_timeout(700)
    page.locator(".token", has_text="master").last.click()
    settle(page)
    page.locator(".why").scroll_into_view_if_needed()


def hindi(page: Page) -> Iterator[None]:
    panel(page, "Models")
    settle(page)
    page.get_by_role("radio", name="The price of a language").click()
    settle(page)
    yield
    page.wait_for_timeout(1500)


def table(page: Page) -> Iterator[None]:
    page.get_by_role("link", name="Files", exact=True).click()
    settle(page)
    panel(page, "Notations")
    settle(page)
    yield
    page.wait_for_timeout(1500)


def manual(page: Page) -> Iterator[None]:
    page.goto(f"{page.url.partition('/files')[0]}/train?{urlencode(GPT2)}")
    settle(page)
    upload(page, "manual.txt", MANUAL)
    settle(page)
    drawn(page)
    page.get_by_label("Speed").select_option("60")
    yield
    page.get_by_role("button", name="Play").click()
    page.wait_for_timeout(4500)


SCENES: dict[str, Callable[[Page], Iterator[None]]] = {
    "An error log becomes tokens while it is typed": log,
    "Why harbour and master stay two tokens": two_tokens,
    "The same sentence in Hindi and in other languages": hindi,
    "A table as JSON, YAML, TOON and CSV": table,
    "A vocabulary is trained on Python's manual: 60 steps a second": manual,
}


class Camera:
    """Takes the frames that a page draws, with their times.

    Between two frames no time is made up: a frame stands as long as it stood on the screen.
    """

    def __init__(self, page: Page) -> None:
        self.frames: list[tuple[float, bytes]] = []
        self._session = page.context.new_cdp_session(page)
        self._session.on("Page.screencastFrame", self._take)

    def _take(self, frame: dict[str, Any]) -> None:
        self.frames.append((frame["metadata"]["timestamp"], base64.b64decode(frame["data"])))
        self._session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    def film(self, scene: Iterator[None], page: Page) -> list[tuple[Image.Image, int]]:
        """Return a scene's pictures, each with its milliseconds. What stood for less than a frame is left out."""
        next(scene)
        self.frames.clear()
        self._session.send("Page.startScreencast", {"format": "png"})
        next(scene, None)
        page.wait_for_timeout(300)
        self._session.send("Page.stopScreencast")
        settle(page)
        shown: list[tuple[float, bytes]] = []
        for time, data in self.frames:
            if shown and time - shown[-1][0] < FRAME_MS / 1000:
                shown[-1] = (shown[-1][0], data)
            else:
                shown.append((time, data))
        ends = [time for time, _ in shown[1:]] + [shown[-1][0] + LAST_MS / 1000]
        return [(smaller(data), round(1000 * (end - begin))) for (begin, data), end in zip(shown, ends, strict=True)]


def smaller(png: bytes) -> Image.Image:
    """Return a picture of the page, as wide as the moving picture."""
    picture = Image.open(BytesIO(png)).convert("RGB")
    return picture.resize((WIDE, round(picture.height * WIDE / picture.width)), Image.Resampling.LANCZOS)


def caption(page: Page, text: str) -> Image.Image:
    """Return a line of text as wide as the picture, in the app's own font."""
    style = (
        f"position: fixed; inset: 0 0 auto; z-index: 9999999; width: {WIDTH}px; padding: 12px 80px; background: #fff"
    )
    page.evaluate(
        """([textContent, style]) => document.body.append(
            Object.assign(document.createElement("h2"), { id: "caption", textContent, style }))""",
        [text, style],
    )
    png = page.locator("#caption").screenshot()
    page.evaluate("() => document.querySelector('#caption').remove()")
    return smaller(png)


def test_moving_picture(open_page):
    page = open_page("", width=WIDTH)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    camera = Camera(page)
    pictures: list[Image.Image] = []
    times: list[int] = []
    for text, scene in SCENES.items():
        head = caption(page, text)
        for picture, ms in camera.film(scene(page), page):
            whole = Image.new("RGB", (WIDE, head.height + picture.height))
            whole.paste(head, (0, 0))
            whole.paste(picture, (0, head.height))
            pictures.append(whole)
            times.append(ms)
    first, *others = pictures
    first.save(FOLDER / "tour.webp", save_all=True, append_images=others, duration=times, loop=0, quality=70)
    assert 15_000 < sum(times) < 25_000
