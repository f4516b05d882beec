"""The Train page in depth: jump, branch, predict, check, search, export, reload, long training."""

import io
import json
import re

import pandas as pd
import pytest
import tiktoken
import tiktoken.load
from playwright.sync_api import Page, expect
from tokenizers import Tokenizer

from bpe_core import PRETOKENIZERS, Settings, train
from pages.parts.session.corpora import example
from tests.browser.driver import WATCH, book, corpus_rows, pick, serve, settle, upload


def sentence(page: Page):
    return page.locator(".sentence").first


def panel(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name).click()


def test_the_sentence_names_the_words(open_page):
    page = open_page("train", {"step": "3"})
    expect(sentence(page)).to_contain_text("seen 9 times: 6 in newest, 3 in widest.")


def test_jump_by_the_timeline_and_by_a_row_of_the_history(open_page):
    page = open_page("train", {"corpus": "short-story", "pretokenizer": "gpt2", "marker": "none"})
    chart = page.get_by_test_id("stVegaLiteChart").first
    box = chart.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 30)
    expect(sentence(page)).to_contain_text(re.compile(r"Step [34]\d\d joined"))
    expect(page).to_have_url(re.compile(r"step=[34]\d\d"))


def test_branch_and_way_back(open_page):
    page = open_page("train", {"step": "1"})
    pick(page, "Take this tied pair instead", "s + t")
    expect(sentence(page)).to_contain_text("Step 1 joined s and t to st")
    expect(sentence(page)).to_contain_text("You chose this pair.")
    expect(page).to_have_url(re.compile(r"chosen=1%3A73\.74"))
    page.reload()
    settle(page)
    expect(sentence(page)).to_contain_text("Step 1 joined s and t to st")
    page.get_by_role("button", name="Back to the rule's choice").click()
    expect(sentence(page)).to_contain_text("Step 1 joined e and s to es")


def test_a_choice_that_does_not_fit_any_more_is_dropped_and_said(open_page):
    page = open_page("train", {"corpus": "hug-pug-pun", "chosen": "1:73.74", "step": "1"})
    expect(page.get_by_text("The pair s + t, chosen for step 1, does not occur there.")).to_be_visible()
    expect(sentence(page)).to_contain_text("Step 1 joined u and g to ug")


def test_predict_with_a_score(open_page):
    page = open_page("train")
    page.get_by_text("Predict the next merge").click()
    expect(sentence(page)).not_to_contain_text("Next:")
    expect(page.get_by_test_id("stVegaLiteChart")).to_have_count(1)  # the timeline; no counts
    pick(page, "Your guess", "e + s")
    expect(
        page.get_by_text("Right: e + s is seen 9 times, and the tie rule prefers it. Score: 1 of 1.")
    ).to_be_visible()
    pick(page, "Your guess", "l + o")
    expect(page.get_by_text("Not yet: l + o is seen 8 times, es + t 9 times. Score: 1 of 2.")).to_be_visible()
    expect(sentence(page)).to_contain_text("Step 2 joined")


def test_choosing_a_pair_marks_it_in_the_corpus_and_names_its_words(open_page):
    page = open_page("train")
    bars = page.get_by_test_id("stVegaLiteChart").nth(1)
    box = bars.bounding_box()
    page.mouse.click(box["x"] + 160, box["y"] + 12 + 25 * 3)  # the fourth bar: l o, 8
    expect(page.get_by_text("occurs 8 times: 5 in low, 2 in lower, 1 in longer.")).to_be_visible()
    assert page.locator(".words .token.soft").all_inner_texts() == ["l", "o"] * 3
    assert len(corpus_rows(page)) == 3


def test_search_sort_and_the_pairs_of_a_word(open_page):
    page = open_page("train", {"corpus": "short-story", "pretokenizer": "gpt2", "marker": "none", "step": "100"})
    page.get_by_label("Find in words").fill("light")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"Showing \d+ of \d+ words that match, of 432"))).to_be_visible()
    assert all("light" in row.replace(" ", "").lower() for row in corpus_rows(page))
    pick(page, "Pairs of a word", "·lighthouse")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()


def test_check_is_green(open_page):
    page = open_page("train", {"step": "5"})
    panel(page, "Check")
    page.get_by_role("button", name="Check step 5").click()
    expect(page.get_by_test_id("stAlert")).to_have_count(3)
    expect(page.get_by_text("The tokens joined are the corpus: yes. 5 words, 102 bytes")).to_be_visible()
    expect(page.get_by_text(": NO.")).to_have_count(0)


def test_try_a_word_links_to_the_steps(open_page):
    page = open_page("train", {"step": "9", "try": "newest"})
    panel(page, "Try a word")
    expect(page.get_by_role("button", name="Step 8")).to_be_visible()
    page.get_by_role("button", name="Step 6").click()
    expect(sentence(page)).to_contain_text("Step 6 joined n and e to ne")


