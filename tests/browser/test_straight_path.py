"""The straight path of a key: the view asks for its tokens by itself, and the page hears when the typing rests."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from bpe_core.published import PUBLISHED
from tests.browser.driver import STORY, expect_link, sentence, settle
from tests.browser.tokens_page import GPT2, Open, tokens, tokens_page

LOST = "The server does not answer. Your text stays here, and its tokens follow by themselves."


def text_of(route: Route) -> str:
    return json.loads(route.request.post_data or "{}")["text"]


@pytest.fixture
def window(context: BrowserContext, server: str) -> Callable[[str], Page]:
    """Open the app in a window of its own, whose console may have errors: requests that a test lets fail."""

    def opened(query: str) -> Page:
        page = context.new_page()
        page.goto(f"{server}/?{query}")
        page.locator("#tokens .token").first.wait_for(state="attached")
        page.wait_for_function("() => document.querySelector('[data-test-script-state=notRunning]')")
        return page

    return opened


def test_a_key_runs_no_page_until_the_typing_rests(open_page: Open):
    page = tokens_page(open_page, "x")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/r/tokens" in request.url else None)
    page.evaluate("""() => { window.runs = 0; new MutationObserver(([{ target }]) => {
      if (target.dataset.testScriptState === "running") window.runs += 1;
    }).observe(document.body, { attributeFilter: ["data-test-script-state"], subtree: true }); }""")
    page.locator("#editor").press_sequentially("yz and so on", delay=60)
    expect(tokens(page)).to_have_count(len(GPT2.encode("xyz and so on").ids))
    assert page.evaluate("window.runs") == 0
    assert 1 <= len(asked) <= 12
    settle(page)
    expect_link(page, r"text=xyz\+and\+so\+on")
    assert page.evaluate("window.runs") <= 1, "a short run may begin and end before the browser draws again"


@pytest.mark.thorough
def test_a_normalized_text_is_asked_for_once(open_page: Open):
    """BERT's own text differs from what was typed, which is no reason to ask again."""
    page = open_page("", {"tokenizer": "bert", "text": "x"})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/r/tokens" in request.url else None)
    page.locator("#editor").fill("ÁN Example")
    settle(page)
    found = PUBLISHED["bert"].load().encode("ÁN Example")
    expect(tokens(page)).to_have_count(len(found.ids))
    expect(page.locator("#remarks")).to_contain_text("The tokenizer normalizes the text first")
    assert len(asked) == 1


def test_what_is_typed_goes_along_with_a_link_and_into_a_shared_one(open_page: Open):
    page = tokens_page(open_page, "x")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#editor").press_sequentially(" shared")
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="Link copied")).to_be_visible()
    assert "text=x+shared" in page.evaluate("navigator.clipboard.readText()")
    page.locator("#editor").press_sequentially(" once more")
    page.get_by_role("link", name="Train", exact=True).click()
    settle(page)
    expect(page.locator("#editor")).to_have_value("x shared once more")


@pytest.mark.thorough
def test_a_slow_server_is_asked_for_the_newest_text_last(window):
    page = window("tokenizer=gpt2&text=x")
    texts: list[str] = []

    def slow(route: Route) -> None:
        texts.append(text_of(route))
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/r/tokens", slow)
    page.locator("#editor").press_sequentially(" one two three four", delay=40)
    expect(tokens(page)).to_have_count(5)
    assert texts[-1] == "x one two three four"
    assert len(texts) < 12, "what was overtaken is not asked for"
    page.unroute_all(behavior="wait")
    page.close()


def test_a_lost_server_keeps_the_text_and_goes_on_by_itself(window):
    page = window("tokenizer=gpt2&text=x")
    page.route("**/r/*", lambda route: route.abort())
    page.locator("#editor").fill("the newest dog")
    expect(page.locator("#lost")).to_have_text(LOST)
    expect(page.locator("#editor")).to_have_value("the newest dog")
    page.unroute("**/r/*")
    expect(page.locator("#lost")).to_be_empty()
    expect(tokens(page)).to_have_count(3)
    page.close()


def test_a_handle_that_names_nothing_any_more_is_replaced(window):
    page = window("tokenizer=gpt2&text=x")
    page.route("**/r/tokens", lambda route: route.fulfill(status=410, body="This is not here any more."))
    page.locator("#editor").fill("the newest dog")
    expect(tokens(page)).to_have_count(3), "the page's own answer has the tokens when the typing rests"
    page.unroute("**/r/tokens")
    page.locator("#editor").fill("the newest dog again")
    expect(tokens(page)).to_have_count(4)
    page.close()


@pytest.mark.thorough
def test_a_step_that_was_chosen_in_a_typed_text_stays_when_the_page_hears_of_it(open_page: Open):
    page = tokens_page(open_page, "x")
    page.locator("#editor").fill("the newest dog")
    expect(tokens(page)).to_have_count(3)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(tokens(page)).to_have_count(14)
    expect(page).to_have_url(re.compile("step=0"))
    settle(page)
    expect(tokens(page)).to_have_count(14)


