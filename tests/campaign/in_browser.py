"""Hostile links, texts and file names in a real Chromium: no script of theirs runs, and no exception is shown.

Each payload would say so: where it runs, it sets `hacked`. What it would leave in the page is looked for too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

from pages.parts.page import frame
from pages.parts.state.links import named
from tests.browser import driver
from tests.campaign import counted
from tests.campaign.forged import PAGES
from tests.campaign.server import serve

Row = tuple[str, float, str, float | None]
RUN = "window.hacked=1"
PAYLOADS = [
    f"<script>{RUN}</script>",
    f"<img src=x onerror={RUN}>",
    f"\"'><svg onload={RUN}></textarea></style></script><script>{RUN}</script>",
    f"[a](javascript:{RUN}) <a href='javascript:{RUN}'>a</a> ![b](x) **bold** `code` :red[x] $x$ :material/home:",
    f"<iframe srcdoc='<script>parent.hacked=1</script>'></iframe><details open ontoggle={RUN}>",
    f"javascript:{RUN}",
    f"{{{{constructor.constructor('{RUN}')()}}}} ${{{RUN}}} datum.a;{RUN}",
    "\x00\u202e\u2028\ufeff\uffff" + "a\u0301" * 100,
]
LEFT = "a[href^='javascript:' i], img[src='x'], iframe[srcdoc], svg[onload], details[ontoggle]"  # of a payload
LONG_WORDS = {
    ("train", "one word"): "a" * 1_000_000,
    ("compare", "one word"): "ab" * 500_000,
    ("train", "special tokens"): "<|endoftext|>" * 20_000,
    ("", "one word"): "a" * 1_000_000,
    ("pipeline", "one word"): "a" * 1_000_000,
}
PHONE = 400  # pixels
MOST_TOKENS, MOST_ELEMENTS = 300, 12_000  # of a word; of a page, shadow trees too
ELEMENTS = """() => {
  const count = (root) => Array.from(root.querySelectorAll("*"), (it) => 1 + (it.shadowRoot ? count(it.shadowRoot) : 0))
    .reduce((a, b) => a + b, 0);
  return count(document);
}"""


@contextmanager
def without_policy(page: Page) -> Iterator[None]:
    """The browser ignores the app's content policy on the pages that it opens now: they have to hold without it."""
    session = page.context.new_cdp_session(page)
    session.send("Page.setBypassCSP", {"enabled": True})
    yield
    session.send("Page.setBypassCSP", {"enabled": False})
    session.detach()


def wrong(page: Page) -> list[str]:
    """What a payload has done on this page."""
    found = ["a script ran"] if page.evaluate("window.hacked") else []
    found += ["an exception is shown"] if page.get_by_test_id("stException").count() else []
    found += ["markup is left"] if page.locator(LEFT).count() else []
    return found


def settled(page: Page) -> list[str]:
    """What is wrong once everything is drawn."""
    try:
        driver.settle(page)
    except AssertionError as error:
        return [str(error)[:200]]
    return wrong(page)


def links(page: Page, url: str, every: int = 1) -> Iterator[tuple[str, list[str]]]:
    """Each page with all of its values set to a payload: a part of the visits, at even distances."""
    visits = [(name, path, payload) for name, path in PAGES.items() for payload in PAYLOADS]
    for name, path, payload in visits[::every]:
        page.goto(f"{url}/{path}?{urlencode(dict.fromkeys([*named(frame.PAGES[name].state), payload[:20]], payload))}")
        yield f"{name} {payload}", settled(page)


def texts(page: Page, url: str, every: int = 1) -> Iterator[tuple[str, list[str]]]:
    """Type payloads on each page that has a box, a part at even distances; then open each view of the page."""
    for path in PAGES.values():
        page.goto(f"{url}/{path}")
        driver.settle(page)
        box = page.locator("#editor").first
        for payload in PAYLOADS[::every] if box.count() else []:
            box.fill(payload.replace("\x00", ""))
            yield f"{path} {payload}", settled(page)
        tabs = page.get_by_role("radiogroup", name="View", exact=True).get_by_role("radio")
        for number in range(tabs.count() if every == 1 else 0):
            tabs.nth(number).click()
            yield f"{path}, tab {number}", settled(page)
            views = page.locator("[class*=st-key-views-of-]").get_by_role("radio")
            for inside in range(1, views.count()):
                views.nth(inside).click()
                yield f"{path}, tab {number}, view {inside}", settled(page)


