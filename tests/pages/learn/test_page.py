"""The Learn page: answering, progress in the link, a text of one's own, and the way on."""

import json
import re
from pathlib import Path

import pytest

from pages.parts.learn import lesson_view
from pages.parts.learn.lessons import GROUPS, LESSONS, lesson
from pages.parts.learn.mixed_questions import ASKED, MixedFive
from pages.parts.page.frame import PAGES
from pages.parts.state import links
from pages.parts.state.learn_state import Learn
from pages.parts.state.values import rows
from pages.parts.ui.terms import TERMS
from tests.pages.driver import components, html, link, open_page, problems
from tests.pages.session import name_text
from tests.some import some

PAGE = "pages/learn.py"


def options(test):
    """The option groups on the page."""
    return test.button_group


def press(test, label):
    next(button for button in test.button if button.label == label).click().run()


def test_the_page_begins_with_the_first_lesson():
    assert Learn().lesson == next(iter(LESSONS))


def test_every_term_leads_to_a_lesson():
    assert {term.lesson for term in TERMS.values()} <= LESSONS.keys()


def test_answers_are_judged_and_the_next_question_follows():
    test = open_page(PAGE)
    assert "Which pair is merged first?" in html(test)
    assert len(options(test)) == 1
    options(test)[0].set_value("p + u").run()
    assert "✗ Not that." in html(test)
    assert "12 times" in html(test)
    assert "The answer is" not in html(test)
    assert link(test) == {"answers": "1"}
    options(test)[0].set_value("u + g").run()
    assert "✓ Right." in html(test)
    assert "Which pair is merged next?" in html(test)
    assert link(test) == {"answers": "1-2"}


def test_after_two_wrong_answers_the_right_one_is_told():
    test = open_page(PAGE, lesson="unseen")
    options(test)[0].set_value("unknown").run()
    options(test)[0].set_value("7").run()
    assert "The answer is 2." in html(test)


def test_show_me_tells_and_the_end_shows_the_instruments():
    test = open_page(PAGE, lesson="ties")
    for _ in LESSONS["ties"].about:
        press(test, "Show me")
    assert "Take away." in html(test)
    assert "0 of 2 answers right at the first try" in html(test)
    assert link(test) == {"lesson": "ties", "answers": "s.s", "done": "ties"}


def test_a_reload_in_the_middle_gives_the_same_screen():
    test = open_page(PAGE, lesson="cuts", answers="2-3.1")
    again = open_page(PAGE, **link(test))
    assert html(test) == html(again)
    assert [group.value for group in options(test)] == [group.value for group in options(again)]
    assert len(options(test)) == 2


@pytest.mark.parametrize("key", some(LESSONS))
def test_every_lesson_can_be_gone_through(key):
    count = len(LESSONS[key].about)
    test = open_page(PAGE, lesson=key, answers=".".join("s" * count))
    assert not test.exception
    assert not problems(test)
    assert "Take away." in html(test)
    assert len(options(test)) == count


OWN = "a rose is a rose is a rose\nand 127 roses, 1999 roses\nнет 🦜 Rose"


@pytest.mark.parametrize(
    ("key", "text"), [*some((key, "") for key in LESSONS), ("pairs", OWN), ("cuts", OWN), ("rivals", OWN)]
)
def test_every_way_on_opens_without_a_remark(key, text):
    wanted = lesson(key, text).go_on()
    query = links.written(wanted)
    test = open_page(PAGES[wanted.PAGE].path, **query)
    assert not test.exception
    assert problems(test) == []
    assert query.items() <= link(test).items()


def test_going_on_sets_the_page_and_keeps_the_lesson():
    test = open_page(PAGE, answers="s.s.s")
    press(test, "Go on: train it step by step")
    assert link(test) == links.written(lesson("pairs").go_on())
    test.switch_page(PAGE).run()
    assert "Take away." in html(test)


