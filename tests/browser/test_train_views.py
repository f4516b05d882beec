"""The views below Train's film: check, try a word, export, tables."""

import io
import json
import re

import pandas as pd
import pytest
import tiktoken
import tiktoken.load
from playwright.sync_api import expect
from tokenizers import Tokenizer

from bpe_core import PRETOKENIZERS, Settings, train
from pages.parts.texts.corpora import example
from pages.parts.train.train_views import VIEWS
from tests.browser.driver import STORY, panel, pick, sentence

FIRST = {"Vocabulary": "vocabulary", "Pairs": "pairs", "Try a word": "try", "Check": "check", "Export": "export"}


@pytest.mark.thorough
def test_check_is_green(open_page):
    page = open_page("train", {"step": "5"})
    panel(page, "Check")
    page.get_by_role("button", name="Check step 5").click()
    expect(page.get_by_test_id("stAlert")).to_have_count(3)
    said = "The tokens joined are the corpus: yes. 5 different words, 85 bytes in all"
    expect(page.get_by_text(said)).to_be_visible()
    expect(page.get_by_text(": NO.")).to_have_count(0)


@pytest.mark.thorough
def test_try_a_word_links_to_the_steps_and_keeps_it(open_page):
    page = open_page("train", {"step": "9", "try": "newest", "view": "try"})
    expect(page.get_by_role("button", name="Step 8")).to_be_visible()
    page.get_by_role("button", name="Step 6").click()
    expect(sentence(page)).to_contain_text("Step 6 joined n + e → ne")
    expect(page.locator(".where")).to_have_text("step 6 of 18")
    panel(page, "Curves", tab="Pairs")
    panel(page, "Try a word")
    expect(page.get_by_role("textbox", name="Text", exact=True)).to_have_value("newest")


def test_tabs_and_film_stay_in_their_place_and_each_view_is_headed_by_its_question(open_page, settle):
    page = open_page("train", {"view": "export", "step": "3"})
    tabs = page.get_by_role("radiogroup", name="View", exact=True)
    tabs.evaluate("it => document.querySelector('[data-testid=stMain]').scrollBy(0, it.getBoundingClientRect().y - 9)")
    question = page.get_by_role("heading", level=2).and_(page.locator(".question"))
    tops = set()
    for tab in ("Check", "Vocabulary", "Try a word", "Pairs", "Export"):  # long views before short ones, too
        tabs.get_by_role("radio", name=tab, exact=True).click()
        settle(page)
        expect(question).to_have_text(VIEWS[FIRST[tab]].question)
        tops.add((tabs.bounding_box()["y"], page.locator(".film").bounding_box()["y"], question.bounding_box()["y"]))
        assert tabs.get_by_role("radio", name=tab, exact=True).bounding_box()["y"] == tabs.bounding_box()["y"]
    assert len(tops) == 1


@pytest.mark.thorough
def test_a_view_under_a_tab_is_chosen_by_keyboard_and_has_the_address_that_it_always_had(open_page):
    page = open_page("train")
    for tab, name, view in (("Pairs", "Sources", "sources"), ("Check", "The algorithm", "algorithm")):
        page.get_by_role("radio", name=tab, exact=True).first.focus()
        page.keyboard.press("Space")
        chosen = page.get_by_role("radiogroup", name=f"{tab}: view").get_by_role("radio", name=name, exact=True)
        expect(page.get_by_role("radio", name=tab, exact=True).first).to_be_focused()
        chosen.focus()
        page.keyboard.press("Space")
        expect(chosen).to_be_checked()
        expect(chosen).to_be_focused()
        expect(page).to_have_url(re.compile(f"view={view}$"))


