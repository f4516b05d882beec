"""The Train page's film: its controls, a branch, a guess, what is chosen in it."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from bpe_core import Settings, train
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.record.frames import PAIRS
from bpe_core.settings import SETTINGS
from pages.parts.texts.corpora import example
from tests.browser.driver import STORY, choose_example, corpus_rows, expect_link, sentence, settle, upload
from tests.contrast import contrast, hex_of
from tests.some import later

# As in Safari: a press sets the caret after the focus.
CARET_LATE = """(at) => at.addEventListener("mousedown", ({ defaultPrevented }) => {
  if (!defaultPrevented) at.addEventListener("mouseup", () => getSelection().collapse(at, 0));
})"""


def test_every_control_goes_to_its_step_and_the_link_follows(open_page):
    page = open_page("train")
    at = page.locator(".where")
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(at).to_have_text("step 2 of 18")
    page.keyboard.press("Space")  # presses the button that has the focus
    expect(at).to_have_text("step 3 of 18")
    expect(sentence(page)).to_contain_text("Step 3 joined est + _ → est_, seen 9 times: 6 in newest, 3 in widest.")
    expect(page).to_have_url(re.compile("step=3$"))
    page.get_by_role("button", name="Back", exact=True).click()
    expect(at).to_have_text("step 2 of 18")
    page.locator(".at").evaluate(CARET_LATE)
    page.get_by_role("textbox", name="step, to be typed").click()
    page.keyboard.type("1x2")
    page.keyboard.press("Enter")
    expect(at).to_have_text("step 12 of 18")
    page.keyboard.press("End")
    expect(at).to_have_text("step 18 of 18")
    expect(page.get_by_role("button", name="Next", exact=True)).to_have_attribute("tabindex", "-1")
    expect(page.get_by_text("102 tokens of the corpus became 17.")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("step=17$"))
    page.get_by_role("button", name="Start", exact=True).click()
    expect(sentence(page)).to_contain_text("Before any merge")
    timeline = page.locator("[data-chart=timeline]").bounding_box()
    page.mouse.click(timeline["x"] + timeline["width"] / 2, timeline["y"] + 10)
    expect(at).to_have_text("step 9 of 18")
    page.locator(".merge", has_text="newest_").first.click()
    expect(at).to_have_text("step 8 of 18")
    page.locator(".merge.later", has=page.get_by_text("12", exact=True)).click()
    expect(at).to_have_text("step 12 of 18")
    expect(page).to_have_url(re.compile("step=12$"))
    page.go_back()
    expect(page).not_to_have_url(re.compile("/train"))


@pytest.mark.parametrize(
    ("path", "width"), [("train", 390), *map(later, [("train", 1280), ("compare", 390), ("compare", 1280)])]
)
def test_a_film_has_the_room_that_its_page_kept_for_it(open_page, path, width):
    film = open_page(path, width=width).locator(".film")
    kept, drawn = film.evaluate("""film => {
      const probe = document.createElement("div");
      probe.style.height = "var(--room)";
      const kept = film.parentNode.appendChild(probe).getBoundingClientRect().height;
      probe.remove();
      return [kept, film.getBoundingClientRect().height];
    }""")
    assert abs(kept - drawn) < 3


def test_a_key_draws_again_only_what_changes(open_page):
    page = open_page("train", {"text": "newest newest newest widest", "step": "0"})
    parts = page.locator(".merge .pair, .line .word, .over .names")
    bars = page.locator(".pairs .mark-rect path")
    expect(page.locator(".line .word").nth(1)).to_be_visible()
    expect(bars.first).to_be_visible()
    bars.evaluate_all("bars => bars.forEach(bar => bar.isOld = true)")
    count = bars.count()
    parts.evaluate_all("parts => parts.forEach(part => [...part.childNodes].forEach(node => node.isOld = true))")
    page.locator("#editor").press("End")
    page.keyboard.insert_text(" wider")
    expect(page.locator(".line .word")).to_have_text(["newest_", "widest_", "wider_"])
    old = """parts => parts.map(part => Boolean(part.firstChild?.isOld))"""
    assert page.locator(".line .word").evaluate_all(old) == [True, True, False]
    assert {*page.locator(".merge .pair").evaluate_all(old)} == {True, False}
    assert page.locator(".over .names").evaluate_all(old)[0]
    expect(bars).not_to_have_count(count)
    assert bars.evaluate_all("bars => bars.filter(({ isOld }) => isOld).length") == count


@pytest.mark.thorough
def test_a_whole_play_moves_nothing_but_the_tokens(open_page):
    page = open_page("train", STORY | {"vocab_size": "276"})
    expect(page.locator(".pairs svg")).to_be_visible()
    page.evaluate("""() => {
        window.shift = 0;
        const add = (list) => { for (const entry of list.getEntries()) window.shift += entry.value; };
        new PerformanceObserver(add).observe({ type: "layout-shift" });
    }""")
    page.get_by_role("combobox", name="Speed").select_option("20 a second")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(page.locator(".where")).to_have_text("step 20 of 20")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("step=20"))
    settle(page)
    assert page.evaluate("window.shift") == 0


@pytest.mark.thorough
def test_a_film_ends_with_its_page(open_page):
    page = open_page("train", STORY | {"vocab_size": "300"})
    page.evaluate("""() => {
        window.hurry = 0;  // milliseconds that every clock goes ahead
        const [frame, now] = [requestAnimationFrame, performance.now.bind(performance)];
        performance.now = () => now() + hurry;
        window.requestAnimationFrame = (draw) => frame((time) => draw(time + hurry));
    }""")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page).to_have_url(re.compile("step="))
    page.get_by_role("link", name="Tokens", exact=True).click()
    expect(page).to_have_url(re.compile(r":\d+/(\?|$)"))
    settle(page)
    page.evaluate("""async () => {
        hurry = 60_000;
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    }""")
    assert "step" not in page.url


@pytest.mark.thorough
def test_a_stage_is_entered_by_a_press_or_a_key_and_the_link_has_it(open_page):
    settings = {"pretokenizer": "gpt2", "alphabet": "bytes", "word_marker": "none", "vocab_size": "268"}
    page = open_page("train", {"text": "to be or not to be", "then_across_words_from": "260", "step": "4"} | settings)
    where = page.locator(".where")
    expect(where).to_contain_text("step 4 of 12, across words")
    page.keyboard.press("ArrowLeft")
    expect(where).to_contain_text("step 4 of 4, within words")
    expect(page).to_have_url(re.compile("step=4.*stage=first"))
    settle(page)
    page.reload()
    settle(page)
    expect(where).to_contain_text("step 4 of 4, within words")
    page.locator(".track .block").click()
    expect(where).to_contain_text("step 4 of 12, across words")
    expect(sentence(page)).to_contain_text("The walls between words have fallen")
    expect(page).not_to_have_url(re.compile("stage="))


@pytest.mark.thorough
def test_until_vega_arrives_grey_bars_stand_for_the_charts_and_nothing_moves(context, server):
    page, held = context.new_page(), []
    page.route(re.compile("/scripts/vega-"), lambda route: held.append(route))
    page.goto(f"{server}/train?{urlencode(STORY | {'step': '300'})}")
    expect(sentence(page)).to_contain_text("Step 300 joined")
    expect(page.locator(".waiting")).to_have_count(2)
    expect(page.locator(".pairs .note")).to_be_hidden()
    others = page.get_by_role("combobox", name="Merge another tied pair instead").locator("option")
    run = train(example("short-story").text, Settings())
    left, right = run.merges[299][:2]
    tied = [" + ".join(map(token_text, pair[:2])) for pair in run.tied(300)[:PAIRS] if pair[:2] != (left, right)]
    more = f"and {run.ties[299] - 1 - len(tied)} more tied pairs"
    expect(others).to_have_text(["Merge another tied pair instead", *tied, more])
    expect(others.last).to_be_disabled()
    page.evaluate("""() => {
        window.shift = 0;
        const add = (list) => { for (const entry of list.getEntries()) window.shift += entry.value; };
        new PerformanceObserver(add).observe({ type: "layout-shift" });
    }""")
    for route in held:
        route.continue_()
    expect(page.locator(".pairs svg")).to_be_visible()
    expect(page.locator(".waiting")).to_have_count(0)
    expect(page.locator(".pairs .note")).to_have_text(re.compile(r"different pairs; the 15 most frequent are shown$"))
    assert page.evaluate("window.shift") == 0


@pytest.mark.thorough
def test_branch_and_way_back(open_page):
    page = open_page("train", {"step": "1"})
    page.get_by_role("combobox", name="Merge another tied pair instead").select_option("s + t")
    expect(sentence(page)).to_contain_text("Step 1 joined s + t → st")
    expect(sentence(page)).to_contain_text("This pair was chosen by hand.")
    expect_link(page, r"forced=1%3A73\.74")
    settle(page)  # the address follows a tenth of a second later (server/history.js)
    page.reload()
    settle(page)
    expect(sentence(page)).to_contain_text("Step 1 joined s + t → st")
    note = page.get_by_text("You chose the pair at step 1.")
    assert note.bounding_box()["y"] < page.locator(".bar").bounding_box()["y"] < 500, "above the fold"
    page.get_by_role("button", name="Back to the rule's choice").click()
    expect(sentence(page)).to_contain_text("Step 1 joined e + s → es")


@pytest.mark.thorough
def test_predict_with_a_score(open_page):
    page = open_page("train")
    toggle = page.get_by_role("button", name="Guess the next merge")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    looks = "it => [getComputedStyle(it).color, getComputedStyle(it).backgroundColor]"
    assert contrast(*map(hex_of, toggle.evaluate(looks))) >= 4.5, "while it is on, with the pointer over it"
    expect(sentence(page)).not_to_contain_text("Next:")
    expect(page.locator(".merge:visible")).to_have_count(0)  # they would tell
    page.locator("[data-chart=timeline]").hover(position={"x": 300, "y": 10})
    expect(page.locator("[data-chart=timeline]")).to_have_attribute("title", re.compile(r"^Step \d+$"))
    guess = page.get_by_role("group", name="Pairs, the most frequent first")
    guess.get_by_role("button", name="s + t").click()
    expect(page.locator(".verdict")).to_contain_text("Right: s + t is as frequent. By the tie rule e + s is joined")
    expect(page.locator(".verdict")).to_contain_text("Score: 1 of 1.")
    expect(page.locator("select.branch")).to_be_hidden()  # so would what was as frequent as the last one
    expect(page.locator(".pairs .mark-rect path:not([fill=transparent])")).to_have_count(0)
    guess.get_by_role("button", name="l + o").click()
    expect(page.locator(".verdict")).to_contain_text("No: l + o is seen 8 times; es + t is joined, seen 9 times")
    expect(page.locator(".pairs .mark-rect path:not([fill=transparent])").first).to_be_visible()  # the counts, until …
    expect(sentence(page)).to_contain_text("Step 1 joined")
    page.get_by_role("button", name="Next", exact=True).click()  # … the film is stepped
    expect(page.locator(".verdict")).to_contain_text("Which pair is joined next?")
    expect(page.locator(".pairs .mark-rect path:not([fill=transparent])")).to_have_count(0)
    page.locator(".line", has_text="est").first.locator(".token", has_text="est").click()  # with the one behind it
    expect(page.locator(".verdict")).to_contain_text("Right: est + _ is joined, seen 9 times. Score: 2 of 3.")
    expect(sentence(page)).to_contain_text("Step 3 joined")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text("Which pair is joined next?")
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.locator(".verdict")).to_have_text("")  # nothing is joined next


def test_choosing_a_pair_marks_it_and_names_its_words_and_choosing_a_word_shows_its_pairs(open_page):
    page = open_page("train")
    page.get_by_role("button", name="l + o: 8").click()
    expect(page.get_by_text("l + o occurs 8 times: 5 in low, 2 in lower, 1 in longer.")).to_be_visible()
    assert page.locator(".words .token.soft").all_inner_texts() == ["l", "o"] * 3
    page.locator(".line .word").nth(3).locator(".token").first.click()
    expect(page.get_by_role("heading", name="Pairs of the word")).to_be_visible()
    pairs = page.get_by_role("group", name="Pairs, the most frequent first").get_by_role("button")
    expect(pairs).to_have_count(6)
    expect(pairs.first).to_have_accessible_name("e + s: 9, joined next")
    page.get_by_role("button", name="Show all pairs").click()
    expect(page.get_by_role("heading", name="Pair counts")).to_be_visible()


@pytest.mark.thorough
def test_search_and_sort_choose_the_words(open_page):
    page = open_page("train", STORY | {"step": "100"})
    page.get_by_role("searchbox", name="Find in words").fill("light")
    expect(page.get_by_text(re.compile(r"\d+ of 432 words match"))).to_be_visible()
    rows = corpus_rows(page)
    assert rows
    assert all("light" in row.replace(" ", "").lower() for row in rows)
    page.get_by_role("combobox", name="Sort the words").select_option("longest")
    expect_link(page, "words=light&sort=longest")
    settle(page)  # the address is written a moment after the link
    page.reload()
    settle(page)
    expect(page.get_by_role("combobox", name="Sort the words")).to_have_value("longest")
    assert all("light" in row.replace(" ", "").lower() for row in corpus_rows(page))


@pytest.mark.thorough
def test_another_text_while_it_plays_shows_no_frame_of_the_one_before(open_page):
    page = open_page("train", STORY)
    expect(page.locator(".where")).to_have_text("step 0 of 744")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    choose_example(page, "hug, pug, pun, bun, hugs")
    expect(page.locator(".where")).to_have_text(re.compile(r"step 0 of 10"))
    expect(page.locator(".words .word")).to_have_count(6)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.thorough
def test_a_text_that_the_film_leaves_to_the_page_is_no_error_in_the_console(open_page):
    page = open_page("train", {"vocab_size": "20", "text": "low"})
    with page.expect_response(lambda answer: answer.url.endswith("/r/film")) as answered:
        page.get_by_role("textbox", name="Your text").fill("many other characters: äöüßéèàîôû")
    assert answered.value.status == 204
    expect(page.get_by_role("alert")).to_contain_text("The vocabulary size 20 is below the 23 base symbols.")


@pytest.mark.thorough
def test_a_word_without_end_is_cut_and_said_and_every_step_is_there(open_page):
    page = open_page("train", {"pretokenizer": "none", "alphabet": "bytes", "word_marker": "none"})
    upload(page, "long.txt", b"abcab" * 40_000)
    expect(page.get_by_text("199,700 symbols more")).to_be_visible()
    assert page.locator(".words .token").count() <= 300
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.locator(".where")).to_have_text(re.compile(r"step (\d+) of \1$"))
    expect(page.locator(".words .token").first).to_be_visible()


@pytest.mark.thorough
def test_a_server_that_does_not_answer_is_said_and_the_film_goes_on(context, server):
    page, lost = context.new_page(), []

    def pass_on(socket):
        far = socket.connect_to_server()
        socket.on_message(lambda message: lost.append(message) if lost else far.send(message))
        far.on_message(socket.send)

    page.route_web_socket(re.compile("_stcore/stream"), pass_on)
    page.goto(f"{server}/train?{urlencode(STORY)}")
    expect(page.locator(".where")).to_have_text("step 0 of 744")
    expect(page.locator(".pairs svg")).to_be_visible()
    settle(page)
    lost.append("from now on nothing arrives")
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.locator(".merge.current .k")).to_have_text("744")
    owned = "(all) => all.getAttribute('aria-owns').split(' ').map((id) => all.querySelector(`#${id}`))"
    shown = f"(all) => ({owned})(all).filter((row) => !row.hidden).map((row) => +row.querySelector('.k').textContent)"
    numbers = page.locator(".merges .all").evaluate(shown)
    assert len(numbers) > 5
    assert numbers == sorted(numbers), "screen readers read them in their order"
    expect(page.get_by_text("Connection lost: playing what is here.")).to_be_visible()
    lost.clear()
    expect(sentence(page)).to_contain_text("The vocabulary has the 1,000 tokens asked for.")
    expect(page.get_by_text("Connection lost: playing what is here.")).to_have_count(0)


@pytest.mark.parametrize("dark", [True, pytest.param(False, marks=pytest.mark.thorough)], ids=["dark", "light"])
def test_axe_finds_nothing(open_page, axe, dark):
    page = open_page("train", {"step": "3"}, dark=dark)
    expect(page.locator(".pairs svg")).to_be_visible()
    assert axe(page) == []


@pytest.mark.thorough
def test_a_menu_that_is_opened_late_shows_the_values_of_the_page(open_page):
    """A browser makes the widgets of a menu when it opens; a run since the page was opened said their defaults."""
    page = open_page("train", {"min_count": "3"})
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page).to_have_url(re.compile("step=1$"))
    page.get_by_role("textbox", name="Your text").fill("low low low lower lower lower")
    expect_link(page, "text=")
    page.get_by_role("button", name="More settings").click()
    expect(page.get_by_role("spinbutton", name=SETTINGS["min_count"].title)).to_have_value("3")


@pytest.mark.parametrize("width", [390, 1280])
def test_all_settings_are_in_sight_and_a_long_text_has_three_lines_above_the_film(open_page, width):
    page = open_page("train", STORY, width=width)
    settings = page.locator(".st-key-train-settings :is(input, button)").locator("visible=true")
    assert settings.evaluate_all(f"all => all.every((each) => each.getBoundingClientRect().right <= {width})")
    assert 3 * 22 < page.locator("#editor").bounding_box()["height"] < 4 * 24
    if width == 1280:
        assert page.get_by_role("button", name="Play", exact=True).bounding_box()["y"] < 350
