"""The Compare page in a browser: the point at first sight, two films with one step bar, settings, files, links."""

import io
import re
from xml.etree import ElementTree

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from bpe_core.pictures.shared.style import PAPER
from tests.browser.axe import findings
from tests.browser.driver import expect_link, panel, pick


def point(page: Page):
    """What the comparison comes to: the first of its two sentences."""
    return page.locator(".point").first


def column(page: Page, place: int):
    """The sentence of the left (0) or the right (1) training."""
    return page.locator(".sentences .sentence").nth(place)


def test_the_default_makes_the_point_without_scrolling_and_films_have_the_titles_of_their_sides(
    open_page, outside_requests
):
    page = open_page("compare")
    expect(point(page)).to_contain_text("Whitespace keeps")
    expect(point(page).locator(".token")).to_have_text(["dog.", "dog", "."])
    for sentence in page.locator(".point").all():
        box = sentence.bounding_box()
        assert box["y"] + box["height"] <= 800
    expect(page.locator(".cost p")).to_have_text(
        [
            "Whitespace 15 tokens · 1.67 characters each · 6 spaces thrown away",
            "GPT-2’s split 20 tokens · 1.55 characters each",
        ]
    )
    widths = [bar.bounding_box()["width"] for bar in page.locator(".cost .bar i:not(.lost)").all()]
    assert widths[0] / widths[1] == pytest.approx(15 / 20, rel=0.01)
    expect(page.locator(".token.lost")).to_have_count(3)
    expect(page.locator(".where")).to_contain_text("step 0 of 8")
    expect(page.locator(".timeline .legend b")).to_have_text(["Whitespace", "GPT-2’s split"])
    widths = [box.bounding_box()["width"] for box in page.locator(".timeline .body:visible").all()]
    assert widths[0] / widths[1] == pytest.approx(7 / 8, rel=0.01), "7 merges and 8"
    assert outside_requests == []
    expect(page.locator("h2.side")).to_have_text(["Whitespace", "GPT-2’s split"])
    pick(page, "Right: split by", "BERT")
    expect(page.locator("h2.side")).to_have_text(["Whitespace", "BERT’s split"])


@pytest.mark.thorough
def test_the_examples_show_what_an_unsplit_text_learns(open_page, settle):
    page = open_page("compare")
    page.get_by_role("button", name="Comparisons to try").click()
    page.get_by_role("menuitem", name="The same, not split").click()
    expect(point(page)).to_contain_text("No split keeps")
    settle(page)
    for step, token in enumerate(["·d", "·do", "·dog", "·dog."], 1):
        page.get_by_role("button", name="Next", exact=True).click()
        expect(column(page, 0)).to_contain_text(f"Step {step} joined")
        expect(column(page, 0).locator(".token.new")).to_have_text(token)
        expect(column(page, 1)).to_contain_text(f"Step {step} joined")
    expect(page).to_have_url(re.compile(r"compare\?step=4&left_pretokenizer=none$"))
    panel(page, "Vocabularies")
    expect(page.get_by_text(re.compile(r"^Only No split: \d+$"))).to_be_visible()


@pytest.mark.thorough
def test_on_a_phone_the_whole_sentence_of_a_tie_is_in_sight_and_nothing_is_wider(open_page):
    text = "pair the pairs, pair the pears. paired pairs!"
    page = open_page("compare", {"corpus": "paste", "text": text, "step": "2", "view": "held-out"}, width=390)
    for place in (0, 1):
        expect(column(page, place)).to_contain_text(re.compile("Tied with .* Next: "))
        assert column(page, place).evaluate("it => it.scrollHeight <= it.clientHeight")
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    expect(page.get_by_test_id("stVegaLiteChart")).to_be_visible()


@pytest.mark.thorough
def test_both_corpora_stand_row_by_row(open_page):
    page = open_page("compare", {"step": "3"})
    rows = page.locator(".corpus .line")
    expect(rows.first.locator(".word")).to_have_text(["dog.", "·dog", "."])
    expect(rows.first.locator(".count")).to_have_text(["2 ×", "2 ×"])
    expect(rows).to_have_count(1)
    note = page.locator(".corpus .note")
    expect(note).to_have_text("1 row. Left out: 2 rows that both splits share but for spaces.")
    panel(page, "All rows")
    expect(rows).to_have_count(3)
    expect(note).to_have_text("3 rows.")


HINDI = "नमस्ते दुनिया! यह एक छोटा वाक्य है। नमस्ते दुनिया!"


@pytest.mark.thorough
@pytest.mark.parametrize("width", [768, 1440])
def test_both_splits_stand_in_lines_of_one_height_and_a_rule_marks_its_pretokens(open_page, width):
    page = open_page("compare", {"text": HINDI}, width=width)
    for side in page.locator(".sides section").all():
        side.get_by_text("Figures", exact=True).click()
    for part in (".title", ".scroll", ".rules", ".figures"):
        left, right = (box.bounding_box() for box in page.locator(f".sides {part}").all())
        assert left["y"] == right["y"], part
    rows = [figure.bounding_box()["y"] for figure in page.locator(".sides section").first.locator("dl div").all()]
    assert rows in ([rows[0]] * 4, [rows[0]] * 2 + [rows[2]] * 2), "no figure stands alone"
    page.locator(".rules [data-rule=other]").last.focus()
    marked = page.locator(".sides .token").evaluate_all(
        "all => all.filter((it) => getComputedStyle(it).boxShadow !== 'none').map((it) => it.title)"
    )
    assert marked
    assert set(marked) == {"rule: other"}