def test_going_on_opens_at_the_step_of_the_lesson_although_the_page_showed_another_text():
    test = open_page("pages/train.py", corpus="my-dog", step="4")
    name_text(test, "novel.txt")
    test.switch_page(PAGE).run()
    text = "tea for two, tea for me"
    test.text_area[0].set_value(text).run()
    for _ in range(3):
        press(test, "Show me")
    press(test, "Go on: train it step by step")
    assert link(test) == links.written(lesson("pairs", text).go_on())
    assert link(test)["step"] == "1"
    assert "novel.txt" not in html(test)
    assert "Your text: 23 characters" in html(test)


def test_a_rail_in_five_groups_has_every_lesson_and_ticks_what_is_done():
    none, two = (open_page(PAGE, done=done) for done in ("", "ties pairs mixed"))
    assert [menu.label for menu in two.selectbox] == ["Lesson"]
    assert f"None of {len(LESSONS)} lessons done." in html(none)
    assert f"2 of {len(LESSONS)} lessons done." in html(two)
    rail = [each for each in two.button if each.key and "learn.rail" in each.key]
    assert sorted(key for keys in GROUPS.values() for key in keys) == sorted(LESSONS)
    assert [each.label.partition("\u2002")[2].strip("*") for each in rail] == [
        *(LESSONS[key].name for keys in GROUPS.values() for key in keys),
        "Mixed five",
    ]
    assert [each.label[0] for each in rail] == ["✓", "✓", *"○" * (len(LESSONS) - 2), "✓"]
    next(each for each in rail if "Letters" in each.label).click().run()
    assert link(two)["lesson"] == "letters"
    assert two.selectbox[0].options[:3] == [
        "✓ 1. Pairs: Count, merge, count again", "✓ 2. Ties: When pairs are equal", "3. New words: A word never seen",
    ]  # fmt: skip


def test_a_lesson_is_found_by_its_number_its_name_and_its_title():
    """The menu has all three, and a link to a lesson on another page says its title and opens it."""
    menu = open_page(PAGE).selectbox[0].options
    for number, made in enumerate(LESSONS.values(), 1):
        assert menu[number - 1] == f"{number}. {made.name}: {made.title}"
    links_to = re.compile(r'lesson_about\("A lesson: ([^"]+)", "([^"]+)"\)')
    found = [pair for file in Path("pages").rglob("*.py") for pair in links_to.findall(file.read_text("utf-8"))]
    assert ("who cut this?", "cutters") in found
    for said, key in found:
        assert said.lower() == LESSONS[key].title.lower(), key
    shown = html(open_page("app.py", view="split", text="low"))
    assert '<a href="learn?lesson=cutters" target="_blank">A lesson: who cut this?</a>' in shown
    assert ">Who cut this?</h2>" in html(open_page(PAGE, lesson="cutters"))


def test_what_a_special_token_is_leaves_the_letters_out():
    shown = html(open_page("pages/learn.py", lesson="unused"))
    assert "A special token was not learnt from text: whoever built the vocabulary added it." in shown
    assert "special token is one that no merge made" not in shown  # nor did a merge make a letter


def test_numbers_and_cuts_can_be_typed():
    test = open_page(PAGE, lesson="unseen")
    press(test, "Type the answer instead")
    test.number_input[0].set_value(5).run()
    assert "✗ Not that." in html(test)
    test.number_input[0].set_value(2).run()
    assert "✓ Right." in html(test)
    test.text_input[0].set_value("light|haus").run()
    assert "Without its bars that must be lighthouse." in html(test)
    test.text_input[0].set_value("l|ighthouse").run()
    assert html(test).count("✓ Right.") == 2


def test_a_class_link_has_the_text_and_no_answers():
    text = "a rose is a rose is a rose"
    test = open_page(PAGE, lesson="unseen", text=text, answers="s", done="pairs")
    shared = next(block.value for block in test.code)
    assert shared.endswith("?text=a+rose+is+a+rose+is+a+rose&lesson=unseen")  # no full stop of a text at its end
    assert "answers" not in shared
    assert "done" not in shared


def test_a_text_of_ones_own_gives_other_answers_and_is_escaped():
    test = open_page(PAGE, text="<b>bb</b> <b>bb</b> <i>bb")
    assert "Which pair is merged first?" in html(test)
    assert "<b>bb" not in html(test)
    poor = open_page(PAGE, text="a")
    assert "Left out on this text: the text has too few pairs" in html(poor)
    press(poor, "Take the lesson's own text")
    assert "Which pair is merged first?" in html(poor)


