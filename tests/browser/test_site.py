"""The site before Python is there: the examples play, a line says what loads, nothing else is asked for.

With Python in the tab: `tests/published/real_site.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Route, expect

from bpe_core import Settings, load, train
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.pictures.site import pyodide, site
from tests.browser.site import hosted

WIDTHS = (1280, 390)
UNREACHED = (
    "Python cannot be loaded, since {}: reload the page, or open it in another network. The examples play without it."
)


def button(page: Page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def test_the_examples_are_there_while_python_loads_and_without_it(
    browser: Browser, tmp_path: Path, axe: Callable[[Page], list[str]]
) -> None:
    site.write_site(tmp_path)
    window = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    asked: list[str] = []
    held: list = []
    heard: list[str] = []
    window.on("request", lambda request: asked.append(request.url))
    window.on("weberror", lambda error: heard.append(str(error.error)))
    window.route(f"{pyodide.DISTRIBUTION}**", lambda route: held.append(route))
    page = window.new_page()
    with hosted(tmp_path) as address:
        page.goto(address)
        gpt = load("gpt-4o").encode(site.EXAMPLE)
        drawn = [f"{token_text(token)}{i}" for token, i in zip(gpt.tokens, gpt.ids, strict=True)]
        expect(page.locator("#tokens .token")).to_have_text(drawn)
        loading = page.locator("#loading")
        expect(loading).to_have_text(re.compile(r"^Loading Python, so that you can type your own text: 1 of \d+ MB\.$"))
        button(page, "Start").click()
        expect(page.locator("#tokens-picture .where")).to_contain_text(
            f"0 of 66 merges here, {len(site.EXAMPLE)} tokens"
        )

        page.get_by_role("link", name="Train").click()
        expect(page).to_have_url(f"{address}#page=train")
        run = train(site.CORPUS, Settings("whitespace", "characters", "end"))
        page.keyboard.press("End")
        expect(page.locator("#film-picture .at")).to_have_text(str(run.steps))
        button(page, "Back").click()
        said = f"Step {run.steps - 1} joined {token_text(run.merges[-2].left, '_')}"
        expect(page.locator("#film-picture .sentence")).to_contain_text(said)
        expect(page).to_have_url(f"{address}#page=train&step={run.steps - 1}")
        page.get_by_label("Find in words").fill("low")
        expect(page.locator("#film-picture")).to_contain_text("This needs Python, which is still loading.")
        button(page, "Start").click()  # at 390 pixels the sentence of a later step scrolls
        wide = []
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            for scheme, name in (("light", "Tokens"), ("dark", "Train")):
                page.get_by_label("Theme").select_option(scheme)
                page.get_by_role("link", name=name).click()
                heard += axe(page)
                wide.append(page.evaluate("document.documentElement.scrollWidth"))
        assert wide == [width for width in WIDTHS for _ in range(2)]

        page.goto(f"{address}#tokenizer=gpt9&step=3")
        expect(page.locator("#remark")).to_have_text("The link has values that are unknown here: tokenizer=gpt9.")
        for route in held:
            route.abort()
        expect(loading).to_have_text(UNREACHED.format("cdn.jsdelivr.net cannot be reached"))
        still = "The picture is of the example still: what you typed or chose needs Python."
        expect(page.locator("#problem")).to_be_empty()
        page.get_by_label("Your text", exact=True).fill("mine")
        expect(page.locator("#problem")).to_have_text(still)
        page.get_by_role("button", name="Clear").click()
        expect(page.locator("#problem")).to_be_empty()
        page.get_by_label("Tokenizer").select_option("GPT-2")
        expect(page.locator("#problem")).to_have_text(still)
        expect(page.locator("#bar")).to_be_hidden()
        page.goto((tmp_path / "index.html").as_uri())
        expect(loading).to_have_text(re.compile("^Opened from a disk, this page shows the examples."))
        expect(page.locator("#tokens .token")).to_have_text(drawn)
    window.close()
    assert heard == []
    outside = {url for url in asked if not url.startswith((address, "file:"))}
    asked = [url for url in asked if not url.startswith("file:")]
    assert outside <= {pyodide.DISTRIBUTION + file.name for file in (*pyodide.SCRIPTS, *pyodide.FILES)}
    own = {url.removeprefix(address).partition("#")[0] for url in asked} - outside
    assert own == {"", "engine.zip", "vocabularies/o200k_base.merges"}


def test_a_host_that_does_not_give_python_is_named_and_the_example_stays(browser: Browser, tmp_path: Path) -> None:
    site.write_site(tmp_path)
    python, script = f"{pyodide.DISTRIBUTION}**", f"{pyodide.DISTRIBUTION}pyodide.js"
    with hosted(tmp_path) as address:
        own = urlsplit(address).netloc
        is_other = (
            "pyodide.js from cdn.jsdelivr.net is not the file that this page was made for, so it is not used: "
            "reload the page, or open it in another network. The examples play without it."
        )
        rows: list[tuple[str, Callable[[Route], None], str]] = [
            (python, lambda route: route.abort(), UNREACHED.format("cdn.jsdelivr.net cannot be reached")),
            (
                script,
                lambda route: route.fulfill(status=404),
                UNREACHED.format("cdn.jsdelivr.net answers 404 for pyodide.js"),
            ),
            (script, lambda route: route.fulfill(body="<h1>Sign in</h1>", content_type="text/html"), is_other),
            ("**/engine.zip", lambda route: route.abort(), UNREACHED.format(f"{own} cannot be reached")),
            (
                "**/*.merges",
                lambda route: route.fulfill(status=403),
                UNREACHED.format(f"{own} answers 403 for o200k_base.merges"),
            ),
        ]
        drawn = len(load("gpt-4o").ids(site.EXAMPLE))
        for asked, answer, said in rows:
            window = browser.new_context(reduced_motion="reduce")
            window.route(python, lambda route: None)  # a host that never answers
            window.route(asked, answer)
            page = window.new_page()
            page.goto(address)
            expect(page.locator("#loading")).to_have_text(said)
            expect(page.locator("#bar")).to_be_hidden()
            expect(page.locator("#tokens .token")).to_have_count(drawn)
            window.close()
        window = browser.new_context(reduced_motion="reduce")
        window.route(python, lambda route: None)
        page = window.new_page()
        page.clock.install()
        page.goto(address)
        expect(page.locator("#loading")).to_have_text(re.compile(r": 1 of \d+ MB\.$"))
        page.clock.run_for(25_000)
        expect(page.locator("#loading")).to_have_text(re.compile(r" 1 of \d+ MB\. Nothing has come for a while: "))
        window.close()