def file_names(page: Page, url: str) -> Iterator[tuple[str, list[str]]]:
    """A text, and what is no tokenizer, in files whose name is markup: the text's name is shown as it is."""
    name = f"**bold** [a](javascript:{RUN}) <img src=x onerror={RUN}>.txt".replace("/", "")
    page.goto(f"{url}/train")
    driver.settle(page)
    driver.upload(page, name, b"low lower lowest")
    said = settled(page)
    shown = page.get_by_text("**bold**", exact=False).count()
    yield "a text's name", said + ([] if shown else ["the file's name is not shown as it is"])
    page.goto(url)
    driver.settle(page)
    page.get_by_role("button", name="Open a tokenizer").click()
    chooser = page.get_by_test_id("stFileUploaderDropzoneInput").last
    chooser.set_input_files({"name": name, "mimeType": "text/plain", "buffer": b"no tokenizer <b>"})
    page.get_by_text("This file is not a tokenizer.").wait_for()
    yield "a file that is no tokenizer", settled(page)


def counted_files(page: Page, url: str, names: Iterable[str] = PAYLOADS) -> Iterator[tuple[str, list[str]]]:
    """Files to count: names, keys and texts that are markup, and archives that unpack to very much."""
    archives = {name: counted.hostile()[name] for name in ("an archive of 400 MB", "an archive in an archive")}
    data = json.dumps([{name: name, "id": number} for number, name in enumerate(names)]).encode()
    odd = [(name.replace("/", "").replace("\x00", "") + ".json", data) for name in names]
    for kind, files in {"names": odd, "keys": odd, **{name: [file] for name, file in archives.items()}}.items():
        page.goto(f"{url}/files?view={'notations' if kind == 'keys' else 'count'}&tokenizer=gpt2&against=none")
        driver.settle(page)
        page.get_by_role("button", name="Open files").click()
        chooser = page.get_by_test_id("stFileUploaderDropzoneInput").first
        sent = [{"name": name, "mimeType": "text/plain", "buffer": content} for name, content in files]
        chooser.set_input_files(sent)  # type: ignore[arg-type]
        if kind in ("names", "keys"):
            page.get_by_text(re.compile("^(These are the example texts|An example:)")).wait_for(state="hidden")
        else:
            page.locator(".problem").first.wait_for()  # what an archive is refused for, or why it is counted in part
        yield f"files: {kind}", settled(page)


def long_words(page: Page, url: str, kinds: Iterable[tuple[str, str]] = LONG_WORDS) -> Iterator[tuple[str, list[str]]]:
    """Texts of one word: the number of tokens that are drawn has a limit, and the page says so."""
    for path, kind in kinds:
        text = LONG_WORDS[path, kind]
        page.goto(f"{url}/{path}")
        driver.settle(page)
        driver.upload(page, "long.txt", text.encode())
        said, elements = settled(page), page.evaluate(ELEMENTS)
        if elements > MOST_ELEMENTS:
            said.append(f"{elements:,} elements")
        drawn = [word.locator(".token").count() for word in page.locator(".words .word").all()]
        if max(drawn, default=0) > MOST_TOKENS:
            said.append(f"{max(drawn):,} tokens of a word are drawn")
        if drawn and not page.locator(".words .rest").count():
            said.append("what is not drawn is not said")
        yield f"{path}, {kind}", said


def phones(page: Page, url: str) -> Iterator[tuple[str, list[str]]]:
    """Each page on a telephone with a word without an end in its link: nothing is wider than the screen."""
    page.set_viewport_size({"width": PHONE, "height": 800})
    for path in PAGES.values():
        for word in ("https://en.wikipedia.org/wiki/Byte-pair_encoding?action=edit", "a" * 600):
            page.goto(f"{url}/{path}?{urlencode({'text': word})}")
            said, wide = settled(page), page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
            yield f"{path} {word[:8]}", said + ([f"{wide} pixels wide"] if wide > PHONE else [])


@contextmanager
def chromium() -> Iterator[Page]:
    """A window of a browser of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM_ARGS)
        page = browser.new_page(locale="en-US")
        page.set_default_timeout(120_000)
        page.add_init_script(driver.WATCH)
        yield page
        browser.close()


def measure(full: bool = True) -> Iterator[Row]:
    """On how many visits of each kind something was wrong."""
    with serve() as server, chromium() as page, without_policy(page):
        kinds = {
            "links": links(page, server.url),
            "texts": texts(page, server.url),
            "file names": file_names(page, server.url),
            "files to count": counted_files(page, server.url),
            "long words": long_words(page, server.url),
            "words on a telephone": phones(page, server.url),
        }
        for kind, visits in kinds.items():
            found = [*visits]
            bad = [f"{name}: {said}" for name, said in found if said]
            for each in bad[:5]:
                print("   ", each)
            yield f"hostile {kind} in Chromium: of {len(found):,}, where something was wrong", float(len(bad)), "", 0.0
        yield "tracebacks in the server's log", float(server.tracebacks()), "", 0.0
