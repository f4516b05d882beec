"""A small part of the campaign in a browser: see tests/campaign/in_browser.py."""

from itertools import islice

import pytest

from tests.campaign import in_browser
from tests.some import only

KINDS = {
    "links": lambda page, url: in_browser.links(page, url, 31),
    "texts": lambda page, url: islice(in_browser.texts(page, url, 16), 2),
    "texts on all pages": lambda page, url: in_browser.texts(page, url, 16),
    "file names": in_browser.file_names,
}


@pytest.fixture(autouse=True)
def without_policy(page):
    with in_browser.without_policy(page):
        yield


@pytest.mark.parametrize("kind", only(KINDS, "texts"))
def test_nothing_hostile_runs_or_breaks_a_page(page, server, kind):
    assert [f"{name}: {said}" for name, said in KINDS[kind](page, server) if said] == []


def test_what_runs_or_is_left_would_be_seen(open_page):
    page = open_page("train")
    page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', `" + in_browser.PAYLOADS[1].replace("=x ", "='x' ") + "`)"
    )
    page.wait_for_function("window.hacked")
    assert in_browser.wrong(page) == ["a script ran", "markup is left"]
    page.locator("img[src=x]").evaluate("image => image.remove()")


@pytest.mark.thorough
def test_of_a_long_word_the_beginning_is_drawn(page, server):
    [(_, said)] = in_browser.long_words(page, server, [("train", "one word")])
    assert said == []
