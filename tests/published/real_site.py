"""The site in Chromium, with a real Pyodide and no network: what its readers do. Part of `make test-published`.

Whatever the worker answers on the way is what this machine's Python answers.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from bpe_core import Encoding, Settings, load, train
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.pictures.site import in_tab, site
from tests.browser import driver
from tests.browser.axe import findings
from tests.browser.film_frames import SCRIPT, check_frames
from tests.browser.site import RECORD, hosted
from tests.campaign import in_browser
from tests.published import pyodide_files
from tests.texts import EXAMPLE_TEXTS

WAIT = 120_000  # milliseconds until a test fails; what is there is never waited for
STORY, TEXT = EXAMPLE_TEXTS["short-story"], "The keeper's naïve dog, नमस्ते 🦜 <|endoftext|>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    site.write_site(folder, pyodide_files.fetch(tmp_path_factory.mktemp("pyodide")))
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=WAIT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.fixture
def window(browser: Browser) -> Iterator[BrowserContext]:
    window = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    window.grant_permissions(["clipboard-read", "clipboard-write"])
    window.set_default_timeout(WAIT)
    yield window
    window.close()


@pytest.fixture
def opened(window: BrowserContext, folder: Path) -> Iterator[Callable[..., Page]]:
    """Open the page with a link, in a window of its own, and wait for Python unless `waits` is false."""
    heard, outside, pages = [], [], []
    window.add_init_script(RECORD)
    window.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    window.on("weberror", lambda error: heard.append(str(error.error)))
    with hosted(folder) as address:

        def listen(url: str) -> None:
            if not url.startswith((address, "blob:")):
                outside.append(url)

        window.on("request", lambda request: listen(request.url))

        def open_page(link: str = "", waits: bool = True) -> Page:
            page = window.new_page()
            pages.append(page)
            page.goto(f"{address}{link}")
            if waits:
                expect(page.locator("#bar")).to_be_hidden()
                expect(page.locator("#loading")).to_have_text("")
            return page

        yield open_page
        said = [each for page in pages for each in page.evaluate("said")]
    assert [each for each in heard if "ERR_INTERNET_DISCONNECTED" not in each] == []
    assert outside == []
    for thing, name, parameters, found in said:
        assert found == in_tab.ask(thing, name, parameters), (thing, name, parameters[:200])


def box(page: Page) -> Locator:
    return page.get_by_label("Your text", exact=True)


def button(page: Page, name: str) -> Locator:
    return page.locator("section:visible").get_by_role("button", name=name, exact=True)


def expect_tokens(page: Page, encoding: Encoding) -> None:
    drawn = [f"{token_text(token)}{i}" for token, i in zip(encoding.tokens, encoding.ids, strict=True)]
    expect(page.locator("#tokens .token")).to_have_text(drawn)


def test_a_text_is_typed_and_another_vocabulary_chosen_and_with_the_network_cut(opened, window) -> None:
    page = opened()
    box(page).press_sequentially("The keeper's dog", delay=20)
    expect_tokens(page, load("gpt-4o").encode("The keeper's dog"))
    box(page).fill(TEXT)
    expect_tokens(page, load("gpt-4o").encode(TEXT, specials=True))
    page.locator("#tokens .token").nth(1).click()
    expect(page.locator("#panel")).to_contain_text("id 86333")
    expect(page.locator("#panel")).to_contain_text("splits the text here, before any merge")
    page.get_by_label("Tokenizer").select_option("GPT-2")
    expect_tokens(page, load("gpt2").encode(TEXT, specials=True))
    expect(page).to_have_url(re.compile("#tokenizer=gpt2$"))
    button(page, "Start").click()
    button(page, "Next").click()
    first = min(step for step in load("gpt2").encode(TEXT, specials=True).merged_at if step)
    expect(page).to_have_url(re.compile(rf"#tokenizer=gpt2&step={first}$"))

    window.set_offline(True)
    box(page).fill("Cut off, and still typing")
    expect_tokens(page, load("gpt2").encode("Cut off, and still typing"))
    page.get_by_label("Tokenizer").select_option("Qwen")
    expect(page.locator("#problem")).to_have_text(re.compile("^What was chosen cannot be fetched now. It follows"))
    page.get_by_label("Tokenizer").select_option("GPT-4o (o200k_base)")
    expect_tokens(page, load("gpt-4o").encode("Cut off, and still typing"))
    page.get_by_label("Tokenizer").select_option("Qwen")
    window.set_offline(False)
    expect_tokens(page, load("qwen").encode("Cut off, and still typing"))
    expect(page.locator("#problem")).to_be_empty()


def test_a_training_plays_steps_and_jumps_and_its_link_opens_anew(opened) -> None:
    page = opened("#page=train&split=gpt2&alphabet=bytes&size=600")
    page.evaluate(SCRIPT)
    box(page).fill(STORY)
    run = train((STORY,), Settings("gpt2", vocab_size=600))
    where = page.locator("#film-picture .where")
    expect(where).to_have_text(f"step 0 of {run.steps}")
    page.get_by_label("Speed").select_option("60")
    button(page, "Play").click()
    expect(where).to_have_text(f"step {run.steps} of {run.steps}")
    check_frames(page, run, [0, 1, 40, run.steps - 1, run.steps])
    page.get_by_label("Find in words").fill("light")
    expect(page.locator("#film-picture .corpus .note")).to_contain_text("words match")
    page.locator("#film-picture .line .word").first.click()
    button(page, "Back").click()
    expect(page).to_have_url(re.compile(f"size=600&step={run.steps - 1}$"))
    assert "light" not in page.url
    page.get_by_label("Split by").select_option("Whitespace")
    words = train((STORY,), Settings("whitespace", "bytes", "end", vocab_size=600))
    expect(where).to_have_text(f"step 0 of {words.steps}")

    box(page).fill("low lower lowest & #1")
    run = train(("low lower lowest & #1",), Settings("whitespace", "bytes", "end", vocab_size=600))
    expect(where).to_have_text(f"step 0 of {run.steps}")
    button(page, "Next").click()
    expect(page).to_have_url(re.compile("step=1$"))
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#said")).to_have_text("Link copied, with your text.")
    link = page.evaluate("navigator.clipboard.readText()")
    other = opened(f"#{link.partition('#')[2]}")
    expect(box(other)).to_have_value("low lower lowest & #1")
    expect(other.locator("#film-picture .where")).to_have_text(f"step 1 of {run.steps}")
    other.reload()
    expect(box(other)).to_have_value("low lower lowest & #1")  # no address has it any more; the tab has
    assert "low" not in other.url


def test_what_this_page_cannot_do_is_said(opened, window, folder, tmp_path) -> None:
    page = opened()
    problem = page.locator("#problem")
    box(page).fill("short")
    expect_tokens(page, load("gpt-4o").encode("short"))
    box(page).fill("long " * 10_001)
    expect(problem).to_have_text(
        "This page takes up to 50,000 characters, and the text has 50,005; the picture is of the text before. "
        "The app takes longer ones."
    )
    expect_tokens(page, load("gpt-4o").encode("short"))
    page.get_by_role("button", name="Clear").click()
    expect(problem).to_be_empty()
    expect_tokens(page, load("gpt-4o").encode(site.EXAMPLE))
    page.get_by_role("link", name="Train").click()
    page.get_by_label("Alphabet").select_option("bytes")
    page.get_by_label("Vocabulary size").fill("6")
    page.get_by_label("Vocabulary size").press("Tab")
    expect(problem).to_have_text("The vocabulary size 6 is below the 256 base symbols.")

    shutil.copytree(folder, tmp_path / "other")
    path = tmp_path / "other/pyodide/python_stdlib.zip"
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    with hosted(tmp_path / "other") as address:
        spoilt = window.browser.new_page()
        spoilt.goto(address)
        expect(spoilt.locator("#loading")).to_have_text(
            f"python_stdlib.zip from {urlsplit(address).netloc} is not the file that this page was made for, so it is "
            "not used: reload the page, or open it in another network. The examples play without it."
        )
        expect_tokens(spoilt, load("gpt-4o").encode(site.EXAMPLE))
        spoilt.close()


def test_a_hostile_text_link_or_kept_value_has_the_engines_answer(window) -> None:
    """A few; `make campaign` has all."""
    page = window.new_page()
    page.add_init_script(driver.WATCH)
    assert [said for said in in_browser.of_the_site(page, every=9) if said[1]] == []


def test_on_a_phone_and_in_both_themes_all_is_in_sight_and_readable(opened) -> None:
    page = opened()
    box(page).fill(STORY[:500])
    expect_tokens(page, load("gpt-4o").encode(STORY[:500]))
    found = []
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        for name in ("Tokens", "Train"):
            page.get_by_role("link", name=name).click()
            expect(page.locator("h2[id]:visible")).to_be_visible()
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                found += findings(page)
            assert page.evaluate("document.documentElement.scrollWidth") == width, (width, name)
    assert found == []