def test_what_the_page_draws_of_an_earlier_text_is_marked(open_page: Open):
    page = open_page("", {"tokenizer": "gpt2", "text": "the strawberry", "view": "why"})
    page.locator("#editor").press_sequentially(" and unfortunately")
    page.wait_for_function("() => document.documentElement.classList.contains('behind')")
    expect(page.locator(".st-key-view")).to_have_attribute("aria-busy", "true")
    settle(page)
    expect(page.locator(".st-key-view")).to_have_attribute("aria-busy", "false")
    expect(page.get_by_text("“unfortunately” has")).to_be_visible()


# Streamlit's server hears nothing until `release` is called: what comes meanwhile comes without a run of the page.
HOLD = """() => {
  const { send } = WebSocket.prototype, held = [];
  WebSocket.prototype.send = function (message) { held.push([this, message]); };
  window.release = () => {
    WebSocket.prototype.send = send;
    for (const [socket, message] of held) socket.send(message);
  };
}"""
RUNS = """() => { window.runs = 0; new MutationObserver(([{ target }]) => {
  if (target.dataset.testScriptState === "running") window.runs += 1;
}).observe(document.body, { attributeFilter: ["data-test-script-state"], subtree: true }); }"""


def test_a_film_is_stepped_and_searched_without_a_run_of_the_page_until_it_rests(open_page: Open):
    page = open_page("train", STORY)
    page.evaluate(RUNS)
    page.evaluate("""async () => {  // in the page's own time, however slow the machine is
      for (let step = 0; step < 20; step++) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }""")
    assert page.evaluate("window.runs") == 0
    expect(sentence(page)).to_contain_text("Step 20 joined")
    page.get_by_role("searchbox", name="Find in words").fill("light")
    expect(page.get_by_text(re.compile(r"\d+ of 432 words match"))).to_be_visible()
    page.wait_for_function("() => document.documentElement.classList.contains('behind-film')")
    settle(page)
    expect_link(page, "step=20&words=light")
    assert page.evaluate("window.runs") <= 1
    expect(page.locator(".st-key-below-film")).to_have_attribute("aria-busy", "false")


def test_a_typed_text_is_trained_without_a_run_of_the_page_and_its_step_stays(open_page: Open):
    page = open_page("train", {"text": "newest newest"})
    page.evaluate(HOLD)
    page.locator("#editor").press("End")
    page.keyboard.insert_text(" widest")
    expect(page.locator(".line .word")).to_have_text(["newest_", "widest_"])
    expect(page.get_by_text("1 different word, ")).to_be_visible()  # the page is of the text before
    page.evaluate("window.release()")
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".where")).to_contain_text("step 2 of")
    settle(page)
    expect(page.locator(".where")).to_contain_text("step 2 of")
    expect_link(page, r"text=newest\+newest\+widest&step=2$")
    expect(page.get_by_text("2 different words, ")).to_be_visible()
    page.locator("#editor").press("End")
    page.keyboard.insert_text(" ")  # another text, of the same training
    page.get_by_role("button", name="Next", exact=True).click()
    settle(page)
    expect(page.locator(".where")).to_contain_text("step 3 of")
    expect_link(page, r"text=newest\+newest\+widest\+&step=3$")


@pytest.mark.thorough
def test_a_film_whose_handle_names_nothing_any_more_gets_another_and_says_so_if_that_is_gone_too(window):
    page = window("tokenizer=gpt2&text=x")
    page.get_by_role("link", name="Train", exact=True).click()
    page.get_by_role("button", name="Next", exact=True).wait_for()
    settle(page)
    page.route("**/r/window", lambda route: route.fulfill(status=410, body="This is not here any more."))
    find = page.get_by_role("searchbox", name="Find in words")
    find.fill("a")
    settle(page)
    find.fill("x")
    expect(page.get_by_text("This training is not here any more: reload the page.")).to_be_visible()
    page.unroute("**/r/window")
    find.fill("")
    expect(page.locator(".corpus .note")).to_contain_text("1 different word")
    page.close()


@pytest.mark.thorough
def test_two_tabs_have_their_own_texts(window):
    first, second = window("tokenizer=gpt2&text=x"), window("tokenizer=gpt2&text=x")
    first.locator("#editor").fill("the newest dog")
    second.locator("#editor").fill("the newest lighthouse of all")
    for page, text in ((first, "the newest dog"), (second, "the newest lighthouse of all")):
        expect(tokens(page)).to_have_count(len(GPT2.encode(text).ids))
        expect_link(page, text.replace(" ", r"\+"))
        expect(tokens(page)).to_have_count(len(GPT2.encode(text).ids))
        page.close()


# Both at one moment, so that Streamlit sends them in one message: a picture tells its step, as before every press, and
# an example is chosen.
AT_ONCE = """() => {
  document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, composed: true }));
  [...document.querySelectorAll("[role=menuitem]")].find((item) => item.textContent.startsWith("hug, pug")).click();
}"""


@pytest.mark.thorough
def test_an_example_is_shown_even_if_the_film_tells_its_step_at_the_same_moment(open_page: Open):
    page = open_page("train")
    page.get_by_role("button", name="Examples").click()
    expect(page.get_by_role("menuitem").first).to_be_visible()
    page.get_by_role("button", name="Next", exact=True).evaluate("button => button.click()")
    expect(page.locator("html.unheard")).to_be_attached()
    page.evaluate(AT_ONCE)
    expect(page.get_by_text("hugs”: ")).to_be_visible(timeout=20_000)
