"""Hostile links, texts and file names in a real Chromium: no script of theirs runs, and no exception is shown.

Each payload would say so: where it runs, it sets `hacked`. What it would leave in the page is looked for too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

from bpe_core.pictures.site import in_tab, site
from pages.parts.page import frame
from pages.parts.state.links import named
from tests.browser import driver
from tests.browser.site import RECORD, hosted
from tests.campaign import counted
from tests.campaign.forged import PAGES
from tests.campaign.server import serve
from tests.published import pyodide_files

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
TYPED = [
    *PAYLOADS,
    *("a\ud800b \udc00\ud83e", "\ud83e\udd9c\ud83e", "a\0b\0\0c \x01\x7f", "\u202eabc\u2066x\u2069\u200f" * 20),
    *("</script></textarea></template><script>window.hacked=1</script>", "__proto__", "a\u2028b\u2029\uffff\U0010ffff"),
    *("👨‍👩‍👧‍👦" * 500, "🇩🇪" * 300, "a" + "\u0301" * 5_000, "\U000e0041" * 500, "<|endoftext|>" * 800, " " * 20_000),
    *("a" * 1_000_000, ("x" * 9_999 + "\n") * 4, "word " * 9_000, "\n" * 49_999, "\n" * 100_000),
]
FRAGMENTS = [
    *("%", "%E0%A4%A", "text=%00", "text=%ED%A0%80", "page=__proto__", "__proto__=x&constructor=y"),
    *("tokenizer=constructor", "size=1e9", "size=0", "size=٣", "step=-1", "step=999999999", "page=train&step=99999"),
    "a=1&" * 5_000,
    *("page=train&split=custom", "page=train&alphabet=bytes&size=1", "page=train&alphabet=bytes&size=256"),
    *(f"page=train&size=10000&split=none&text={'ab' * 9_000}", f"text={'a' * 100_000}", f"text=<script>{RUN}</script>"),
    f"<img src=x onerror={RUN}>",
]  # of links of the site
STORED = [
    *("null", "{", "[]", "5", '{"text":5}', '{"text":{"a":1},"unsaved":7}', '{"__proto__":{"text":"p"}}'),
    *map(
        json.dumps, [{"text": f"<script>{RUN}</script>", "unsaved": 7}, {"text": "\ud800"}, {"text": "x" * 1_000_000}]
    ),
]  # in the tab, where the site keeps its text
PHONE = 400  # pixels
MOST_TOKENS, MOST_ELEMENTS = 300, 12_000  # of a word; of a page, shadow trees too
SITE_RESTS = 1_200  # milliseconds; a text is asked for when the typing rests for a second
TYPE = """(area, written) => {
  area.value = JSON.parse(written);
  area.dispatchEvent(new Event("input"));
}"""  # lone surrogates too, which no key writes
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


def of_the_site(page: Page, every: int = 1) -> Iterator[tuple[str, list[str]]]:
    """Texts, links and what a tab has kept, on the page for a static host: it answers as the engine does here."""
    with TemporaryDirectory() as pyodide, TemporaryDirectory() as folder:
        site.write_site(folder, pyodide_files.fetch(Path(pyodide)))
        heard: list[str] = []
        page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.add_init_script(RECORD)

        def loaded() -> None:
            page.locator("#bar").wait_for(state="hidden")

        def wrong_here() -> list[str]:
            page.wait_for_function("() => !document.documentElement.classList.contains('behind-soon')")
            page.wait_for_timeout(SITE_RESTS)
            said, now = page.evaluate("said.splice(0)"), wrong(page)
            now += [f"{name} is answered otherwise" for thing, name, given, found in said
                    if found != in_tab.ask(thing, name, given)]  # fmt: skip
            return now + [heard.pop() for _ in [*heard]]

        with hosted(Path(folder)) as address:
            page.goto(address)
            loaded()
            for tab in ("tokens", "train"):
                page.locator(f"#to-{tab}").click()
                for text in TYPED[::every]:
                    page.locator("#editor").evaluate(TYPE, json.dumps(text))
                    yield f"{tab} {text[:40]!r}", wrong_here()
            for fragment in FRAGMENTS[::every]:
                page.evaluate("fragment => location.hash = fragment", fragment)
                yield f"#{fragment[:40]}", wrong_here()
            for kept in STORED[::every]:
                page.evaluate("kept => sessionStorage.setItem('mergescope.text', kept)", kept)
                page.reload()
                loaded()
                yield f"kept {kept[:40]}", wrong_here()


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


def counted_wrong(kind: str, visits: Iterable[tuple[str, list[str]]]) -> Row:
    """On how many visits something was wrong; the first of them are printed."""
    found = [*visits]
    bad = [f"{name}: {said}" for name, said in found if said]
    for each in bad[:5]:
        print("   ", each)
    return f"hostile {kind} in Chromium: of {len(found):,}, where something was wrong", float(len(bad)), "", 0.0


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
            yield counted_wrong(kind, visits)
        yield "tracebacks in the server's log", float(server.tracebacks()), "", 0.0
    with chromium() as page:
        yield counted_wrong("texts, links and kept values on the site", of_the_site(page))
