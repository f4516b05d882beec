"""The letters under the tokens, and the end of a prompt, as a person uses them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from bpe_core.tokenizer.prompt_end import prompt_end
from tests.browser.tokens_page import GPT2, Open, saved, tokens, tokens_page

TEXT = "see http://example there"


def test_letters_stand_under_the_tokens_and_one_is_counted_at_every_step(open_page: Open, settle, axe):
    page = tokens_page(open_page, "strawberry 🦜 ne\u0301e")
    page.get_by_role("checkbox", name="Letters", exact=True).check()
    letters = page.locator("#tokens .letters")
    expect(letters).to_have_text(["s t ", "r a w r × 1", "b e r r y r × 2", "· 🦜 ", "· n e\u0301 ", "e "])
    expect(page.locator("#sum")).to_have_text("“r”: 3 times, in 2 of the 10 tokens.")
    page.get_by_label("Count the letter").press_sequentially("xÉ")
    expect(page.get_by_label("Count the letter")).to_have_value("É")
    expect(page.locator("#sum")).to_have_text("“É”: once, in 1 of the 10 tokens.")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(letters).to_have_count(16)  # ten letters, a space, a bird, a space, n, é, e
    expect(page).to_have_url(re.compile("letters=yes.*letter=%C3%89"))
    assert axe(page) == []
    settle(page)
    page.reload()
    expect(letters).to_have_count(16)
    page.get_by_role("checkbox", name="Letters", exact=True).uncheck()
    expect(letters).to_have_count(0)
    expect(tokens(page)).to_have_count(21)


@pytest.mark.thorough
def test_the_end_of_a_prompt_moves_by_key_click_and_button(open_page: Open, settle, axe):
    page = tokens_page(open_page, TEXT, view="prompt", dark=True, width=390)
    sentence, slider = page.locator("#sentence"), page.locator("#end")
    expect(sentence).to_contain_text("The end cuts ·there, a token of the whole text")
    above_rows = page.locator("#text").bounding_box()
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(sentence).to_have_text("Nothing is cut: the prompt’s 4 tokens also begin the whole text.")
    assert page.locator("#text").bounding_box() == above_rows, "the text in which one clicks stands still"
    page.locator("[data-at='9']").click(position={"x": 1, "y": 8})
    number = len(prompt_end(GPT2, TEXT, 9).others)
    expect(sentence).to_contain_text(f"the prompt has only : of it. Of 50,256 tokens {number} begin with : and go on")
    expect(slider).to_have_attribute("aria-valuetext", "9 of 24 characters")
    expect(page.locator("#listed .across")).to_have_text("://1378")
    page.get_by_role("button", name="One character on").click()
    expect(page.locator("#prompt .differs")).to_have_text([re.compile("^:/")])
    expect(page).to_have_url(re.compile("end=10"))
    assert axe(page) == []
    picture = saved(page, "SVG").decode()
    assert all(words in picture for words in ("The prompt alone: 3 tokens", "The whole text: 5 tokens", "://"))
    page.locator("#editor").press_sequentially("!")
    expect(slider).to_have_attribute("aria-valuetext", "10 of 25 characters")
    page.get_by_role("button", name="One character on").click()  # before the page has heard of the text
    expect(page).to_have_url(re.compile("end=11"))
    settle(page)
    expect(slider).to_have_attribute("aria-valuetext", "11 of 25 characters")