def test_exports_load_back(open_page):
    page = open_page("train", {"step": "9"})
    panel(page, "Export")
    sheets = {}
    for name in ("Merges", "Vocabulary", "Pairs", "Words"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"{name} (CSV)").click()
        sheets[name] = pd.read_csv(io.BytesIO(download.value.path().read_bytes()), keep_default_na=False)
    assert sheets["Merges"]["token"].tolist()[::-1][:3] == ["es", "est", "est_"]
    assert len(sheets["Vocabulary"]) == 21
    assert sheets["Words"].values.tolist()[2] == [6, "newest_"]
    assert sheets["Pairs"]["count"].is_monotonic_decreasing
    expect(page.get_by_text(re.compile(r"train\?step=9"))).to_be_visible()


def test_tokenizer_files_load_in_their_own_libraries(open_page, tmp_path):
    settings = {"corpus": "short-story", "pretokenizer": "gpt2", "alphabet": "bytes", "marker": "none", "step": "200"}
    page = open_page("train", settings)
    panel(page, "Export")
    files = {}
    for name in ("tokenizer.json", "vocab.json", "merges.txt", "tokenizer.tiktoken", "tokenizer.model"):
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
    assert "minbpe" in files["tokenizer.model"].read_text()


def test_files_that_cannot_carry_the_settings_say_why(open_page):
    page = open_page("train", {"step": "9"})
    panel(page, "Export")
    expect(page.get_by_text(re.compile("minbpe.*"))).to_be_visible()
    expect(page.get_by_role("button", name="tokenizer.model", exact=True)).to_have_count(0)


def test_search_over_pairs_merges_and_vocabulary(open_page):
    page = open_page("train", {"corpus": "short-story", "pretokenizer": "gpt2", "marker": "none", "step": "300"})
    for name, label, unit in (
        ("Merge history", "Find a token", "merges"),
        ("Pairs", "Find a pair", "pairs"),
        ("Vocabulary", "Find a token", "tokens"),
    ):
        panel(page, name)
        page.get_by_label(label).fill("gh")
        page.keyboard.press("Enter")
        expect(page.get_by_text(re.compile(rf"^\d\d? {unit}\."))).to_be_visible()


def test_long_training_can_be_cancelled_and_the_page_answers(open_page):
    page = open_page("train", {"pretokenizer": "gpt2", "alphabet": "bytes", "marker": "none", "vocabulary": "30000"})
    upload(page, "long.txt", book(700_000))
    cancel = page.get_by_role("button", name="Cancel training")
    expect(cancel).to_be_visible(timeout=30_000)
    cancel.click()
    expect(page.get_by_text("Training was cancelled; nothing of it is kept.")).to_be_visible()
    pick(page, "Corpus", "hug, pug, pun, bun, hugs")
    expect(sentence(page)).to_contain_text("Before any merge")
    pick(page, "Corpus", "Upload a file")
    page.get_by_role("button", name="Train again").click()
    expect(page.get_by_text(re.compile(r"long\.txt: [\d,]+ different words"))).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="End").click()
    expect(sentence(page)).to_contain_text(re.compile(r"Step [\d,]+ joined"))


def test_a_reload_while_training_is_said(open_page):
    page = open_page("train", {"pretokenizer": "gpt2", "alphabet": "bytes", "marker": "none", "vocabulary": "30000"})
    upload(page, "long.txt", book(701_000))
    expect(page.get_by_role("button", name="Cancel training")).to_be_visible(timeout=30_000)
    page.reload()
    settle(page)
    expect(page.get_by_text("An uploaded file does not travel in a link: upload it again.")).to_be_visible()
    expect(page.get_by_test_id("stFileUploaderDropzoneInput")).to_have_count(1)
    expect(page).to_have_url(re.compile("corpus=upload"))


@pytest.fixture
def broken_page(browser):
    """The page of an app whose textbook algorithm miscounts, so that the check must go red."""
    miscount = (
        "import bpe_core.reference as r; right = r.count_pairs;"
        "r.count_pairs = lambda words: {pair: n + 1 for pair, n in right(words).items()}"
    )
    with serve(miscount) as url:
        page = browser.new_page()
        page.add_init_script(WATCH)
        page.goto(f"{url}/train?step=2")
        settle(page)
        yield page
        page.close()


def test_the_word_to_try_stays_while_another_panel_is_open(open_page):
    page = open_page("train", {"step": "4"})
    panel(page, "Try a word")
    page.get_by_role("textbox", name="Text", exact=True).fill("newer")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("try=newer"))
    panel(page, "Curves")
    panel(page, "Try a word")
    expect(page.get_by_role("textbox", name="Text", exact=True)).to_have_value("newer")
    expect(page).to_have_url(re.compile("try=newer"))


def test_check_can_go_red(broken_page):
    panel(broken_page, "Check")
    broken_page.get_by_role("button", name="Check step 2").click()
    expect(broken_page.get_by_text(": NO.")).to_have_count(2)
