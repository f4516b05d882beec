"""Inside as a person would walk it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.driver import expect_link, pick


def part(page: Page, number: int):
    return page.locator(f".st-key-part-{number}")


TEXTS = """chips => chips.map((chip) =>
  [...chip.childNodes].filter((node) => node.nodeName !== "SUB").map((node) => node.textContent).join(""))"""


def chips(page: Page, number: int) -> list[str]:
    return [text.replace("·", " ") for text in part(page, number).locator(".token:not(.lost)").evaluate_all(TEXTS)]


def test_the_whole_way(open_page, settle, outside_requests):
    page = open_page("pipeline")
    headings = page.get_by_role("heading", level=2).all_inner_texts()
    assert [re.sub(r"\s+", " ", text).strip() for text in headings] == [
        "1 Normalization", "2 Pretokenization", "3 Model", "4 Post-processing", "5 Ids", "6 Decoding",
    ]  # fmt: skip
    assert part(page, 1).locator("dt").all_inner_texts() == ["Text", "BERT"]
    assert chips(page, 4) == ["[CLS]", *chips(page, 3), "[SEP]"]
    expect(part(page, 6)).to_contain_text("Normalization (1) changed 13 characters")
    above = part(page, 0)
    expect(above).to_contain_text("BERT gives back this·is·an·example·sentence.")
    expect(above).to_contain_text(
        "Lost: 🦜, 12 spaces. Changed: 13 characters. Put in: spaces between words and signs."
    )
    pick(page, "Tokenizer", "GPT-2")
    expect(above).to_contain_text("✓ The text comes back unchanged from GPT-2.")
    assert above.bounding_box()["y"] < part(page, 1).bounding_box()["y"]
    assert outside_requests == []


@pytest.mark.thorough
def test_another_model_has_its_own_split_in_the_menu(open_page):
    page = open_page("pipeline")
    for model, split in (("GPT-2", "GPT-2"), ("GPT-4o (o200k_base)", "GPT-4o (o200k)")):
        pick(page, "Tokenizer", model)
        expect(page.get_by_role("combobox", name="Pretokenizer")).to_have_value(f"The model's own: {split}")


@pytest.mark.thorough
def test_choose_normalizers_and_a_cut(open_page, settle):
    page = open_page("pipeline", {"model": "gpt2"})
    expect(part(page, 6)).to_contain_text("Decodes back to exactly your text")
    pick(page, "Normalizers", "BERT")
    expect(part(page, 1).locator("dt").nth(1)).to_have_text("BERT")
    expect(page).to_have_url(re.compile("normalizers=bert"))
    page.keyboard.press("Escape")
    settle(page)
    assert part(page, 1).locator("ins").first.inner_text() == "t"
    pick(page, "Pretokenizer", "BERT")
    expect(part(page, 6)).to_contain_text("threw away 12 characters of white space")
    settle(page)
    assert chips(page, 2)[:5] == ["this", "is", "an", "example", "sentence"]
    expect(part(page, 3)).to_contain_text("throws away the spaces that many of its tokens begin with")


@pytest.mark.thorough
def test_change_the_text_make_a_pair_and_reload(open_page, settle):
    page = open_page("pipeline", {"model": "gpt2", "template": "bert", "normalizers": "nfd strip-accents lowercase"})
    page.get_by_label("Your text").fill("Ünï")
    page.keyboard.press("Control+Enter")
    expect_link(page, "text=")
    page.get_by_label("Second text, as a pair").fill("code")
    expect_link(page, "second=code")
    settle(page)
    assert chips(page, 4) == ["[CLS]", "uni", "[SEP]", "code", "[SEP]"]
    assert part(page, 4).locator("sub").all_inner_texts() == ["type 1", "type 1"]
    expect(part(page, 4)).to_contain_text("This vocabulary has no [CLS] and no [SEP]")
    page.reload()
    settle(page)
    assert chips(page, 4) == ["[CLS]", "uni", "[SEP]", "code", "[SEP]"]
    assert page.get_by_label("Your text").input_value() == "Ünï"


@pytest.mark.thorough
def test_the_vocabulary_of_the_train_page(open_page, settle):
    page = open_page("train", {"vocabulary": "21", "step": "9"})
    page.get_by_role("link", name="Tokenizers").click()
    page.get_by_role("link", name="Inside").click()
    expect(page.get_by_role("heading", name="Decoding")).to_be_visible()
    pick(page, "Tokenizer", "Trained on the Train page")
    page.get_by_label("Your text").fill("newer longest")
    page.keyboard.press("Control+Enter")
    expect(part(page, 6)).to_contain_text("Decodes back to exactly your text")
    settle(page)
    assert chips(page, 3) == ["new", "e", "r", "_", "lo", "n", "g", "est_"]


@pytest.mark.thorough
def test_ids_as_csv_with_offsets_in_the_text_as_typed(open_page):
    page = open_page("pipeline", {"text": "cafe\u0301 ok", "normalizers": "nfc", "model": "gpt2"})
    with page.expect_download() as download:
        page.get_by_role("button", name="Ids (CSV)").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0] == "token,id,start,end"
    assert lines[1:] == ["c,66,0,1", "af,1878,1,3", "é,2634,3,5", "·ok,12876,5,8"]


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "dark"), [(390, True), (390, False), (1280, False), (1280, True)])
def test_axe_finds_nothing(open_page, settle, dark: bool, width: int):
    query = {"second": "नमस्ते", "template": "bert", "pretokenizer": "bert", "normalizers": "bert nfkc"}
    page = open_page("pipeline", query, dark=dark, width=width)
    page.get_by_text("Table with offsets").click()
    settle(page)
    assert findings(page) == []


def test_an_explanation_shows_at_the_focus_and_at_a_tap(open_page):
    page = open_page("pipeline", width=390)
    lost = part(page, 6).get_by_text("1 word", exact=True)
    why = part(page, 6).get_by_text("WordPiece loses a whole word if no token fits")
    expect(why).to_be_hidden()
    lost.focus()
    expect(why).to_be_visible()
    expect(lost).to_have_accessible_description(re.compile("WordPiece loses a whole word"))
    part(page, 0).get_by_text("30,522 tokens", exact=True).click()
    expect(why).to_be_hidden()
    expect(part(page, 0).get_by_text("Google's vocabulary of 2018")).to_be_visible()


@pytest.mark.thorough
def test_a_telephone(open_page):
    page = open_page("pipeline", {"text": "x" * 300 + " <b>&"}, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth - e.clientWidth") <= 0


def test_a_space_between_two_l_is_as_wide_as_any_other(open_page):
    page = open_page("pipeline", {"model": "bert", "text": "You'll love a b"})
    lines = part(page, 1).locator("dd .line")
    expect(lines).to_have_count(2)
    for line in lines.all():
        widths = line.locator(".mark").evaluate_all("marks => marks.map((it) => it.getBoundingClientRect().width)")
        assert len(widths) == 3
        assert max(widths) - min(widths) < 0.1, "l·l is one narrow sign"