@pytest.mark.thorough
def test_exports_load_back(open_page):
    page = open_page("train", {"step": "9", "view": "export"})
    page.get_by_text("As of step 9", exact=True).click()
    expect(page.get_by_text("Files with the first 9 of")).to_be_visible()
    sheets = {}
    for name in ("Merges", "Vocabulary", "Pairs", "Words"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"{name} (CSV)").click()
        sheets[name] = pd.read_csv(io.BytesIO(download.value.path().read_bytes()), keep_default_na=False)
    assert sheets["Merges"]["token"].tolist()[:3] == ["es", "est", "est_"]
    assert len(sheets["Vocabulary"]) == 21
    assert sheets["Words"].values.tolist()[2] == [6, "newest_"]
    assert sheets["Pairs"]["count"].is_monotonic_decreasing
    for kind in ("SVG", "PNG"):
        with page.expect_download() as download:
            page.locator(".save").get_by_role("button", name=kind).click()
        raw = download.value.path().read_bytes()
        assert raw.startswith({"SVG": b"<svg", "PNG": b"\x89PNG"}[kind])
    assert "currentColor" not in raw.decode("latin-1")
    for kind, begins in {"SVG": b"<svg", "PNG": b"\x89PNG", "HTML": b"<!doctype", "LaTeX": b"% Step 9: low_\n"}.items():
        with page.expect_download() as download:
            page.get_by_test_id("stMain").get_by_test_id("stDownloadButton").get_by_role("button", name=kind).click()
        assert download.value.path().read_bytes().startswith(begins)


@pytest.mark.thorough
def test_tokenizer_files_load_in_their_own_libraries(open_page, tmp_path):
    page = open_page("train", STORY | {"step": "200", "view": "export"})
    page.get_by_text("As of step 200", exact=True).click()
    expect(page.get_by_text("Files with the first 200 of")).to_be_visible()
    files = {}
    for name in ("tokenizer.json", "vocab.json", "merges.txt", "tokenizer.tiktoken", "minbpe.model"):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        files[name] = tmp_path / name
        download.value.save_as(files[name])
    text = "The keeper's dog, and the light."
    ids = Tokenizer.from_file(str(files["tokenizer.json"])).encode(text).ids
    run = train(example("short-story").text, Settings(vocab_size=1000))
    assert ids == list(run.tokenizer(200).encode(text).ids)
    ranks = tiktoken.load.load_tiktoken_bpe(str(files["tokenizer.tiktoken"]))
    pattern = PRETOKENIZERS["gpt2"].pattern
    assert tiktoken.Encoding("ours", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}).encode(text) == ids
    assert len(json.loads(files["vocab.json"].read_text())) == 456
    assert "minbpe" in files["minbpe.model"].read_text()


@pytest.mark.thorough
@pytest.mark.parametrize(("view", "label", "unit"), [("pairs", "pair", "pairs"), ("vocabulary", "token", "tokens")])
def test_search_over_tables(open_page, view, label, unit):
    page = open_page("train", STORY | {"step": "300", "view": view})
    page.get_by_label(f"Find a {label}").fill("gh")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(rf"^\d\d? {unit}\."))).to_be_visible()


@pytest.mark.thorough
def test_two_languages_of_ones_own_are_sources(open_page):
    """Which source is served worse, and from which step on; with markup in a name."""
    text = "=== source: <b>en</b> ===\nlow low low lower newest\n=== source: hi ===\nचाय चाय दूध"
    page = open_page("train", {"example": "own", "text": text, "alphabet": "bytes", "view": "sources", "step": "1"})
    expect(page.locator(".sources .names")).to_contain_text("<b>en</b>")
    expect(page.locator(".sources path")).to_have_count(2)
    expect(page.locator(".room .sentence")).to_contain_text("Sources: ")
    expect(page.get_by_text("<b>en</b> is served worst")).to_be_visible()
    shares = page.locator(".sources .share")
    for key, en, hi in (("ArrowRight", "100%", "0%"), ("End", "0%", "100%")):  # lo of low; the end of दूध
        page.keyboard.press(key)
        expect(shares).to_have_text([en, hi])
    expect(page.get_by_text("At step 26:", exact=True)).to_be_visible()  # else a menu closes as the page moves
    pick(page, "Train again without", "hi")
    expect(page.get_by_text("Without hi, ")).to_be_visible()
