"""Answers: what they are judged to be, how they travel in a link; Mixed five; the worksheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.learn import progress
from pages.parts.learn.for_a_class import on_paper, worksheet
from pages.parts.learn.lessons import LESSONS, lesson
from pages.parts.learn.mixed_questions import ASKED, MixedFive
from pages.parts.learn.progress import SHOWN
from pages.parts.learn.questions import NUMBER, SPLIT, Omission, judge, question, wrong_answer
from tests.pages.learn.page_parts import read
from tests.some import some

COUNT = question(
    "How many?", 1060, "So many.", wrong_answer(5000, "Too many."), wrong_answer(804, "Too few."), typed=NUMBER
)
PAIR = question(
    "Which?", "u + g", "Most.", wrong_answer("u + n", "As many.", near=True), wrong_answer("p + u", "Fewer.")
)
WORD = question("Cut it", "l|ighthouse", "So.", wrong_answer("light|house", "Not so."), typed=SPLIT)


def test_options_are_sorted_so_that_their_places_tell_nothing():
    assert COUNT.labels == ("804", "1,060", "5,000")
    assert PAIR.labels == ("p + u", "u + g", "u + n")


@pytest.mark.parametrize(
    ("asked", "answer", "kind"),
    [
        (COUNT, "1,060", "right"), (COUNT, "1060", "right"), (COUNT, "5000", "wrong"), (COUNT, "7", "wrong"),
        (COUNT, "²", "wrong"), (PAIR, "u + g", "right"), (PAIR, "u + n", "nearly"), (PAIR, "p + u", "wrong"),
        (WORD, "l|ighthouse", "right"), (WORD, "li|ghthouse", "wrong"),
    ],
)  # fmt: skip
def test_an_answer_is_judged(asked, answer, kind):
    verdict = judge(asked, answer)
    assert verdict.kind == kind
    assert verdict.why


def test_a_question_without_a_wrong_answer_is_none():
    with pytest.raises(Omission):
        question("How many?", 1, "One.", wrong_answer(1, "The same."))
    with pytest.raises(Omission):
        question("Which?", "a + b", "That.", wrong_answer("c + d", "As frequent.", near=True))


def test_a_question_is_settled_by_a_right_answer_two_wrong_ones_or_on_request():
    states = [(), ("5,000",), ("5,000", "804"), ("5,000", "1,060"), ("1,060",), (SHOWN,)]
    assert [progress.settled(COUNT, tries) for tries in states] == [False, False, True, True, True, True]
    assert [progress.at_once(COUNT, tries) for tries in states] == [False, False, False, False, True, False]
    assert progress.at_once(PAIR, ("u + n",))


TRIES = st.lists(st.sampled_from(["p + u", "u + g", "u + n", SHOWN]), max_size=2).map(tuple)
TYPED = st.lists(st.text(min_size=1) | st.integers(0, 10**9).map(str) | st.just(SHOWN), max_size=2).map(tuple)


@given(TRIES, TYPED)
def test_tries_travel_in_a_link(chosen, typed):
    written = progress.as_text((PAIR, WORD), (chosen, typed))
    assert written.isascii()
    assert progress.tries_in((PAIR, WORD), written) == [chosen, typed]


@given(st.text("0123456789s=.-xé"))
def test_a_broken_link_gives_tries_that_fit(text):
    read = progress.tries_in((COUNT, WORD), text)
    assert len(read) == 2
    for asked, tries in zip((COUNT, WORD), read, strict=True):
        assert all(entry == SHOWN or judge(asked, entry).why for entry in tries)


def test_mixed_five_are_the_same_for_the_same_seed_and_others_for_another():
    drawn = [MixedFive(seed) for seed in (7, 7, 8)]
    asked = [[one.ask + one.look for one in made.questions] for made in drawn]
    assert asked[0] == asked[1] != asked[2]
    assert all(len(made.questions) == len(set(made.from_lessons)) == ASKED for made in drawn)


@pytest.mark.parametrize("seed", some(range(1, 9), 4))
def test_mixed_five_ask_nothing_that_a_lesson_asks_and_nothing_twice(seed):
    asked = [(one.ask, *one.steps, *read(one.look).tokens) for one in MixedFive(seed).questions]
    of_lessons = {(one.ask, *one.steps, *read(one.look).tokens) for key in LESSONS for one in lesson(key).questions}
    assert len(set(asked)) == ASKED
    assert not of_lessons & set(asked)


@pytest.mark.parametrize("key", LESSONS)
def test_a_worksheet_asks_everything_and_answers_only_on_the_page_of_the_key(key):
    made = lesson(key)
    asked, key_page = worksheet(made).split('<div class="answers">')
    for one in made.questions:
        ask, look = on_paper(one)
        assert ask in asked
        assert ask in key_page
        assert one.right.why in key_page
        assert one.right.why not in asked.replace(look, "")
    assert asked.count('class="room"') == len(made.questions)
    assert "✓" not in asked
    assert "<script" not in asked + key_page


def test_the_key_of_a_worksheet_takes_a_tie_as_the_screen_does():
    made = lesson("pairs", "ab cd ab cd ef")
    tied = next(wrong_answer for wrong_answer in made.questions[0].wrong_answers if wrong_answer.near)
    page = worksheet(made)
    assert f"≈ counts as right: <b>{tied.label}</b>" in page
    assert "Which pair is merged next?" not in page  # it would go on from only one of the right answers


def test_the_answers_of_part_and_rest_are_not_offered_together():
    assert question("How many of the 9?", 4, "Four.", wrong_answer(5, "No."), wrong_answer(9, "All."), of=9).labels == (
        "4",
        "9",
    )