def test_of_a_text_that_is_too_long_the_beginning_is_taken_and_it_is_said():
    test = open_page(PAGE)
    test.text_area[0].set_value("the cat sat on the mat. " * 400).run()
    assert "Your text has 9,600 characters: the lesson takes the first 4,999 of them." in problems(test)
    assert link(test)["text"] == test.text_area[0].value == ("the cat sat on the mat. " * 400)[:4999]
    test.text_area[0].set_value("the cat sat").run()
    assert problems(test) == []


def test_a_class_gets_a_link_a_frame_and_a_qr_code_until_a_link_is_too_long_for_one():
    test = open_page(PAGE, lesson="ties", text="a rose is a rose is a rose.")
    plain, frame = (block.value for block in test.code)
    assert plain.endswith("&lesson=ties")
    assert f'src="{plain}&embed=true"' in frame
    assert 'class="qr"' in html(test)
    test.text_area[0].set_value("the cat sat on the mat. " * 200).run()
    assert "This link is too long for a QR code." in html(test)


def test_after_a_wrong_answer_the_page_counts_with_the_learner():
    test = open_page(PAGE, answers="0")
    assert html(test).count("<details") == len(lesson("pairs").questions[0].steps)
    assert "<details" not in html(open_page(PAGE, answers="2"))


def test_charts_beside_each_other_have_one_scale():
    test = open_page(PAGE, lesson="cuts", answers="s.s.s")
    charts = [json.loads(chart.proto.spec) for chart in test.get("vega_lite_chart")]
    assert [chart["layer"][0]["encoding"]["x"]["scale"]["domainMax"] for chart in charts] == [3, 3]
    assert "Showing 8 of 12 different pairs." in html(test)


def test_the_ticks_of_a_browser_are_added_to_those_of_the_visit():
    test = open_page(PAGE, done="ties")
    assert lesson_view.with_ticks(Learn(done=("ties",)), ["pairs", "nine"]).done == ("ties", "pairs")
    assert {"done": ["ties"]}.items() <= next(data for data in components(test) if "names" in data).items()


def test_a_text_of_white_space_is_said_to_be_one():
    assert "only white space" in html(open_page(PAGE, text=" \n "))


def test_mixed_five_are_those_of_the_number_in_the_link():
    one, same, other = (open_page(PAGE, lesson="mixed", seed=seed, answers=".".join("s" * ASKED)) for seed in "336")
    assert html(one) == html(same) != html(other)
    assert len(options(one)) == ASKED


def test_mixed_five_lead_to_the_lessons_of_wrong_answers():
    made = MixedFive(3)
    right = made.questions[0].labels.index(made.questions[0].right.label)
    test = open_page(PAGE, lesson="mixed", seed="3", answers=".".join([str(right), *"ssss"]))
    again = [button.label for button in test.button if button.label.startswith("Look again")]
    assert again == [f"Look again: {LESSONS[key].name}" for key in made.from_lessons[1:]]
    press(test, again[0])
    assert link(test)["lesson"] == made.from_lessons[1]


def test_a_typed_answer_is_judged_again_after_a_reload():
    test = open_page(PAGE, lesson="unseen", answers="=35")
    assert "✗ Not that. The right number is smaller. Try again." in html(test).replace("</b>", "")


@pytest.mark.parametrize(
    "bad", [{"lesson": "nine"}, {"lesson": "zzz"}, {"answers": "<b>"}, {"done": "pairs pairs"}, {"seed": "-1"}]
)
def test_what_a_link_cannot_say_is_left_out_with_a_sentence(bad):
    test = open_page(PAGE, **bad)
    (said,) = problems(test)
    name = next(iter(bad))
    assert said.startswith(f"The link's “{rows(Learn)[name].title}” ({name}=) was left out")


def test_a_tick_of_a_link_that_is_of_no_lesson_is_left_out():
    test = open_page(PAGE, done="pairs nine mixed")
    assert link(test) == {"done": "pairs mixed"}


def test_answers_that_fit_no_question_are_ignored():
    assert "✗" not in html(open_page(PAGE, answers="77.77"))
