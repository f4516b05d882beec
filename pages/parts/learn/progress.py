"""The open lesson and its answers in the page's state. Most functions take a state and return the next state."""

from __future__ import annotations

from dataclasses import replace

from pages.parts.learn import answers
from pages.parts.learn.answers import Tries
from pages.parts.learn.lessons import Lesson, lesson
from pages.parts.learn.mixed_questions import MIXED, NAMES, MixedFive
from pages.parts.state.learn_state import LESSON_CHARACTERS, Learn
from pages.parts.state.values import changed
from pages.parts.texts.corpora import CorpusError

TITLE = "lesson"  # the id of the lesson's title on the page
TOP = "top"  # the page's beginning, which gets no focus


def lesson_of(now: Learn) -> Lesson:
    """Return the open lesson; raise `CorpusError` if the visitor's text is only white space."""
    if now.lesson == MIXED:
        return MixedFive(now.seed)
    if now.text and not now.text.strip():
        raise CorpusError("The text is only white space: add a few words to ask about.")
    return lesson(now.lesson, now.text)


def without_unknown(now: Learn) -> Learn:
    """Return the state without unknown lessons in `done`: a link may name lessons that do not exist."""
    return replace(now, done=tuple(key for key in now.done if key in NAMES))


def tries(now: Learn, made: Lesson) -> list[Tries]:
    """Return the tries at each question."""
    return answers.read(made.questions, now.answers)


def answer(now: Learn, made: Lesson, number: int, entry: str) -> Learn:
    """Return the state with one more try, an answer or `SHOWN`, unless the question is settled."""
    rows, asked = tries(now, made), made.questions
    if answers.settled(asked[number], rows[number]):
        return now
    rows[number] = (*rows[number], entry)
    if all(map(answers.settled, asked, rows)):
        now = replace(now, done=tuple(dict.fromkeys([*now.done, now.lesson])))
    return _with_answers(now, answers.write(asked, rows))


def again(now: Learn) -> Learn:
    """Return the state without the open lesson's answers, and with new widgets for the lesson's questions."""
    return focus(_with_answers(replace(now, round=now.round + 1), ""), TITLE)


def opened(now: Learn) -> Learn:
    """Return the state after the choice of a lesson, text or seed, with any earlier answers for that choice."""
    return replace(now, answers=dict(now.former).get(_subject(now), ""))


def chosen(now: Learn) -> Learn:
    """Return the state after the choice of another lesson, and move the page to its top."""
    return focus(opened(now), TOP)


def within(text: str) -> str:
    """Return the beginning of a text: as much as a lesson takes, up to the end of a word.

    >>> within("low lower"), len(within("a" * 9000))
    ('low lower', 5000)
    """
    if len(text) <= LESSON_CHARACTERS:
        return text
    cut = text[: LESSON_CHARACTERS + 1]
    return cut[: max(cut.rfind(" "), cut.rfind("\n"))] if {" ", "\n"} & set(cut) else text[:LESSON_CHARACTERS]


def with_text(now: Learn, text: str) -> Learn:
    """Return the state with a text. A long text is cut to as much as a lesson takes."""
    taken = within(text)
    return opened(replace(now, text=taken, pasted=len(text) if taken != text else 0))


def with_typed_text(now: Learn) -> Learn:
    """Return the state after a text was typed or pasted."""
    return with_text(now, now.text)


def go(now: Learn, **values: object) -> Learn:
    """Return the state with another lesson, text or seed, and the focus on the lesson's title."""
    return focus(opened(changed(now, values)), TITLE)


def focus(now: Learn, element: str) -> Learn:
    """Return the state that makes the page, when next drawn, move the focus to the element with the id `element`."""
    return replace(now, focus=element, moves=now.moves + 1)


def _with_answers(now: Learn, given: str) -> Learn:
    former = dict(now.former) | {_subject(now): given}
    return replace(now, answers=given, former=tuple(former.items()))


def _subject(now: Learn) -> tuple[str, str, int]:
    return now.lesson, now.text, now.seed
