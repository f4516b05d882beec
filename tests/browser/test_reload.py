"""What was typed is in no address: a reload finds it in its tab, another tab asks for Share's link, which has it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from pages.parts.state.address_bar import TEXT_IN_TAB, TEXT_TOO_LONG
from tests.browser.driver import expect_link, sentence
from tests.browser.tokens_page import tokens

WORD = "lighthousekeeper"
LONG = "seventy bytes go along in a link, and a thousand times as many do not. " * 150
# Notes all that the page ever draws: how many characters a text has, and the step of a film.
NOTE = """
window.seen = new Set();
(function look() {
  for (const { shadowRoot } of document.querySelectorAll("[data-testid=stBidiComponentIsolated]")) {
    const drawn = shadowRoot?.querySelector("[data-name=characters], .where")?.textContent;
    if (drawn) window.seen.add(drawn);
  }
  requestAnimationFrame(look);
})();
"""


def share(page: Page) -> str:
    """Press Share, and return the link that it copies."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="Link copied")).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


def seen(page: Page) -> list[str]:
    return list(page.evaluate("[...window.seen]"))


def test_a_typed_text_is_in_no_address_and_a_reload_shows_nothing_else(open_page, settle):
    page = open_page("", {"tokenizer": "gpt2"})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    text = f"the {WORD} of it all"
    page.locator("#editor").fill("")
    page.locator("#editor").press_sequentially(text)
    settle(page)
    page.get_by_role("button", name="Back", exact=True).click()
    settle(page)
    tokens(page).nth(2).dispatch_event("click")  # a click would scroll to a token that still melts
    expect(page).to_have_url(re.compile(r"tokenizer=gpt2&step=\d+&token=\d+&in_tab=text$"))
    settle(page)
    address, drawn, where = page.url, tokens(page).all_inner_texts(), page.locator(".where").inner_text()
    page.add_init_script(NOTE)
    page.reload()
    settle(page)
    expect(page.locator("#editor")).to_have_value(text)
    assert seen(page) in ([str(len(text))], [where]), "no example was drawn"
    assert (page.url, tokens(page).all_inner_texts(), page.locator(".where").inner_text()) == (address, drawn, where)
    expect(page.locator(".problem")).to_have_count(0)

    link = share(page)
    assert not [url for url in asked if WORD in url]
    assert WORD in link

    other = page.context.new_page()
    other.goto(address)
    expect(other.get_by_text(TEXT_IN_TAB)).to_be_visible()
    expect(other.locator("#editor")).not_to_have_value(text)
    other.goto(link)
    settle(other)
    expect(other.locator("#editor")).to_have_value(text)
    expect(other.locator(".problem")).to_have_count(0)
    expect(other).to_have_url(re.compile("in_tab=text"))


@pytest.mark.thorough
def test_a_film_of_typed_values_is_trained_once_after_a_reload_and_the_browsers_buttons_find_it(open_page, settle):
    page = open_page("train", {"text": f"low lower {WORD} " * 3, "step": "5", "special_tokens": f"<{WORD}>"})
    page.get_by_role("button", name="Next", exact=True).click()
    expect(sentence(page)).to_contain_text("Step 6 joined")
    expect_link(page, "step=6")  # a step is told when it rests
    expect_link(page, f"special_tokens=.*{WORD}")
    settle(page)
    before = sentence(page).inner_text()
    page.add_init_script(NOTE)
    for go in (page.reload, lambda: (page.goto("about:blank"), page.go_back())):
        go()
        settle(page)
        expect(sentence(page)).to_have_text(before)
        assert {where for where in seen(page) if "of" in where} == {page.locator(".where").inner_text()}
        expect(page).to_have_url(re.compile(r"train\?step=6&in_tab=text\+special_tokens$"))
        expect(page.locator(".problem")).to_have_count(0)


@pytest.mark.thorough
def test_a_text_outlives_a_reload_before_the_page_has_heard_of_it(open_page, settle):
    page = open_page()
    page.locator("#editor").fill("short")
    page.reload()
    settle(page)
    expect(page.locator("#editor")).to_have_value("short")


@pytest.mark.thorough
def test_a_text_too_long_for_a_link_outlives_a_reload_of_its_tab_only(open_page, settle):
    page = open_page()
    page.locator("#editor").fill(LONG)
    settle(page)
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("without your text, which is too long for a link: send it separately.")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile("step=0"))
    settle(page)
    page.reload()
    expect(page.locator("#editor")).to_have_value(LONG)
    settle(page)
    expect(page.locator("[data-name=characters]")).to_have_text(f"{len(LONG):,}")
    expect(page).to_have_url(re.compile("step=0"))
    expect(page.get_by_text(TEXT_TOO_LONG)).to_have_count(0)

    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_text(TEXT_TOO_LONG)).to_be_visible()

    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".figures.example [data-name=tokens]")).to_have_text("17")  # the example, pale
    settle(page)
    assert page.evaluate("sessionStorage.getItem('mergescope.text')") is None


@pytest.mark.thorough
def test_an_embedded_page_keeps_its_text_where_a_storage_is_forbidden_it_works(open_page, settle):
    page = open_page("", {"tokenizer": "gpt2", "embed": "true"})
    expect(page.get_by_role("button", name="Share", exact=True)).to_have_count(0)
    page.locator("#editor").fill(WORD)
    settle(page)
    page.reload()
    settle(page)
    expect(page.locator("#editor")).to_have_value(WORD)

    other = page.context.new_page()
    other.add_init_script("Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('no'); } });")
    other.goto(page.url)
    settle(other)
    expect(other.get_by_text(TEXT_IN_TAB)).to_be_visible()
    other.locator("#editor").fill(WORD)
    settle(other)
    expect_link(other, WORD)
