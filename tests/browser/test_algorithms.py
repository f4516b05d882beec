"""The Algorithms page as a person uses it: cut a text, step, walk the rounds, type a word, share the link."""

import io
import re
from itertools import product
from urllib.parse import parse_qs, urlparse

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.driver import book, expect_link, upload

GUIDE = ["##mp", "ru", "ju", "jump", "jumpi", "##in", "run", "runn", "jumpin", "runnin", "##ing", "running", "jumping"]
VIEWS = {
    "compare": "Side by side",
    "wordpiece": "WordPiece, step by step",
    "unigram": "Unigram, round by round",
    "encode": "Two ways to encode",
}


def view(page: Page, name: str) -> None:
    page.get_by_role("radio", name=VIEWS[name]).click()
    expect(page).to_have_url(re.compile(f"view={name}") if name != "compare" else re.compile(r"^((?!view=).)*$"))


def rival(page: Page, name: str) -> str:
    """A model's tokens, separated by spaces."""
    row = page.locator(".rivals > .name", has_text=name).locator("xpath=following-sibling::div[@class='tokens'][1]")
    return " ".join(row.locator(".token").all_text_contents())


def sentence(page: Page):
    return page.locator(".sentence").first


@pytest.mark.thorough
def test_from_the_start_page_to_the_same_text_under_each_model(open_page, outside_requests):
    page = open_page()
    page.get_by_role("link", name="Two splits", exact=True).click()
    page.get_by_role("link", name="Algorithms", exact=True).click()
    expect(page.locator(".rivals .name")).to_have_count(5)
    page.get_by_label("Text to tokenize").fill("eating jumping skiing")
    page.keyboard.press("Enter")
    expect(page.locator(".rivals .word").nth(2)).to_have_text("sk[UNK]iing")
    assert rival(page, "BPE") == "eat ing j u m p ing s k[UNK] i ing"
    assert rival(page, "WordPiece") == "e ##a ##t ##in ##g jumpi ##n ##g skiing[UNK]"
    assert rival(page, "Unigram") == "eat ing j u m p ing s k[UNK] i ing"
    assert rival(page, "Words") == "eating jumping skiing[UNK]"
    expect(page.get_by_test_id("stDataFrame")).to_have_count(2)
    assert outside_requests == []


def bars(page: Page, chart: int) -> list[str]:
    """A film's pairs in one of its charts, each with what stands behind its bar."""
    buttons = page.locator(".pairs").nth(chart).locator(".over button:visible")
    return [name.replace("##", "").replace(" + ", "+") for name in buttons.evaluate_all("all => all.map(b => b.title)")]


@pytest.mark.thorough
def test_the_guides_merges_step_by_step(open_page, settle):
    page = open_page("algorithms", {"vocabulary": "30"})
    view(page, "wordpiece")
    expect(sentence(page)).to_contain_text("Next: ##m + ##p, score 1 / (1 · 1) = 1.")
    expect(sentence(page)).to_contain_text("##a + ##t, is seen 20 times, but its halves 20 and 20 times")
    assert bars(page, 0)[:2] == ["m+p: 1 / (1 · 1) = 1, joined next", "r+u: 2 / (2 · 3) = 0.333"]
    assert bars(page, 1)[:2] == ["a+t: 20", "e+a: 13"]
    for step, token in enumerate(GUIDE, 1):
        page.keyboard.press("ArrowRight")
        expect(sentence(page)).to_contain_text(f"Step {step} joined")
        expect(page.locator(".sentence .token.new")).to_have_text(token)
        expect(page.locator(".corpus .token.new").first).to_have_text(token)
    page.keyboard.press("End")
    expect(sentence(page)).to_contain_text("joined f + ##o → fo, score 6 / (6 · 12) = 0.0833.")
    expect(sentence(page)).to_contain_text("The vocabulary has the 30 tokens asked for.")
    expect(page).to_have_url(re.compile("step=14"))
    page.locator(".merge", has=page.locator(".k", has_text=re.compile("^10$"))).click()
    expect(sentence(page)).to_contain_text("Step 10 joined runn + ##in → runnin")
    expect(page).to_have_url(re.compile("step=10"))
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Merges (CSV)").click()
    rows = pd.read_csv(io.BytesIO(download.value.path().read_bytes()))
    assert rows["token"].tolist() == [*GUIDE, "fo"]


