"""The texts of the lessons: how they are read, and that every sentence and every fact is used."""

import re
from collections.abc import Iterator
from random import Random

import pytest
from markupsafe import Markup

from bpe_core.published import PUBLISHED
from bpe_core.text.pretokenizers import PRETOKENIZERS
from pages.parts.learn.facts import Fact, Facts, FilledSection, NoPoint, Phrase, Table, WrongAnswer, question_of
from pages.parts.learn.lesson_text import HEAD, LessonText, LessonTextError, SentenceWithHoles
from pages.parts.learn.lessons import LESSONS, lesson
from pages.parts.learn.questions import NUMBER
from tests.pages.learn.page_parts import read

ABOUT = "name: Cats\ntitle: Cats\ncan: count cats\nopening: A [token].\ntake away: Cats."
ASKED = """
[first]
ask: How many are {word}?
above: {drawing}
above: A line,
  and more of it: {cats}
note: {note}
right: {count} of {all}.
wrong (more): {more} are more.
part (cats): {number} cats
table: cat | {word}s
answer (none): no {word}
step: Count {word}.
step: So {count}.
left out: no {word}
"""


def filled(text: str = ABOUT + ASKED, wrong: WrongAnswer | None = None, **facts: Fact):
    holes: dict[str, Fact] = {"word": "<cat>", "drawing": Markup("<hr>"), "cats": Phrase("cats", number=1000)}
    holes |= {"note": "", "count": 3, "all": 4000}
    return question_of(LessonText(text, "cats.txt"), "first", Facts(3, wrong or MORE, **holes | facts))


MORE = WrongAnswer(5, "more", more=(b"a", b"b"))


def test_holes_are_filled_and_values_escaped_once():
    asked = filled()
    assert asked.ask == "How many are &lt;cat&gt;?"
    assert asked.look == '<hr><p class="sentence">A line, and more of it: 1,000 cats</p>'
    assert asked.right.why == "3 of 4,000."
    assert read(asked.wrong_answers[0].why).tokens == [b"a", b"b"]
    assert asked.steps == ("Count &lt;cat&gt;.", "So 3.")
    assert asked.typed == NUMBER


def test_a_sentence_above_a_question_is_a_paragraph_and_a_drawing_is_not():
    assert filled(note=Phrase("cats", number=2)).look.endswith('<p class="note">2 cats</p>')
    assert "<td>2 cats</td>" in filled(note=Table([(1, Phrase("cats", number=2))])).look
    assert "<td>1,000</td><td>&lt;b&gt;</td>" in filled(note=Table([(1000, "<b>")])).look
    assert "<th>&lt;cat&gt;s</th>" in filled(note=Table([(1, "2")])).look


def test_labels_and_reasons_are_plain_text():
    assert filled(wrong=WrongAnswer(Phrase("none"), "more", more=1)).labels == ("3", "no <cat>")
    words = FilledSection(LessonText(ABOUT + ASKED, "cats.txt"), "first", {"word": "<cat>"})
    assert words.plain("left out", NoPoint().sentence) == "no <cat>"


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"dogs": 1}, "cats.txt: [first] has no hole for dogs"),
        ({"wrong": WrongAnswer(5, "more")}, "cats.txt:13: nothing for the hole more"),
        ({"wrong": WrongAnswer(5, "more", more=1, less=2)}, "cats.txt:13: no hole for less"),
        ({"wrong": WrongAnswer(5, "fewer")}, "cats.txt: no sentence “wrong (fewer)” in [first]"),
    ],
)
def test_a_missing_and_an_unused_fact_are_errors(facts: dict, message: str):
    with pytest.raises(LessonTextError, match=re.escape(message)):
        filled(**facts)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("asks: What?", "cats.txt:6: no sentence is called “asks”"),
        ("What?", "cats.txt:6: neither a sentence"),
        ("\n  goes on", "cats.txt:7: neither a sentence"),
        ("part (a): {b", "cats.txt:6: a brace"),
        ("part (a): b\n  {c.d}", "cats.txt:6: a brace"),
        ("part (a): {b:,}", "cats.txt:6: a brace"),
        ("part (a): b\npart (a): c", "cats.txt:7: a second “part (a)”"),
        ("title: Dogs", "cats.txt:6: a second “title”"),
        ("[first]\ntitle: Dogs", "cats.txt:7: no sentence is called “title”"),
        ("[first]\n[first]", "cats.txt:7: a second [first]"),
    ],
)
def test_what_has_not_the_form_of_a_text_is_an_error_with_its_line(lines: str, message: str):
    with pytest.raises(LessonTextError, match=re.escape(message)):
        LessonText(f"{ABOUT}\n{lines}", "cats.txt")


