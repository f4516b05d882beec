"""A training that takes long: it is cancelled, done again, and lost by a reload."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import book, choose_example, sentence, settle, upload

LARGE = {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "vocab_size": "30000"}


@pytest.mark.thorough
def test_long_training_can_be_cancelled(open_page):
    page = open_page("train", LARGE)
    upload(page, "long.txt", book(300_000))
    page.get_by_role("button", name="Cancel training").click()
    expect(page.get_by_text("Training was cancelled; nothing of it is kept.")).to_be_visible()
    choose_example(page, "hug, pug, pun, bun, hugs")
    expect(sentence(page)).to_contain_text("Before any merge")


@pytest.mark.thorough
def test_cancelled_training_can_be_done_again_and_the_page_answers(open_page):
    page = open_page("train", LARGE)
    upload(page, "long.txt", book(700_000))
    page.get_by_role("button", name="Cancel training").click()
    page.get_by_role("button", name="Train again").click()
    expect(page.get_by_text(re.compile(r"\d,\d{3} different words, "))).to_be_visible()
    page.get_by_role("button", name="End", exact=True).click()
    expect(sentence(page)).to_contain_text(re.compile(r"Step [\d,]+ joined"))


@pytest.mark.thorough
def test_a_reload_while_training_is_said(open_page):
    page = open_page("train", LARGE)
    upload(page, "long.txt", book(701_000))
    expect(page.get_by_role("button", name="Cancel training")).to_be_visible()
    expect(page).to_have_url(re.compile("corpus=own"))
    page.reload()
    settle(page)
    expect(page.get_by_text("The link's text was too long for a link")).to_be_visible()
    expect(sentence(page)).to_contain_text("Before any merge")