@pytest.mark.thorough
def test_a_token_has_one_colour_in_the_film_and_beside_the_other_models(open_page):
    page = open_page("algorithms", {"vocabulary": "30", "view": "wordpiece", "step": "14"})
    hue = "all => Object.fromEntries(all.map(t => [t.textContent, t.className.match(/t\\d+/)[0]]))"
    expect(page.locator(".corpus .token.new").first).to_be_visible()
    film = page.locator(".corpus .token").evaluate_all(hue)
    view(page, "compare")
    row = page.locator(".rivals > .tokens").nth(1)
    expect(row).to_be_visible()
    there = row.locator(".token:not(.unknown)").evaluate_all(hue)
    shared = film.keys() & there.keys()
    assert len(shared) > 3
    assert {token: film[token] for token in shared} == {token: there[token] for token in shared}


def test_a_chosen_word_and_a_chosen_pair(open_page):
    page = open_page("algorithms", {"vocabulary": "30", "view": "wordpiece"})
    page.locator(".corpus .word").first.click()
    expect(page.get_by_role("heading", name="Pairs of the word")).to_be_visible()
    assert bars(page, 0) == ["c+a: 7 / (7 · 20) = 0.05", "a+t: 20 / (20 · 20) = 0.05"]
    page.get_by_role("button", name="Show all pairs").click()
    page.locator(".pairs").nth(1).locator(".over button").first.click()
    expect(page.locator(".corpus .note")).to_contain_text("##a + ##t occurs 20 times")
    expect(page.locator(".corpus .token.soft").first).to_have_text("##a")


@pytest.mark.thorough
def test_who_comes_to_the_views_by_keyboard_stays_there(open_page):
    page = open_page("algorithms")
    page.get_by_role("radio", name=VIEWS["compare"]).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page).to_have_url(re.compile("view=wordpiece"))
    expect(page.get_by_role("radio", name=VIEWS["wordpiece"])).to_be_focused()


@pytest.mark.thorough
def test_play_walks_the_steps_and_nothing_moves(open_page):
    page = open_page("algorithms", {"view": "wordpiece", "vocabulary": "30"})
    expect(page.locator(".pairs svg").last).to_be_visible()
    page.evaluate("""() => { window.shift = 0; new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value; }).observe({ type: "layout-shift" }); }""")
    page.get_by_label("Speed").select_option("20")
    page.get_by_role("button", name="Play").click()
    expect(sentence(page)).to_contain_text("Step 14 joined")
    assert page.evaluate("window.shift") == 0


@pytest.mark.thorough
def test_rounds_are_walked_and_a_word_is_cut_in_every_way(open_page, settle):
    page = open_page("algorithms", {"view": "unigram"})
    expect(sentence(page)).to_contain_text("Before any pruning: 60 tokens, the 16 characters")
    page.get_by_role("button", name="Play").click()
    expect(sentence(page)).to_contain_text("Round 4 pruned 2 of 24 tokens")
    expect(page.get_by_role("region", name="words of the corpus")).to_contain_text("before:")
    expect(page).to_have_url(re.compile("round=4"))
    page.get_by_role("button", name="Back").press("Enter")
    expect(sentence(page)).to_contain_text("Round 3 pruned 9 of 33 tokens")
    page.get_by_label("Ways to segment a word").fill("cats")
    page.keyboard.press("Enter")
    ways = page.get_by_role("region", name="ways to segment cats")
    expect(ways.locator(".word").first).to_have_text("cats")
    expect(page.get_by_text("These are all 3 ways to segment it.")).to_be_visible()
    shares = [float(re.sub("[^0-9.]", "", text)) for text in ways.locator(".count").all_inner_texts()]
    assert shares == sorted(shares, reverse=True)
    expect_link(page, "word=cats")
    expect(page).to_have_url(re.compile("round=3"))
    assert parse_qs(urlparse(page.url).query) == {"view": ["unigram"], "round": ["3"], "in_tab": ["word"]}
    page.reload()
    settle(page)
    expect(sentence(page)).to_contain_text("Round 3 pruned 9 of 33 tokens")
    expect(page.get_by_role("region", name="ways to segment cats")).to_be_visible()
    for name, column in (("Pruned", "loss in bits"), ("Vocabulary", "probability"), ("Rounds", "bits per character")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"{name} (CSV)").click()
        assert column in pd.read_csv(io.BytesIO(download.value.path().read_bytes()))


