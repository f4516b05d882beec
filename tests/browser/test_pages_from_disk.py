"""A film and a text as HTML files: they play from a disk, ask nobody for anything, and show what the engine says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread

import pytest
import vl_convert
from playwright.sync_api import Browser, Locator, Page, expect

from bpe_core import Encoding, Run, Settings, train
from bpe_core.pictures.saved.gallery import write_gallery
from bpe_core.pictures.saved.saved_page import film, view
from bpe_core.pictures.shared.token_text import token_text
from pages.parts.ui import film_charts
from tests.browser.film_frames import SCRIPT, check_frames
from tests.texts import EXAMPLE_TEXTS

HOSTILE = "</script><img src=x onerror=alert(1)> <!-- <script> ]]> \u2028 \u2029 \ud83e &lt; \0 </script><b>bold</b> "
Open = Callable[[str], Page]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Write a page to the disk and open it, offline. A request, a word in the console or an error fails the test."""
    window = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    path, heard = tmp_path / "page.html", []

    def is_page(url: str) -> bool:
        return url.partition("#")[0] == path.as_uri()

    window.route("**/*", lambda route: route.continue_() if is_page(route.request.url) else route.abort())
    window.on("request", lambda request: is_page(request.url) or heard.append(request.url))
    page = window.new_page()
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", lambda dialog: heard.append(dialog.message))

    def open_page(html: str) -> Page:
        path.write_text(html, encoding="utf-8")
        page.goto(path.as_uri())
        return page

    yield open_page
    window.close()
    assert heard == []


@pytest.fixture(scope="module")
def run() -> Run:
    return train(EXAMPLE_TEXTS["short-story"], Settings("gpt2", vocab_size=600))


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def expect_tokens(page: Page, encoding: Encoding) -> None:
    """Wait until the text is drawn as these tokens, each with its id."""
    drawn = [f"{token_text(token)}{i}" for token, i in zip(encoding.tokens, encoding.ids, strict=True)]
    expect(page.locator("#tokens .token")).to_have_text(drawn)


def test_a_film_plays_steps_and_jumps_as_the_engine_says(opened: Open, run: Run, axe) -> None:
    page = opened(film(run, step=300).html)
    page.evaluate(SCRIPT)
    where = page.locator(".at")
    expect(where).to_have_text("300")
    page.get_by_label("Speed").select_option("60")
    button(page, "Play").click()
    expect(where).to_have_text(str(run.steps))
    expect(button(page, "Play")).to_be_visible()  # it has stopped
    page.keyboard.press("Home")
    expect(where).to_have_text("0")
    button(page, "Next").click()
    expect(where).to_have_text("1")
    check_frames(page, run, [0, run.steps, *(Random(7).randint(0, run.steps) for _ in range(12))])
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == []


@pytest.mark.thorough
def test_a_film_draws_its_charts_without_a_server(opened: Open, axe) -> None:
    run = train("<b>low</b> lower newest low", Settings("whitespace", vocab_size=262))
    charts = film_charts.charts(vl_convert.javascript_bundle())
    page = opened(film(run, charts=charts).html)
    page.evaluate(SCRIPT)
    expect(page.locator(".pairs .drawn svg")).to_be_attached()
    expect(page.locator(".timeline .drawn svg")).to_be_attached()
    check_frames(page, run, [0, 3, run.steps])
    assert axe(page) == []


def test_a_film_begins_at_a_step_and_lets_the_next_merge_be_guessed(opened: Open, run: Run) -> None:
    page = opened(film(run, step=100).html)
    expect(page.locator(".at")).to_have_text("100")
    button(page, "Guess the next merge").click()
    expect(page.locator(".listed .label").first).to_have_text("")  # no count tells which
    page.locator(".merges .current").wait_for()
    names = page.locator(".listed .name").all_inner_texts()
    merge = run.merges[100]
    page.get_by_role("button", name=f"{token_text(merge.left)} + {token_text(merge.right)}", exact=True).click()
    assert sorted(names) == names
    expect(page.locator(".verdict")).to_contain_text("Right:")
    expect(page.locator(".at")).to_have_text("101")