def test_a_lesson_has_a_title_without_holes():
    with pytest.raises(LessonTextError, match="no sentence “can”"):
        LessonText(ABOUT.replace("can: count cats\n", ""), "cats.txt")
    with pytest.raises(LessonTextError, match=r"cats\.txt:2: a hole"):
        LessonText(ABOUT.replace("title: Cats", "title: {cats}"), "cats.txt")


# Texts on which all sentences are used: some apply to few texts only.
ALL_USED = [
    "a",
    "مرحبا بالعالم",
    "the cat\na cat\ndogs",
    "daa ddc",
    "1111111 22 333 4444444",
    "123456 654321",
    "520 521 127 1000 500",
    "a·b 猫喝茶。\n <b>&' dog lower the cat drinks tea\n the cat drinks tea\n light ##z 1999 Dog. don't don't",
    "◌\u0301 a◌\u0301 a\u0301",
    "ababa a aabbb aaaa ba",
    "bbbbb aba aaa bab b",
    "a a bab baba",
    "aba a b ba ab",
    "f a t d s l",
    " ",
]
_RANDOM = Random(1)
LARGE = "".join(chr(_RANDOM.randrange(0x4E00, 0x9FFF)) for _ in range(5000))  # a text of many merges


def lines_used(key: str, monkeypatch: pytest.MonkeyPatch, texts: list[str]) -> set[int]:
    """Return the lines of the sentences that a lesson uses on texts."""
    found: set[int] = set()
    before = FilledSection._facts
    monkeypatch.setattr(FilledSection, "_facts", lambda *given: (found.add(given[1].line), before(*given))[1])
    for text in texts:
        made = LESSONS[key](text)
        assert len(made.questions) + len(made.left_out) == len(made.about)
        assert made.take_away()
    return found


def sentences(key: str) -> Iterator[SentenceWithHoles]:
    """Yield what a lesson says, but for what it says of itself."""
    return (template for _, (kind, _), template in LESSONS[key].sentences.sentences() if kind not in HEAD)


@pytest.mark.parametrize("key", LESSONS)
def test_every_sentence_is_used_with_all_its_holes_filled(key: str, monkeypatch: pytest.MonkeyPatch):
    found = lines_used(key, monkeypatch, ["", *ALL_USED, *([LARGE] if key == "size" else [])])
    assert [each.text for each in sentences(key) if each.line not in found] == []


@pytest.mark.parametrize("key", LESSONS)
def test_no_digit_in_the_text_of_a_lesson(key: str):
    """All numbers are computed; a name may have a digit."""
    names = [each.title for each in (*PUBLISHED.values(), *PRETOKENIZERS.values())]
    every = "\n".join([each.text for each in sentences(key)] + [LESSONS[key].sentences.head(name) for name in HEAD])
    for name in names:
        every = every.replace(name, "")
    assert not any(char.isdigit() for char in every)


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_has_a_method_for_each_question_of_its_text(key: str):
    assert lesson(key).about == LESSONS[key].sentences.questions
    assert all(callable(getattr(LESSONS[key], name)) for name in LESSONS[key].about)
    assert set(LESSONS[key].fixed) <= set(LESSONS[key].about)