@pytest.mark.thorough
def test_two_ways_to_encode(open_page):
    page = open_page("algorithms", {"view": "encode"})
    expect(sentence(page)).to_contain_text("Both ways segment all 10 different words")
    expect(page.get_by_role("region", name="Words of the text").locator(".tokens").first).to_have_text("cats")
    story = page.get_by_role("region", name="Where they differ").locator(".tokens").all()
    ways = [" ".join(way.locator(".token").all_inner_texts()) for way in story]
    assert all(one != other for one, other in zip(ways[::2], ways[1::2], strict=True))
    page.get_by_role("button", name="Take this story as your text").click()
    expect(sentence(page)).to_contain_text("The two ways differ in")
    expect(page.get_by_role("region", name="Words of the text").locator(".differs")).to_have_count(2)
    page = open_page("algorithms", {"view": "encode", "corpus": "hug-pug-pun", "sentence": "bug mug"})
    own = page.get_by_role("region", name="Words of the text").locator(".tokens").all()
    ways = [" ".join(way.locator(".token").all_text_contents()) for way in own]
    assert ways == ["b ug", "b ug", "m[UNK] ug", "m[UNK] ug"]
    page = open_page(
        "algorithms", {"view": "encode", "corpus": "short-story", "vocabulary": "300", "pretokenizer": "gpt2"}
    )
    expect(sentence(page)).to_contain_text("The two ways differ in 43 of ")
    corpus = page.get_by_role("region", name="Words of the corpus that differ")
    ways = [" ".join(way.locator(".token").all_inner_texts()) for way in corpus.locator(".tokens").all()]
    assert ("T hen", "The n") in zip(ways[::2], ways[1::2], strict=True)
    assert all(one != other for one, other in zip(ways[::2], ways[1::2], strict=True))
    expect(page).to_have_url(re.compile("corpus=short-story"))


@pytest.mark.thorough
def test_a_value_of_one_view_stays_while_another_is_open(open_page):
    page = open_page("algorithms", {"view": "wordpiece", "step": "3"})
    page.get_by_role("radio", name=VIEWS["unigram"]).click()
    expect(page.get_by_text("round 0 of 4")).to_be_visible()
    page.get_by_role("radio", name=VIEWS["compare"]).click()
    page.get_by_label("Text to tokenize").fill("food")
    page.keyboard.press("Enter")
    expect_link(page, "sentence=food")
    page.get_by_role("radio", name=VIEWS["wordpiece"]).click()
    expect(sentence(page)).to_contain_text("Step 3 joined")
    page.get_by_role("radio", name=VIEWS["encode"]).click()
    expect(page.get_by_label("Text to tokenize")).to_have_value("food")


@pytest.mark.thorough
def test_a_vocabulary_that_is_too_small_can_be_made_large_enough(open_page):
    page = open_page("algorithms", {"corpus": "short-story", "vocabulary": "22"})
    expect(page.get_by_text("The vocabulary size 22 is below the 87 base symbols.")).to_be_visible()
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    page.get_by_role("button", name="Use 187 tokens").click()
    expect(page.locator(".rivals .name")).to_have_count(5)
    expect(page).to_have_url(re.compile("vocab_size=187"))


@pytest.mark.thorough
def test_an_uploaded_book_is_walked_and_one_that_is_too_large_is_said(open_page, settle):
    page = open_page("algorithms", {"pretokenizer": "gpt2", "view": "wordpiece"})
    upload(page, "book.txt", book(20_000))
    cancel = page.get_by_role("button", name="Cancel training")
    expect(cancel).to_be_visible()
    cancel.click()
    expect(page.get_by_text("Training was cancelled; nothing of it is kept.")).to_be_visible()
    page.get_by_role("button", name="Train again").click()
    expect(sentence(page)).to_contain_text("Next:")
    settle(page)
    page.get_by_role("button", name="End").click()
    expect(sentence(page)).to_contain_text("The vocabulary has the 138 tokens asked for.")
    view(page, "unigram")
    expect(sentence(page)).to_contain_text("Before any pruning")
    upload(page, "large.txt", book(200_000))
    expect(page.get_by_text("these models are for learning and take at most 1,000,000")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "dark", "width"), product(VIEWS, [False, True], [1280, 390]))
def test_axe_finds_nothing_and_nothing_is_wider_than_a_telephone(open_page, settle, name, dark, width):
    query = {"view": name, "step": "3", "round": "4"} | (
        {"corpus": "short-story", "vocabulary": "300"} if name == "encode" else {}
    )
    page = open_page("algorithms", query, dark=dark, width=width)
    expect(page.locator(".token:visible").first).to_be_visible()
    settle(page)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