@pytest.mark.thorough
def test_what_a_figure_means_shows_by_keyboard_and_by_touch(open_page):
    page = open_page("compare", {"view": "held-out"}, width=390)
    for place in (0, 1):
        name = page.get_by_text("tokens per word", exact=True).nth(place)
        meaning = page.locator(f"[id='{name.get_attribute('aria-describedby')}']")
        expect(meaning).to_be_hidden()
        if place:
            name.click()  # after a tap a phone's pointer stays there
        else:
            name.evaluate("it => it.closest('div').previousElementSibling.querySelector('.term').focus()")
            page.keyboard.press("Tab")
        expect(meaning).to_be_visible()
        expect(meaning).to_contain_text("A word is letters and digits")
        box = meaning.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390


@pytest.mark.thorough
def test_choose_search_and_reload(open_page, settle):
    page = open_page("compare", {"corpus": "short-story", "vocabulary": "400", "step": "90"})
    pick(page, "Right: split by", "BERT")
    expect(page.locator(".point").nth(1)).to_contain_text("BERT")
    expect(page).to_have_url(re.compile(r"right_pretokenizer=bert"))
    panel(page, "Vocabularies")
    settle(page)
    page.get_by_placeholder("Find a token").fill("dog")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tokens made by merges that match")).to_be_visible()
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page).to_have_url(re.compile(r"step=1\b"))
    expect(column(page, 1)).to_contain_text("Step 1 joined")
    shown = [column(page, place).inner_text() for place in (0, 1)]
    page.reload()
    settle(page)
    for place in (0, 1):
        expect(column(page, place)).to_have_text(re.compile(re.escape(shown[place].split(" joined")[0])))
    expect(page.get_by_role("radio", name="Vocabularies")).to_be_checked()


@pytest.mark.thorough
def test_what_a_view_was_asked_for_is_kept_while_others_are_open(open_page, settle):
    page = open_page("compare", {"view": "held-out"})
    pick(page, "Held-out text", "Your text itself")
    expect(page).to_have_url(re.compile("held=itself"))
    settle(page)
    panel(page, "Merges")
    page.get_by_placeholder("Find a token").fill("dog")
    page.keyboard.press("Enter")
    expect_link(page, "find=dog")
    panel(page, "Held-out text")
    expect(page.get_by_text("Both sides were trained on this text. For a fair test")).to_be_visible()
    expect(page.get_by_role("combobox", name="Held-out text")).to_have_value("Your text itself")
    panel(page, "Merges")
    expect(page.get_by_placeholder("Find a token")).to_have_value("dog")
    expect_link(page, "held=itself&find=dog$")


@pytest.mark.thorough
def test_edit_the_text(open_page):
    page = open_page("compare", {"corpus": "paste", "text": "aa bb", "held": "itself"})
    page.get_by_label("Your text").fill("<b>&\"'</b> $x$ `code` aa.")
    expect(page.locator(".split").first).to_contain_text("<b>&\"'</b>")
    page.get_by_label("Your text").fill("")
    expect(page.get_by_text("The page shows “my dog. your dog.”")).to_be_visible()
    page.get_by_label("Your text").fill("low lower")
    expect(page.get_by_text("Both sides were trained on this text. After all merges it costs:")).to_be_visible()


@pytest.mark.thorough
def test_every_key_arrives_though_the_films_ask_at_the_same_time(open_page):
    """Of two requests sent in one go Streamlit runs one part of the page only: a text could stay without an answer."""
    page = open_page("compare", {"text": "low lower"})
    text = page.get_by_label("Your text")
    text.press("End")
    text.press_sequentially(" newest widest lowest", delay=60)
    expect(page.get_by_text("Your text: 30 characters.")).to_be_visible()


@pytest.mark.thorough
def test_tables_and_tokenizers_leave_as_files(open_page):
    page = open_page("compare", {"view": "export", "left": "none", "step": "4"})
    with page.expect_download() as download:
        page.get_by_role("button", name="Merges (CSV)").click()
    table = pd.read_csv(io.BytesIO(download.value.path().read_bytes()))
    assert table["No split"].tolist()[:4] == ["·d", "·do", "·dog", "·dog."]
    assert download.value.suggested_filename == "merges-step-12.csv"
    for name in ("no-split-tokenizer.json", "gpt-2-split-tokenizer.json"):
        expect(page.get_by_role("button", name=name)).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize(("view", "dark"), [("blocked", True), ("vocabularies", False), ("held-out", False)])
def test_nothing_that_axe_finds(open_page, view, dark):
    page = open_page("compare", {"corpus": "short-story", "view": view, "step": "100"}, dark=dark)
    assert findings(page) == []


@pytest.mark.thorough
def test_a_chart_leaves_as_svg(open_page):
    page = open_page("compare", {"view": "held-out"}, dark=True)
    page.get_by_role("button", name="Table, SVG, PNG").click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="SVG", exact=True).click()
    assert download.value.suggested_filename == "growth.svg"
    root = ElementTree.parse(download.value.path()).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root.findall(".//{*}path")) > 2
    assert root.find("{*}rect").get("fill") == PAPER["dark"]
