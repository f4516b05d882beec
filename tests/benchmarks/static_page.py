"""The page that encodes and trains in the reader's tab, beside a bare page that only starts Pyodide with NumPy."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from bpe_core.pictures.site import site
from tests.benchmarks.figures import Row
from tests.browser import driver
from tests.browser.site import hosted
from tests.published import pyodide_files
from tests.texts import EXAMPLE_TEXTS

TIMES = 5  # windows, each with an empty cache
BARE = """<!doctype html><meta charset="utf-8"><p id="bar">Starting</p><script>
new Worker("bare.js").onmessage = () => document.querySelector("#bar").hidden = true;
</script>"""
BARE_WORKER = """
importScripts("pyodide/pyodide.js");
loadPyodide({ indexURL: "pyodide/" })
  .then((python) => python.loadPackage("numpy").then(() => python.runPython("import numpy")))
  .then(() => postMessage("ready"));
"""
READY = "() => document.querySelector('#bar')?.hidden && performance.now()"
# Milliseconds from a text in the box until the film has its training.
TRAINED = """
async (text) => {
  const box = document.querySelector("#box").shadowRoot.querySelector("textarea");
  const where = document.querySelector("#film-picture").shadowRoot.querySelector(".where");
  const before = where.textContent, begun = performance.now();
  box.value = text;
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  while (where.textContent === before) await new Promise((done) => setTimeout(done, 1));
  return performance.now() - begun;
}
"""


def measure() -> Iterator[Row]:
    """Open both pages in turn, in new windows and again in these; asks the package index for Pyodide."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site.write_site(folder / "site", pyodide_files.fetch(folder))
        (folder / "site/bare.html").write_text(BARE, encoding="utf-8")
        (folder / "site/bare.js").write_text(BARE_WORKER, encoding="utf-8")
        lock = folder / "pyodide-lock.json"
        (folder / "site/pyodide" / lock.name).write_bytes(lock.read_bytes())
        with hosted(folder / "site") as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM_ARGS)
            taken = [_seconds(browser, address) for _ in range(TIMES)]
            browser.close()
    bare, bare_again, ready, again, trained = (median(times) for times in zip(*taken, strict=True))
    yield "the static page: Pyodide with NumPy on a bare page", bare, "s", None
    yield "the static page: ready, beyond that", ready - bare, "s", 2.5
    yield "the static page: again, beyond a bare page again", again - bare_again, "s", 1.5
    yield "the static page: a short story trained", trained, "s", 0.5


def _seconds(browser: Browser, address: str) -> tuple[float, ...]:
    """Return the seconds until a bare page and the site are ready, each at first and again, and until a story is."""
    window = browser.new_context(viewport={"width": 1280, "height": 900})
    window.set_default_timeout(60_000)
    page, taken = window.new_page(), list[float]()
    for link in ("bare.html", "bare.html", "#page=train&split=gpt2&alphabet=bytes&size=600", ""):
        page.goto("about:blank")
        page.goto(f"{address}{link}")
        taken.append(page.wait_for_function(READY, polling=5).json_value() / 1000)
        if "train" in link:
            trained = page.evaluate(TRAINED, EXAMPLE_TEXTS["short-story"] + "The end.") / 1000
    window.close()
    return *taken, trained
