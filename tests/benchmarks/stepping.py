"""The film in Chromium, beside a bare Streamlit page in the same run: a step, a play, a scrub, a jump."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import process_time
from urllib.parse import urlencode

from playwright.sync_api import Error, Page, sync_playwright

from bpe_core import Settings
from bpe_core.pictures.film.film_side import CHUNK, RunSide
from bpe_core.record.run_training import train_with_index
from tests.benchmarks import corpora
from tests.benchmarks.figures import Row, late
from tests.browser import driver
from tests.browser.driver import settle

FLOOR = "import sys; sys.argv[2] = 'tests/benchmarks/floor_page.py'"
BYTES = {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none"}
FRAME = 16.7  # milliseconds: 60 a second
SCRIPT = (Path(__file__).parents[1] / "browser" / "film.js").read_text(encoding="utf-8")
# Each waits for the frame in which the step is drawn, and for the one after it: then it is painted.
SCRIPT += """
film.press = async (key) => {
  const box = film.find(".film"), before = box.dataset.step, begun = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
  do await film.frame(); while (box.dataset.step === before || box.dataset.step === "");
  return performance.now() - begun;
};
film.jump = async (step) => {
  const begun = performance.now();
  film.slide(step);
  await film.drawn(step);
  return performance.now() - begun;
};
film.frames = async (times, act = () => {}) => {
  const taken = [];
  for (let k = 0, last = await film.frame(); k < times; k++) {
    act(k);
    const now = await film.frame();
    taken.push(now - last);
    last = now;
  }
  return taken;
};
film.scrub = (times) => film.frames(times, (k) => film.slide(Math.round((film.find(".slider").max * (k + 1)) / times)));
film.play = async (times) => {
  const speed = film.find(".speed select"), at = () => Number(film.find(".slider").value);
  speed.value = "60";
  film.find("[data-do=start]").click();
  await film.drawn(0);
  film.find("[data-do=play]").click();
  const taken = await film.frames(times), seconds = taken.reduce((a, b) => a + b) / 1000, steps = at();
  film.find("[data-do=play]").click();
  return [taken, steps / seconds];
};
/** How many nodes change in a frame of a film that plays, on average. */
film.changes = async (times) => {
  let nodes = 0;
  const size = (node) => 1 + (node.querySelectorAll?.("*").length ?? 0);
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) nodes += Array.from(addedNodes, size).reduce((a, b) => a + b, 0) || 1;
  });
  observer.observe(film.find(".film"), { subtree: true, childList: true, characterData: true, attributes: true });
  await film.play(times);
  observer.disconnect();
  return Math.round(nodes / times);
};
null; // Playwright would call a function
"""
# The frames of a bare page: in each frame a number of elements get another text.
BARE_FRAMES = """
async ([times, nodes]) => {
  const frame = () => new Promise(requestAnimationFrame), taken = [];
  document.body.append(...Array.from({ length: nodes }, () => document.createElement("span")));
  const spans = document.querySelectorAll("span");
  for (let k = 0, last = await frame(); k < times; k++) {
    for (const span of spans) span.textContent = String(k % 10);
    const now = await frame();
    taken.push(now - last);
    last = now;
  }
  return taken;
}
"""


@contextmanager
def opened(before: str = "") -> Iterator[tuple[Page, str]]:
    """A page of the running app, and the app's address."""
    with driver.serve(before) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM_ARGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(driver.WATCH)
        yield page, url
        browser.close()


def floor() -> float:
    """From a click to its answer on the bare page."""
    with opened(FLOOR) as (page, url):
        page.goto(url)
        settle(page)
        return median(
            page.evaluate(
                """async () => {
                    const at = document.querySelector(".step"), before = at.textContent, begun = performance.now();
                    document.querySelector("button[kind=secondary]").click();
                    while (document.querySelector(".step").textContent === before)
                        await new Promise(requestAnimationFrame);
                    return performance.now() - begun;
                }"""
            )
            for _ in range(20)
        )


def _open(page: Page, url: str, query: dict[str, str], text: str = "") -> None:
    page.goto(f"{url}/train?{urlencode(query)}")
    settle(page)
    if text:
        driver.upload(page, "text.txt", text.encode())
        page.get_by_text("“text.txt”:").first.wait_for(timeout=300_000)
    settle(page)
    page.evaluate(SCRIPT)
    try:
        page.evaluate("film.drawn(0)")
    except Error as error:
        said = " ".join(page.get_by_role("alert").all_inner_texts())
        raise RuntimeError(f"no film is drawn; the page says: {said}") from error


def _film(page: Page, name: str, bare: float) -> Iterator[Row]:
    """The figures of the film that is open. `bare`: milliseconds of a step of a bare page."""
    last = int(page.evaluate("film.find('.slider').max"))
    keys = ["ArrowRight"] * min(last, 16) + ["ArrowLeft"] * min(last, 8)
    steps = [page.evaluate("key => film.press(key)", key) for key in keys]
    yield f"a step, {name}: median", median(steps), "ms", FRAME
    yield f"a step, {name}: 95th percentile", late(steps), "ms", 2 * FRAME
    if last > 400:
        times, speed = page.evaluate("film.play(300)")
        least, nodes = _bare_frames(page, times=len(times))
        yield f"play, {name}: a frame, 95th percentile", late(times), "ms", 2 * FRAME
        yield f"play, {name}: nodes that change in a frame", nodes, "", None
        yield f"play, {name}: a frame / one of a bare page with as many", late(times) / late(least), "times", 1.2
        yield f"play, {name}: steps a second, of 60", speed, "", None
        yield f"scrub, {name}: a frame, median", median(page.evaluate("film.scrub(120)")), "ms", 2 * FRAME
        far = [page.evaluate("step => film.jump(step)", last * k // 7 + 1) for k in range(1, 7)]
        yield f"a jump, {name}: median", median(far), "ms", None
        yield f"a jump, {name}: median / a step of a bare page", median(far) / bare, "times", 1.6


def _bare_frames(page: Page, times: int) -> tuple[list[float], int]:
    """Return the frames of a bare page that changes as many nodes in each as the film does, and how many they are."""
    nodes = page.evaluate("times => film.changes(times)", times)
    bare = page.context.browser.new_page(viewport=page.viewport_size)
    taken = bare.evaluate(BARE_FRAMES, [times, nodes])
    bare.close()
    page.bring_to_front()
    return taken, nodes


def _server(text: str) -> float:
    """Processor seconds of the server for a thousand played steps of a book."""
    side = RunSide(train_with_index(text, Settings(vocab_size=10_000)), "_")
    begun = process_time()
    for number in range(1000 // CHUNK + 1):
        side.chunk(number)
    return process_time() - begun


def words() -> Iterator[Row]:
    """The film with which Train opens."""
    yield from _opened_film("17 words", {})


def book() -> Iterator[Row]:
    """The film of a book."""
    yield "frames of 1,000 steps, a book: the server", _server(corpora.book()), "s", 2.0
    yield from _opened_film("a book to 10,000", BYTES | {"vocab_size": "10000"}, corpora.book())


def large() -> Iterator[Row]:
    """The film of a large corpus."""
    yield from _opened_film("40 MB to 32,000", BYTES | {"vocab_size": "32000"}, corpora.large())


def _opened_film(name: str, query: dict[str, str], text: str = "") -> Iterator[Row]:
    bare = floor()
    yield f"a step of a bare page, beside {name}", bare, "ms", None
    with opened() as (page, url):
        _open(page, url, query, text)
        yield from _film(page, name, bare)