@pytest.mark.thorough
def test_a_text_grows_with_its_vocabulary_and_shows_a_tree(opened: Open, run: Run, axe) -> None:
    text = EXAMPLE_TEXTS["short-story"][:40]  # it plays for a few seconds
    encoding = run.tokenizer().encode(text)
    page = opened(view(encoding, "the story's tokenizer").html)
    expect(page.locator(".where")).to_contain_text(" merges")
    expect_tokens(page, encoding)
    here = sorted(set(encoding.merged_at.tolist()))[:-1]
    for position in (len(here) // 2, 1, 0):
        page.locator(".slider").fill(str(position))
        step = here[position - 1] if position else 0
        tokens = run.tokenizer(step).encode(text)
        expect(page.locator(".where")).to_contain_text(f" merges here, {len(tokens.ids):,} tokens")
        expect(page.locator("#figures dd").first).to_have_text(f"{len(encoding.ids):,}")
        expect_tokens(page, tokens)
    button(page, "End").click()
    longest = max(range(len(encoding.tokens)), key=lambda i: len(encoding.tokens[i]))
    page.locator("#tokens .token").nth(longest).click()
    merge = run.merges[run.ids[encoding.tokens[longest]] - run.base]
    said = f"{token_text(merge.left)} + {token_text(merge.right)} makes {token_text(merge.token)} at step "
    assert (page.locator("#tree svg").get_attribute("aria-label") or "").startswith(said)
    button(page, "Start").click()
    button(page, "Play").click()
    expect(page.locator(".where")).to_contain_text(f" merges here, {len(encoding.ids):,} tokens")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == []


def test_a_hostile_text_stays_text(opened: Open) -> None:
    run = train(HOSTILE * 3, Settings("gpt2", vocab_size=300, special_tokens=("</script><i>",)))
    page = opened(film(run).html)
    page.evaluate(SCRIPT)
    check_frames(page, run, [0, run.steps // 2, run.steps])
    assert page.locator("img, script:not([id=data]):not([type=module])").count() == 0
    encoding = run.tokenizer().encode(HOSTILE)
    page = opened(view(encoding, f"{HOSTILE}'s", glyph="</script><img src=x>").html)
    expect_tokens(page, encoding)
    assert page.locator("img, b:not([id]), script:not([id=data]):not([type=module])").count() == 0


@pytest.mark.thorough
def test_the_address_of_a_page_has_its_step(opened: Open, run: Run) -> None:
    page = opened(run.page(step=3, title="<b>Two</b> & more").html)
    expect(page.locator("h1")).to_have_text("<b>Two</b> & more")
    expect(page.locator("main > .note")).to_contain_text("Split by: GPT-2 · Vocabulary size: 600 · Corpus: 1,893 words")
    expect(page.locator(".at")).to_have_text("3")
    button(page, "Next").click()
    expect(page).to_have_url(re.compile("#step=4$"))
    page.goto(page.url.replace("#step=4", "#step=250"))  # a link within the page
    expect(page.locator(".at")).to_have_text("250")
    page.reload()
    expect(page.locator(".at")).to_have_text("250")
    encoding = run.tokenizer().encode("lighthouse")
    page = opened(encoding.page().html)
    step = sorted({*encoding.merged_at.tolist()})[1]
    page.goto(f"{page.url}#step={step}")
    expect_tokens(page, run.tokenizer(step).encode("lighthouse"))
    button(page, "Back").click()
    expect(page).to_have_url(re.compile(r"#step=\d+$"))
    expect_tokens(page, run.tokenizer(step - 1).encode("lighthouse"))


@pytest.mark.thorough
def test_the_stages_of_a_training_are_entered_and_the_walls_between_them_fall(opened: Open, axe) -> None:
    text = "to be or not to be, to be or not to be. <b>to be</b>"
    run = train(text, Settings(vocab_size=268, then_across_words_from=260))
    first, walls = run.until(0), len(run.stages[0].settings.splitter.strings(text)) - 1
    page = opened(film(run, step=5).html)
    page.evaluate(SCRIPT)
    where, fallen = page.locator(".where"), page.locator(".fallen")
    expect(where).to_have_text("step 5 of 12, across words")
    expect(fallen).to_have_count(0)
    page.keyboard.press("Home")
    expect(fallen).to_have_count(walls)
    page.keyboard.press("ArrowLeft")  # out of the stage
    expect(where).to_have_text("step 4 of 4, within words")
    expect(page).to_have_url(re.compile("#stage=0&step=4$"))
    check_frames(page, first, [0, 2, 4])
    button(page, "Back").click()
    expect(page).to_have_url(re.compile("#stage=0&step=3$"))
    page.reload()
    expect(where).to_have_text("step 3 of 4, within words")
    page.get_by_label("Speed").select_option("60")
    button(page, "Play").click()
    expect(where).to_have_text("step 12 of 12, across words")  # it has played on
    page.locator(".track .block").click()
    expect(where).to_have_text("step 0 of 4, within words")
    expect(button(page, "Play")).to_be_focused()
    button(page, "End").click()
    button(page, "Next").click()
    expect(page.locator(".falling")).to_have_count(walls)
    button(page, "Back").click()
    page.emulate_media(reduced_motion="reduce")
    button(page, "Next").click()
    expect(fallen).to_have_count(walls)
    expect(page.locator(".falling")).to_have_count(0)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == []


@pytest.mark.thorough
def test_each_sentence_is_whole_moves_nothing_and_a_long_new_token_is_whole_in_the_list(opened: Open) -> None:
    text = "the florbquint, the florbquint of the sea\nof the florbquint, the sea\n" * 2
    run = train(text, Settings("gpt2", vocab_size=280, then_across_words_from=272))
    page = opened(film(run, run.begins[1]).html)
    made = page.locator(".merge:visible .pair > :last-child").filter(has_text=re.compile("^·florbquint,·the$"))
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.keyboard.press("Home")
        tops = set()
        for step in range(run.begins[1], run.steps + 1):
            expect(page.locator(".film")).to_have_attribute("data-step", str(step))
            assert page.locator(".sentence").evaluate("it => it.scrollHeight <= it.clientHeight"), (width, step)
            tops.add(page.locator(".columns").evaluate("it => it.offsetTop"))
            page.keyboard.press("ArrowRight")
        assert len(tops) == 1
        assert made.evaluate("it => it.scrollWidth <= it.clientWidth")


def test_the_merges_of_a_start_are_entered_in_their_order_and_cannot_be_guessed(opened: Open) -> None:
    page = opened(film(train("The parrot", Settings(start="gpt2", vocab_size=50_258))).html)
    where, order = page.locator(".where"), page.locator(".merges .unit")
    expect(where).to_have_text("step 0 of 1, new merges")
    expect(order).to_be_empty()
    button(page, "Guess the next merge").click()
    button(page, "Back").click()
    expect(where).to_have_text("step 7 of 7, merges of GPT-2")
    expect(order).to_have_text("times seen; in the order of GPT-2")
    expect(button(page, "Guess the next merge")).to_be_disabled()
    expect(button(page, "Guess the next merge")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".line .word")).to_have_text(["The", "·parrot"])
    expect(page.locator(".sentence")).to_contain_text(
        "Merge 10,344 of GPT-2 joined ro + t → rot, here once: 1 in ·parrot."
    )
    button(page, "Start").click()
    expect(page.locator(".sentence")).to_contain_text("The merges of GPT-2 that this text needs follow.")
    page.locator(".track .block").click()
    expect(order).to_be_empty()
    expect(button(page, "Guess the next merge")).to_be_enabled()


@pytest.mark.thorough
def test_two_trainings_play_beside_each_other(opened: Open, axe) -> None:
    text = "<b>my dog.</b> your dog."
    runs = [train(text, Settings(split, vocab_size=264)) for split in ("whitespace", "gpt2")]
    page = opened(runs[0].page(2, beside=runs[1]).html)
    expect(page.locator("h1")).to_have_text("Whitespace beside GPT-2’s split")
    for step in (2, 3):
        expect(page.locator(".at")).to_have_text(str(step))
        for side, run in enumerate(runs):
            merge = run.merges[step - 1]
            said = f"Step {step} joined {token_text(merge.left)} + {token_text(merge.right)}"
            expect(page.locator(".sentence").nth(side)).to_contain_text(said)
        button(page, "Next").click()
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert axe(page) == []


REQUESTS = """async ([address, awaited]) => {
  const refused = [];
  addEventListener("securitypolicyviolation", ({ effectiveDirective }) => refused.push(effectiveDirective));
  const put = (name, values) => document.body.append(Object.assign(document.createElement(name), values));
  put("img", { src: address });
  put("link", { rel: "stylesheet", href: address });
  put("script", { src: address });
  put("script", { textContent: "document.title = 'run'" });
  put("iframe", { src: address });
  put("audio", { src: address });
  put("object", { data: address });
  put("iframe", { name: "sent" });
  put("form", { action: address, method: "post", target: "sent" });
  document.forms[0].submit();
  new Image().src = address;
  navigator.sendBeacon(address);
  try { new WebSocket(address.replace("http", "ws")); } catch { /* refused */ }
  try { new Worker(URL.createObjectURL(new Blob([""]))); } catch { /* refused */ }
  try { await fetch(address); } catch { /* refused */ }
  const pause = () => new Promise((resume) => setTimeout(resume, 50));
  await pause();
  for (let left = 200; left && new Set(refused).size < awaited; left--) await pause();
  return refused;
}"""


@pytest.fixture
def neighbour() -> Iterator[tuple[str, list[str]]]:
    """A server on this machine: its address, and what it was asked for."""
    asked: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def handle(self) -> None:
            asked.append(self.rfile.readline().decode())

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://localhost:{server.server_port}/asked", asked
        server.shutdown()


@pytest.mark.thorough
def test_the_policy_of_a_page_forbids_every_request(browser: Browser, run: Run, tmp_path: Path, neighbour) -> None:
    address, asked = neighbour
    window = browser.new_context()
    forbidden = {
        "img-src", "style-src-elem", "script-src-elem", "frame-src", "media-src", "object-src", "form-action",
        "connect-src", "worker-src",
    }  # fmt: skip
    refused = {}
    for policy, awaited in {"Content-Security-Policy": len(forbidden), "Another-Policy": 0}.items():
        path = tmp_path / "page.html"
        path.write_text(run.page().html.replace("Content-Security-Policy", policy), encoding="utf-8")
        page = window.new_page()
        page.goto(path.as_uri())
        button(page, "Next").click()
        refused[policy] = page.evaluate(REQUESTS, [address, awaited]), page.title(), len(asked)
    window.close()
    (found, title, requests), (without, other_title, more) = refused.values()
    assert set(found) == forbidden
    assert (title, requests) == ("A training of 344 merges", 0)
    assert (without, other_title) == ([], "run")  # without the policy all of them go through
    assert more > 5


def test_a_page_is_printed_as_it_is(opened: Open, run: Run) -> None:
    page = opened(run.page(step=40).html)
    expect(page.locator(".at")).to_have_text("40")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(".where")).to_have_text("step 40 of 344")
    expect(button(page, "Next")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(252, 251, 248)"


@pytest.mark.parametrize(("theme", "ground"), [("true", "rgb(252, 251, 248)"), ("false", "rgb(23, 22, 20)")])
def test_a_notebook_shows_a_film_in_its_theme_in_a_frame_that_reads_nothing_outside(
    opened: Open, run: Run, theme: str, ground: str
) -> None:
    film = f'<body data-jp-theme-light="{theme}">{run.page(3, "</iframe><b>")._repr_html_()}'
    page = opened(f"<!doctype html><meta charset=utf-8><title>A notebook</title>{film}")
    film = page.frame_locator("iframe")
    expect(film.locator(".at")).to_have_text("3")
    expect(film.locator("body")).to_have_css("background-color", ground)
    film.get_by_role("button", name="Next", exact=True).click()
    expect(film.locator(".at")).to_have_text("4")
    expect(film.locator("h1")).to_have_text("</iframe><b>")
    assert page.locator("iframe").get_attribute("title") == "</iframe><b>"
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    expect(film.locator("body")).to_have_css("background-color", "rgb(252, 251, 248)")


@pytest.mark.thorough
def test_the_gallery_opens_from_a_disk(browser: Browser, tmp_path: Path, axe) -> None:
    index, *paths = write_gallery(tmp_path)
    window = browser.new_context(viewport={"width": 390, "height": 800}, offline=True)
    heard: list[str] = []
    window.on("console", lambda message: heard.append(message.text))
    window.on("weberror", lambda error: heard.append(str(error.error)))
    page = window.new_page()
    page.goto(index.as_uri())
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        heard += axe(page)
    titles = page.get_by_role("link").all_inner_texts()
    too_wide = [page.evaluate("document.documentElement.scrollWidth > 390")]
    for title, path in zip(titles, paths, strict=True):
        page.goto(path.as_uri())
        expect(page.locator("h1")).to_have_text(title)
        expect(page.locator(".where")).to_contain_text(re.compile(r"\d of "))
        page.keyboard.press("End")
        button(page, "Back").click()
        expect(page).to_have_url(re.compile(r"[#&]step=\d+$"))
        too_wide.append(page.evaluate("document.documentElement.scrollWidth > 390"))
        for heading in page.locator("h2:visible").all():
            assert heading.evaluate("each => each.scrollWidth <= each.clientWidth"), heading.inner_text()
        page.get_by_role("link", name="All films and texts").click()
        expect(page).to_have_url(index.as_uri())
    page.goto((tmp_path / "sources.html").as_uri())
    expect(page.locator(".sources path")).to_have_count(3)  # whose merges come when, which the page speaks of
    window.close()
    assert heard == []
    assert not any(too_wide)
